package import CassetteHTTP
internal import Cassettes

extension Interaction {
  /// Creates a request that is to be shown and not kept: its answer plays no part.
  package init(shown request: HTTPRequest, _ body: [UInt8]? = nil) {
    let body = body ?? request.body
    self.init(
      method: request.method, url: request.target.text, requestHeaders: request.headers,
      requestBody: body.isEmpty ? nil : .storing(body), outcome: .response(RecordedResponse(status: 200)))
  }
}
