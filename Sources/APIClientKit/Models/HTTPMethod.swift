/// The method of a request (RFC 9110 §9), which is a constant of this type or a literal with another token.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The case-sensitive name of the method.
  public let rawValue: String

  /// Creates a method from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a method from a literal such as `"PROPFIND"`.
  public init(stringLiteral value: String) { rawValue = value }

  /// Retrieves a resource.
  public static let get: HTTPMethod = "GET"
  /// Retrieves only the header fields of a resource.
  public static let head: HTTPMethod = "HEAD"
  /// Submits content for processing.
  public static let post: HTTPMethod = "POST"
  /// Replaces a resource.
  public static let put: HTTPMethod = "PUT"
  /// Modifies a resource.
  public static let patch: HTTPMethod = "PATCH"
  /// Removes a resource.
  public static let delete: HTTPMethod = "DELETE"
  /// Retrieves the supported methods.
  public static let options: HTTPMethod = "OPTIONS"
  /// Retrieves the request as the server received it.
  public static let trace: HTTPMethod = "TRACE"

  /// The name of the method.
  public var description: String { rawValue }

  /// True if sending a request twice has the same effect as sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool { [.get, .head, .put, .delete, .options, .trace].contains(self) }
}
