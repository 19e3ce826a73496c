internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerControl
internal import MockServerUpstream

/// Requests to the proxy itself.
extension Responder {
  /// Responds to a request that is addressed to the proxy itself.
  func answerAsProxy(_ request: HTTPRequest, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    if let admin, request.target.path.withUTF8Span(isAdmin) { return control(request, admin, form, &output) }
    let words =
      "this is a forward proxy; type HTTP_PROXY=\(state.url) HTTPS_PROXY=\(state.url) before your command, or "
      + "curl --proxy \(state.url) URL"
    return write(ControlResponse.problem(400, words), form, &output)
  }

  func refuseTunnel(
    _ origin: UpstreamOrigin, _ proxy: ProxySettings, _ form: AnswerForm, _ output: inout Output
  ) -> NextAction {
    state.noteHandshake("a client requested \(origin) through this proxy: \(proxy.lack)")
    return write(ControlResponse.problem(501, "https through this proxy is not possible: \(proxy.lack)"), form, &output)
  }
}
