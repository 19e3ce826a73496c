/// The method of a request: `GET`, `POST` or any other token (RFC 9110 §9).
///
/// Methods are case-sensitive: `get` is not `GET`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method as it is in the request line.
  public let rawValue: String

  /// Makes a method of its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a method of its name.
  public init(_ name: String) {
    rawValue = name
  }

  /// Transfers a representation of the target.
  public static let get: HTTPMethod = "GET"
  /// Asks for the answer to `GET`, without its content.
  public static let head: HTTPMethod = "HEAD"
  /// Lets the target process the content.
  public static let post: HTTPMethod = "POST"
  /// Replaces the target with the content.
  public static let put: HTTPMethod = "PUT"
  /// Changes the target as the content says (RFC 5789).
  public static let patch: HTTPMethod = "PATCH"
  /// Removes the target.
  public static let delete: HTTPMethod = "DELETE"
  /// Asks how the target may be used.
  public static let options: HTTPMethod = "OPTIONS"
  /// Asks for a tunnel.
  public static let connect: HTTPMethod = "CONNECT"
  /// Asks for the request to be sent back.
  public static let trace: HTTPMethod = "TRACE"

  /// True if the method only reads (RFC 9110 §9.2.1).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a method of its name.
  public init(stringLiteral name: String) {
    rawValue = name
  }

  /// The name of the method.
  public var description: String { rawValue }
}
