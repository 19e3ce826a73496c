/// A method, a target, header fields and a body, as a client sends them.
public struct HTTPRequest: Hashable, Sendable {
  /// The method of the request.
  public var method: HTTPMethod
  /// The target of the request.
  public var target: HTTPTarget
  /// The version the client speaks.
  public var version: HTTPVersion
  /// The header fields in the order they arrived.
  public var headers: HTTPHeaders
  /// The content, without its chunks.
  public var body: [UInt8]

  /// Makes a request; only the target has no default.
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
