internal import CassetteHTTP
internal import MockServerControl
internal import MockServerUpstream

extension UpstreamFailure {
  /// The answer in its place.
  func response(from origin: UpstreamOrigin) -> HTTPResponse {
    var response = ControlResponse.problem(status, "\(origin) gave no answer: \(message)")
    response.headers.append("Mockserver-Upstream", "failed")
    return response
  }
}
