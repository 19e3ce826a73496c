package import CassetteHTTP
internal import Cassettes

extension Interaction {
  /// Creates a request that is to be shown and not kept: its answer plays no part.
  package init(shown request: HTTPRequest, _ body: [UInt8]? = nil) {
    var request = request
    if let body { request.body = body }
    // Coded, its secrets would be found only where it says itself how it is coded.
    request = request.contentDecoded ?? request
    self.init(
      method: request.method, url: request.target.text, requestHeaders: request.headers,
      requestBody: request.body.isEmpty ? nil : .storing(request.body),
      outcome: .response(RecordedResponse(status: 200)))
  }
}
