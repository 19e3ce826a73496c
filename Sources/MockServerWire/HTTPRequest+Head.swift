package import CassetteHTTP

extension HTTPRequest {
  /// Decodes the strings of a parsed head, a slow operation for callers that need an `HTTPRequest`.
  ///
  /// - Parameters:
  ///   - head: The parsed head.
  ///   - bytes: The bytes that the head's offsets refer to.
  ///   - body: The body of the request.
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
