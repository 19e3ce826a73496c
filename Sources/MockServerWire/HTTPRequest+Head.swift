package import CassetteHTTP

extension HTTPRequest {
  /// Decodes a head, found at the first of some bytes, into strings: the slow path, for those who ask for one.
  package init(head: RequestHead, bytes: Span<UInt8>, body: [UInt8]) {
    var headers = HTTPHeaders()
    headers.reserveCapacity(head.fields.count)
    for field in head.fields {
      headers.append(HTTPHeaders.Field(bytes, name: field.name.range, value: field.value.range))
    }
    self.init(
      method: HTTPMethod(ByteText.string(bytes, head.method.range)),
      target: HTTPTarget(parsed: bytes, in: head.target.range), version: head.version, headers: headers, body: body)
  }
}
