/// The method of a request (RFC 9110 §9): one of the registered ones, or any other token, written as a literal.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The method's name as it is sent; case matters.
  public let rawValue: String

  /// Creates a method of a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a method of a literal, such as `"PROPFIND"`.
  public init(stringLiteral value: String) { rawValue = value }

  /// Asks for a representation.
  public static let get: HTTPMethod = "GET"
  /// Asks for the header fields of a representation.
  public static let head: HTTPMethod = "HEAD"
  /// Hands over content to be processed.
  public static let post: HTTPMethod = "POST"
  /// Replaces a representation.
  public static let put: HTTPMethod = "PUT"
  /// Changes a part of a representation.
  public static let patch: HTTPMethod = "PATCH"
  /// Removes a representation.
  public static let delete: HTTPMethod = "DELETE"
  /// Asks which methods are possible.
  public static let options: HTTPMethod = "OPTIONS"
  /// Asks for the request as it arrived.
  public static let trace: HTTPMethod = "TRACE"

  /// The method's name.
  public var description: String { rawValue }

  /// Tells whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool { [.get, .head, .put, .delete, .options, .trace].contains(self) }
}
