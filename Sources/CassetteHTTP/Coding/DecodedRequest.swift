extension HTTPRequest {
  /// The request with its content decoded; nil if it has no content coding, or one that cannot be decoded
  /// (RFC 9110 §8.4).
  ///
  /// Also nil if the decoded size exceeds 64 MB. Decoding is required for finding secrets and displaying differences.
  package var contentDecoded: HTTPRequest? { contentDecoded(mostElements: .max) }

  /// The same, with only the beginning of the content if it has more than `mostElements` elements.
  ///
  /// Decoding then stops, so that time and memory follow the size of the encoded content.
  package func contentDecoded(mostElements: Int) -> HTTPRequest? {
    guard !body.isEmpty, headers.contains("Content-Encoding"), let decoder = ContentDecoder(headers) else { return nil }
    var content: [UInt8] = []
    var (checked, isCut) = (0, false)
    do throws(ContentDecoder.Failure) {
      try decoder.decode(body, limit: ContentDecoder.longest) { part in
        content += part
        // Checking only after each doubling keeps the time linear.
        guard content.count > 2 * checked else { return true }
        (checked, isCut) = (content.count, BodyElements.exceed(mostElements, in: content))
        return !isCut
      }
    } catch {
      guard isCut else { return nil }
    }
    guard isCut || decoder.isComplete else { return nil }
    var request = self
    request.body = content
    request.headers.remove("Content-Encoding")
    return request
  }
}
