package import CassetteHTTP

/// Compiles the templates of answers, and renders them for each request.
package protocol TemplateEngine: Sendable {
  /// Returns the errors in the templates of a response in JSON.
  ///
  /// - `response`: The member `response` as written in the cassette.
  /// - `file`: Reads a body file by its path; returns nil if the file cannot be read.
  func errors(inResponse response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError]

  /// Creates the templates of a table.
  ///
  /// - `entries`: All recordings of the table, in recorded order.
  /// - `standIn`: Replaces the placeholders of secrets in bytes; returns nil for bytes without placeholders.
  /// - `created`: Returns the name of the element that a `POST` created, from the fields and body of its response.
  func templates(
    of entries: [TemplateEntry], standIn: @escaping @Sendable ([UInt8]) -> [UInt8]?,
    created: @escaping @Sendable (HTTPHeaders, [UInt8]) -> String?
  ) -> any TableTemplates
}

/// A recording of a table, with its cassette, its origin and its path.
package struct TemplateEntry: Sendable {
  package let interaction: Interaction
  /// The name of the cassette.
  package let cassette: String
  package let origin: String?
  /// The path in its canonical spelling, without a trailing slash.
  package let path: String

  package init(_ interaction: Interaction, cassette: String, origin: String?, path: String) {
    (self.interaction, self.cassette, self.origin, self.path) = (interaction, cassette, origin, path)
  }
}

/// The templates among the recordings of a table, and the names that they generate, such as the id of a created
/// element.
///
/// Later recordings contain the name that was recorded instead of the generated one.
package protocol TableTemplates: Sendable {
  /// Returns true if the answer of an entry is rendered for each request, or contains a generated name.
  func concerns(_ entry: Int) -> Bool

  /// Returns true if an answer of an entry took so long that later ones should not be rendered on an event loop.
  func isSlow(_ entry: Int) -> Bool

  /// Creates the counters and generated names of a session.
  func memory() -> any TemplateMemory

  /// Returns the request with recorded names in place of generated ones, and the replaced names; nil if the request
  /// contains no generated name.
  func recorded(
    _ request: HTTPRequest, in memory: any TemplateMemory
  ) -> (request: HTTPRequest, names: [GeneratedName])?

  /// Returns the rendered response of an entry; nil if the response is not a template.
  func response(
    of entry: Int, in context: TemplateContext, _ memory: any TemplateMemory
  ) throws(CassetteError) -> RecordedResponse?

  /// Stores the name that a template generated, or replaces recorded names by generated ones.
  ///
  /// - `headers`: The header fields of the answer, which are changed.
  /// - `content`: The body of the answer; nil if it is streamed or long.
  ///
  /// Returns the change of the body, which returns nil for bytes that do not change; nil for no change.
  func link(
    _ entry: Int, _ headers: inout HTTPHeaders, content: [UInt8]?, to asked: HTTPRequest, _ names: [GeneratedName],
    _ memory: any TemplateMemory
  ) -> (([UInt8]) -> [UInt8]?)?
}

/// The values that templates keep for a session.
package protocol TemplateMemory: AnyObject, Sendable {}

/// A name that a template generated in a session, in place of the recorded name of later recordings.
package struct GeneratedName: Hashable, Sendable {
  /// The path of the recorded `POST`, in its canonical spelling.
  package let collection: String
  /// The name that later recordings contain below that path.
  package let recorded: String
  package let name: String

  package init(collection: String, recorded: String, name: String) {
    (self.collection, self.recorded, self.name) = (collection, recorded, name)
  }
}
