extension HTTPRequest {
  /// The request with its content decoded; nil if it has no content coding, or one that cannot be decoded
  /// (RFC 9110 §8.4).
  ///
  /// Also nil if the decoded size exceeds 64 MB. Decoding is required for finding secrets and displaying differences.
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
