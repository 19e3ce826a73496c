/// The version of the protocol a message is written in (RFC 9112 §2.3).
public struct HTTPVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number before the point: it decides the syntax.
  public let major: Int
  /// The number after the point: it decides which features the sender understands.
  public let minor: Int

  /// Makes a version of its two numbers.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0 (RFC 1945).
  public static let http10 = HTTPVersion(major: 1, minor: 0)
  /// HTTP/1.1 (RFC 9112).
  public static let http11 = HTTPVersion(major: 1, minor: 1)

  /// The version as it is in a message: `HTTP/1.1`.
  public var description: String { "HTTP/\(major).\(minor)" }

  /// Tells whether `left` is older than `right`.
  public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
