/// A request with its method, target, header fields and body.
public struct HTTPRequest: Hashable, Sendable {
  /// The method of the request.
  public var method: HTTPMethod
  /// The target of the request.
  public var target: HTTPTarget
  /// The HTTP version of the client.
  public var version: HTTPVersion
  /// The header fields in the order received.
  public var headers: HTTPHeaders
  /// The content without chunk framing.
  public var body: [UInt8]

  /// Creates a request.
  ///
  /// All parameters except the target have defaults.
  public init(
    method: HTTPMethod = .get, target: HTTPTarget, version: HTTPVersion = .http11, headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.body = body
  }
}
