package import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns

/// A collection that supports create, read, list, update and delete requests: `resource` in a cassette.
package struct ResourceDefinition: Sendable {
  /// An operation on a collection or one of its elements.
  package enum Operation: String, CaseIterable, Sendable {
    case list, create, clear, read, replace, patch, delete

    /// True if the operation applies to the collection, not to an element.
    package var isOfCollection: Bool { self == .list || self == .create || self == .clear }

    /// The HTTP method that requests the operation.
    package var method: HTTPMethod {
      switch self {
      case .list, .read: .get
      case .create: .post
      case .replace: .put
      case .patch: .patch
      case .delete, .clear: .delete
      }
    }

    /// The default status of a successful response.
    var status: Int {
      switch self {
      case .create: 201
      case .delete, .clear: 204
      case .list, .read, .replace, .patch: 200
      }
    }
  }

  /// The type of ids that new elements receive.
  package enum Naming: Sendable {
    /// Consecutive numbers.
    case number
    /// UUIDs that count up, so that they are the same in each session.
    case uuid
  }

  /// The options for listing a collection: pages, filters, order and envelope.
  package struct Listing: Sendable {
    /// The query parameter with the page number, counted from 1; `size` is the parameter with the page size.
    var page: String?
    var size: String?
    /// The default number of elements on a page; nil for all elements.
    var perPage: Int?
    /// The status for a page beyond the last one.
    ///
    /// If it is nil, such a page is empty, and a page that is not a number has status 400.
    var missingPage: HTTPStatus?
    /// The query parameters that filter the list, each named after a member: `author.id`.
    var filters: [String] = []
    /// The query parameter with the search words, and the members in which each word is searched.
    var search: (parameter: String, members: [String])?
    /// The query parameter that lists the members to sort by; `-` before a name sorts in descending order.
    var sort: String?
    /// The JSON around the elements, in which `{{items}}` is replaced by them.
    var envelope = EditableJSON.string("{{items}}")
  }

  /// The maximum number of elements, and of their bytes, in one session.
  package static let mostElements = 10_000
  static let mostBytes = 16 << 20
  /// The maximum number of elements on a page.
  static let longestPage = 1_000

  /// The JSON source of the definition in the cassette.
  package let source: [UInt8]
  /// The paths of the collection.
  ///
  /// The URLs of elements in responses use the first path.
  package var paths: [String]
  /// The suffix of element URLs: a slash if the first path ends with one.
  var addressEnd = ""
  /// Header fields of every response that has content.
  var headers: HTTPHeaders = []
  /// The name of the member that contains an element's id.
  package var id = "id"
  var naming = Naming.number
  /// The elements at the beginning of every session.
  var seed: [EditableJSON] = []
  /// Members that are added to a new element if the request omits them.
  var defaults: [EditableJSON.Member] = []
  /// Members that only the server assigns, when an element is created.
  var created: [EditableJSON.Member] = []
  /// Members that only the server assigns, whenever an element is created or changed.
  var changed: [EditableJSON.Member] = []
  /// The allowed operations, with the status of their responses.
  package var operations: [Operation: HTTPStatus]
  var listing = Listing()
  /// The bodies of error responses, by status.
  var errors: [Int: EditableJSON] = [:]
  /// The schema of the elements; nil if they are not validated.
  var schema: ElementSchema?

  init(source: [UInt8], paths: [String]) {
    self.source = source
    self.paths = paths
    operations = [:]
    for operation in Operation.allCases where operation != .clear {
      operations[operation] = HTTPStatus(operation.status)
    }
  }

  /// Returns the place that a path denotes, or nil if the path does not belong to the resource.
  func place(of path: String) -> Place? {
    for own in paths where path.hasPrefix(own) {
      let rest = path.dropFirst(own.count)
      if rest.isEmpty || rest == "/" { return .collection }
      let isRoot = own == "/"
      guard isRoot || rest.first == "/" else { continue }
      let name = isRoot ? rest : rest.dropFirst()
      if !name.isEmpty, !name.contains("/") { return .element(PercentEncoding.decodeText(name.utf8)) }
    }
    return nil
  }

  /// The target of a request: the collection, or an element with an id.
  package enum Place: Hashable, Sendable {
    case collection
    case element(String)
  }

  /// Returns the methods that are allowed for a collection or for an element.
  package func methods(of place: Place) -> [HTTPMethod] {
    Operation.allCases.filter { operations[$0] != nil && $0.isOfCollection == (place == .collection) }.map(\.method)
  }
}

