/// The method of a request: `GET`, `POST` or any other token (RFC 9110 §9).
///
/// Methods are case-sensitive: `get` is not `GET`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method as written in the request line.
  public let rawValue: String

  /// Creates a method from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a method from its name.
  public init(_ name: String) {
    rawValue = name
  }

  /// Creates a method from a name in which the case of a standard method is ignored.
  package init(ignoringCase name: String) {
    let upper = name.uppercased()
    rawValue = Self.standard.contains { $0.rawValue == upper } ? upper : name
  }

  private static let standard: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .connect, .trace]

  /// Transfers a representation of the target resource.
  public static let get: HTTPMethod = "GET"
  /// Requests the same response as for `GET`, without content.
  public static let head: HTTPMethod = "HEAD"
  /// Requests that the target resource process the content.
  public static let post: HTTPMethod = "POST"
  /// Replaces the target resource with the content.
  public static let put: HTTPMethod = "PUT"
  /// Modifies the target resource according to the content (RFC 5789).
  public static let patch: HTTPMethod = "PATCH"
  /// Removes the target resource.
  public static let delete: HTTPMethod = "DELETE"
  /// Requests the communication options of the target resource.
  public static let options: HTTPMethod = "OPTIONS"
  /// Requests a tunnel.
  public static let connect: HTTPMethod = "CONNECT"
  /// Requests that the server return the received request.
  public static let trace: HTTPMethod = "TRACE"

  /// True if the method is safe, that is, read-only (RFC 9110 §9.2.1).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a method from its name.
  public init(stringLiteral name: String) {
    rawValue = name
  }

  /// The name of the method.
  public var description: String { rawValue }
}
