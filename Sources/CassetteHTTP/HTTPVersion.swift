/// The HTTP version of a message (RFC 9112 §2.3).
public struct HTTPVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The major version, which determines the message syntax.
  public let major: Int
  /// The minor version, which indicates the capabilities of the sender.
  public let minor: Int

  /// Creates a version from its numbers.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0 (RFC 1945).
  public static let http10 = HTTPVersion(major: 1, minor: 0)
  /// HTTP/1.1 (RFC 9112).
  public static let http11 = HTTPVersion(major: 1, minor: 1)

  /// The version as written in a message, such as `HTTP/1.1`.
  public var description: String { "HTTP/\(major).\(minor)" }

  /// Returns true if `left` is older than `right`.
  public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