/// Replaces placeholders in JSON: `"total": "{{total}}"` becomes a number, and a placeholder within other text its
/// digits.
enum ResourceTemplate {
  /// The placeholders that are allowed in the envelope of a list.
  static let ofLists = ["items", "page", "size", "total", "pages", "next", "previous"]
  /// The placeholders that are allowed in the body of an error response.
  static let ofErrors = ["id", "detail", "fields"]
  /// The placeholders that are allowed in members that the server assigns.
  static let ofElements = ["id", "url", "now"]

  /// Returns the first placeholder that `names` does not contain, ignoring placeholders of redacted secrets.
  static func unknownName(in value: EditableJSON, among names: [String]) -> String? {
    switch value {
    case .object(let members): members.lazy.compactMap { unknownName(in: $0.value, among: names) }.first
    case .array(let elements): elements.lazy.compactMap { unknownName(in: $0, among: names) }.first
    case .scalar:
      value.string.flatMap { text in
        pieces(of: text).lazy.compactMap(\.name).first { !names.contains($0) && !$0.hasPrefix("secret:") }
      }
    }
  }

  /// Returns a value with its placeholders replaced; placeholders without a value remain.
  static func filled(_ value: EditableJSON, _ values: [String: EditableJSON]) -> EditableJSON {
    switch value {
    case .object(let members):
      return .object(members.map { EditableJSON.Member($0.name, filled($0.value, values)) })
    case .array(let elements): return .array(elements.map { filled($0, values) })
    case .scalar:
      guard let text = value.string, text.contains("{{") else { return value }
      let pieces = pieces(of: text)
      if pieces.count == 1, let name = pieces[0].name { return values[name] ?? value }
      return .string(
        pieces.map { piece in
          guard let name = piece.name, let value = values[name] else { return piece.text }
          return value.isNull ? "" : value.scalar ?? String(decoding: value.bytes, as: UTF8.self)
        }.joined())
    }
  }

  private struct Piece {
    var text: String
    var name: String?
  }

  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      if open.lowerBound > rest.startIndex { pieces.append(Piece(text: String(rest[..<open.lowerBound]))) }
      let name = rest[open.upperBound..<close.lowerBound].trimmingSpaces
      pieces.append(Piece(text: String(rest[open.lowerBound..<close.upperBound]), name: name))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { pieces.append(Piece(text: String(rest))) }
    return pieces
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

/// A violation of the schema by an element in a request.
struct ElementProblem: Hashable, Sendable {
  /// The names of the members that lead to the invalid value; empty for the whole element.
  let path: [String]
  /// A description of the problem, to be printed after the member's name: `is missing`.
  let message: String
}

/// Validates the elements of a resource against a JSON Schema.
struct ElementSchema: Sendable {
  private let schema: JSONSchema
  private let text: EditableJSON

  /// Compiles a schema.
  init(_ text: [UInt8]) throws(ResourceError) {
    do {
      schema = try JSONSchema(text)
    } catch {
      throw ResourceError(message: "\"schema\": \(error.message)", offset: error.offset)
    }
    self.text = EditableJSON(text) ?? .null
  }

  /// Returns the violations of an element, or an empty array if the element is valid.
  func problems(of element: EditableJSON) -> [ElementProblem] {
    guard let tree = JSONTree(element.bytes) else { return [] }
    var budget = MatchingBudget()
    guard let violations = schema.violations(of: tree, limit: 32, &budget) else {
      return [ElementProblem(path: [], message: "takes too long to check")]
    }
    return violations.flatMap { violation -> [ElementProblem] in
      let path = violation.instance.steps.map { step in
        switch step {
        case .member(let name): name
        case .element(let index): "\(index)"
        }
      }
      let missing = violation.keyword == "required" ? lacking(violation.schema, at: path, of: element) : []
      if missing.isEmpty { return [ElementProblem(path: path, message: violation.words)] }
      return missing.map { ElementProblem(path: path + [$0], message: "is missing") }
    }
  }

  /// Returns the names that a `required` keyword lists and the element lacks, so that each is reported as its own
  /// problem.
  private func lacking(_ keyword: String, at path: [String], of element: EditableJSON) -> [String] {
    var work = 0
    let place = JSONPointer(steps: path.map { Array($0.utf8) })
    guard let pointer = JSONPointer(String(keyword.drop { $0 == "#" })),
      case .array(let names)? = try? text.value(at: pointer, work: &work),
      let value = try? element.value(at: place, work: &work)
    else { return [] }
    return names.compactMap(\.string).filter { value[$0] == nil }
  }
}
