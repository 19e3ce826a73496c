/// A status, header fields and a body, as a server sends them.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code.
  public var status: HTTPStatus
  /// The words after the status, where they are not the standard phrase.
  public var reason: String?
  /// The header fields in the order they are sent.
  public var headers: HTTPHeaders
  /// The content, without its chunks.
  public var body: [UInt8]

  /// Makes a response; only the status has no default.
  public init(
    status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}
