extension HTTPRequest {
  /// The request without its content codings; nil where there is none, or one that cannot be undone (RFC 9110 §8.4).
  ///
  /// Content that decodes to more than 64 MB stays coded, too. In coded content no secret would be found and no
  /// difference be read.
  package var contentDecoded: HTTPRequest? {
    guard !body.isEmpty, headers.contains("Content-Encoding"), let decoder = ContentDecoder(headers),
      let content = try? decoder.decode(body, limit: ContentDecoder.longest), decoder.isComplete
    else { return nil }
    var request = self
    request.body = content
    request.headers.remove("Content-Encoding")
    return request
  }
}
