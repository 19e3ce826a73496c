/// A response with its status, header fields and body.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code.
  public var status: HTTPStatus
  /// The reason phrase; nil for the standard phrase.
  public var reason: String?
  /// The header fields in the order in which they are sent.
  public var headers: HTTPHeaders
  /// The content without chunk framing.
  public var body: [UInt8]

  /// Creates a response.
  ///
  /// All parameters except the status have defaults.
  public init(
    status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}
