import CassetteSystem

/// The status line and header fields of a response, as an origin sent them (RFC 9112 §4).
public struct ResponseHead: Hashable, Sendable {
  /// The version of the status line: 1.0, or 1.1 for that and any later minor version.
  public var version: HTTPVersion
  /// The status code.
  public var status: HTTPStatus
  /// The words after the status, empty when there are none.
  public var reason: String
  /// The header fields in the order they arrived.
  public var headers: HTTPHeaders
  /// True if the reason was no UTF-8 and is read as ISO-8859-1, as fields are (RFC 9110 §5.5).
  package var isReasonLatin1 = false

  /// Makes a head; only the status has no default.
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
  /// The way to find the end of a response's body (RFC 9112 §6.3).
  public enum BodyFraming: Hashable, Sendable {
    /// There is no body, whatever the fields say.
    case none
    /// As many bytes as `Content-Length` says.
    case length(Int)
    /// Chunks, up to the one of size zero and the trailer section.
    case chunked
    /// Everything until the connection ends.
    case untilClose
  }
}
