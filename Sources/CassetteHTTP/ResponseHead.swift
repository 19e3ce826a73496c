import CassetteSystem

/// The status line and header fields of a received response (RFC 9112 §4).
public struct ResponseHead: Hashable, Sendable {
  /// The version in the status line: 1.0, or 1.1 for HTTP/1.1 and any later minor version.
  public var version: HTTPVersion
  /// The status code.
  public var status: HTTPStatus
  /// The reason phrase, which may be empty.
  public var reason: String
  /// The header fields in the order received.
  public var headers: HTTPHeaders
  /// True if the reason phrase was not valid UTF-8 and was decoded as ISO-8859-1, like field values (RFC 9110 §5.5).
  package var isReasonLatin1 = false

  /// Creates a head.
  ///
  /// All parameters except the status have defaults.
  public init(
    version: HTTPVersion = .http11, status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders()
  ) {
    self.version = version
    self.status = status
    self.reason = reason ?? status.standardPhrase ?? ""
    self.headers = headers
  }
}

extension ResponseHead {
  /// The method for finding the end of a response's body (RFC 9112 §6.3).
  public enum BodyFraming: Hashable, Sendable {
    /// The response has no body, regardless of its fields.
    case none
    /// The body has the length given in `Content-Length`.
    case length(Int)
    /// The body is chunked, and ends after the last chunk and the trailer section.
    case chunked
    /// The body ends when the connection is closed.
    case untilClose
  }
}
