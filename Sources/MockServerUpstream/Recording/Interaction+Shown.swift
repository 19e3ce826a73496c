package import CassetteHTTP
internal import Cassettes

extension Interaction {
  /// Creates an interaction for a request that is displayed and not kept.
  ///
  /// Its response is a placeholder.
  package init(shown request: HTTPRequest, _ body: [UInt8]? = nil) {
    var request = request
    if let body { request.body = body }
    // Secrets in an encoded body could be found only if the request names the coding.
    request = request.contentDecoded ?? request
    self.init(
      method: request.method, url: request.target.text, requestHeaders: request.headers,
      requestBody: request.body.isEmpty ? nil : .storing(request.body),
      outcome: .response(RecordedResponse(status: 200)))
  }
}
