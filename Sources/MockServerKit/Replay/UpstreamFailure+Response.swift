internal import CassetteHTTP
internal import MockServerControl
internal import MockServerUpstream

extension UpstreamFailure {
  /// Returns the response that reports the failure to the client.
  func response(from origin: UpstreamOrigin) -> HTTPResponse {
    var response = ControlResponse.problem(status, "\(origin) gave no answer: \(message)")
    response.headers.append("Mockserver-Upstream", "failed")
    return response
  }
}
