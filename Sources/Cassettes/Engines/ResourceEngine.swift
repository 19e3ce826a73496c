package import CassetteHTTP
package import CassetteJSON

/// Compiles the resources of cassettes.
package protocol ResourceEngine: Sendable {
  /// Compiles a definition; throws the first error in it.
  func resource(_ definition: JSONTree) throws(EngineError) -> any CompiledResource
}

/// A collection that is really created in, read, listed, changed and deleted from.
package protocol CompiledResource: Sendable {
  /// The definition as it stands in the cassette.
  var source: [UInt8] { get }
  /// The paths of the collection; elements name the first as theirs.
  var paths: [String] { get }
  /// The elements that every session begins with.
  var initial: any ResourceElements { get }

  /// Reads the elements of a session from a JSON array; throws if one is not an object with an id of its own.
  func elements(_ json: [UInt8]) throws(EngineError) -> any ResourceElements

  /// Returns the methods that are allowed at a path; nil if the path is not the resource's. Without a path, all methods.
  func methods(at path: String?) -> [HTTPMethod]?

  /// Answers a request and changes the elements; nil if the path is not the resource's.
  ///
  /// - Parameters:
  ///   - request: The request, its body decoded.
  ///   - base: The scheme and authority that the addresses of elements begin with.
  ///   - now: The time, as RFC 3339 writes it.
  ///   - elements: The elements of the session.
  /// - Returns: The answer, errors included.
  func answer(
    _ request: HTTPRequest, base: String, now: String, _ elements: inout any ResourceElements
  ) -> HTTPResponse?

  /// Returns the answer to a request for which the sessions together have no room; nil if the path is not the resource's.
  func refusalOfFull(_ request: HTTPRequest, base: String) -> HTTPResponse?
}

/// The elements of a resource in one session: a value that shares with other sessions what was not changed.
package protocol ResourceElements: Sendable {
  /// The elements as a JSON array.
  var json: [UInt8] { get }
  /// The number of elements.
  var count: Int { get }
  /// The number of bytes that this session alone has changed or added.
  var ownSize: Int { get }
}
