package import CassetteHTTP
package import CassetteJSON

/// Compiles the resources of cassettes.
package protocol ResourceEngine: Sendable {
  /// Compiles the definition of a resource; throws the first error in it.
  func resource(_ definition: JSONTree) throws(EngineError) -> any CompiledResource
}

/// A collection whose elements requests create, read, list, change and delete.
package protocol CompiledResource: Sendable {
  /// The definition as written in the cassette.
  var source: [UInt8] { get }
  /// The paths of the collection; URLs of elements use the first.
  var paths: [String] { get }
  /// The initial elements of every session.
  var initial: any ResourceElements { get }

  /// Parses the elements of a session from a JSON array; throws if an element is not an object with a unique id.
  func elements(_ json: [UInt8]) throws(EngineError) -> any ResourceElements

  /// Returns the methods allowed at a path, or all methods if `path` is nil; nil if the path does not belong to the
  /// resource.
  func methods(at path: String?) -> [HTTPMethod]?

  /// Answers a request and changes the elements; returns nil if the path does not belong to the resource.
  func answer(
    _ request: HTTPRequest, base: String, now: String, _ elements: inout any ResourceElements
  ) -> HTTPResponse?

  /// Returns the answer to a request that exceeds the memory limit of all sessions; nil if the path does not belong to
  /// the resource.
  func refusalOfFull(_ request: HTTPRequest, base: String) -> HTTPResponse?
}

/// The elements of a resource in one session: a value that shares unchanged elements with other sessions.
package protocol ResourceElements: Sendable {
  /// The elements as a JSON array.
  var json: [UInt8] { get }
  /// The number of elements.
  var count: Int { get }
  /// The number of bytes that only this session has changed or added.
  var ownSize: Int { get }
}
