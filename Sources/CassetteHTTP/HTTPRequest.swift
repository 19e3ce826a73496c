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

  /// Decodes a head, found at the first of some bytes, into strings: the slow path, for those who ask for one.
  package init(head: RequestHead, bytes: Span<UInt8>, body: [UInt8]) {
    method = HTTPMethod(ByteText.string(bytes, head.method.range))
    target = HTTPTarget(parsed: bytes, in: head.target.range)
    version = head.version
    headers = HTTPHeaders()
    headers.reserveCapacity(head.fields.count)
    for field in head.fields {
      headers.append(HTTPHeaders.Field(bytes, name: field.name.range, value: field.value.range))
    }
    self.body = body
  }
}
