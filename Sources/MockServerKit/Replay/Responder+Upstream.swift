internal import CassetteHTTP
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// Forwarding requests upstream instead of playing recordings.
extension Responder {
  /// Forwards a request upstream; the response arrives later.
  func forward(
    _ request: HTTPRequest, to origin: UpstreamOrigin, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>,
    number: UInt64, _ recorder: Recorder, upgrade: String? = nil
  ) -> NextAction {
    let host = bytes.extracting(head.host?.range ?? 0..<0)
    let base = host.count == 0 ? state.url : "\(state.scheme)://\(String(decoding: Array(host), as: UTF8.self))"
    let settings = recorder.settings
    let proxy = settings.proxies.proxy(for: origin)
    let message = UpstreamRequest(
      request, to: origin, base: proxy == nil ? base : origin.description,
      path: origin == settings.upstream ? settings.path : "", proxy: upgrade == nil ? proxy : nil,
      upgrades: upgrade != nil)
    // A proxy's client uses the origin's own name, so links are not rewritten.
    let links = keepsLinks || proxy != nil ? nil : (origins: recorder.origins, base: base)
    if let credentials = request.headers["Proxy-Authorization"] {
      recorder.learn(HTTPHeaders.Field(name: "Proxy-Authorization", value: credentials))
    }
    let token = recorder.begin(message.recorded, to: origin)
    if let upgrade { recorder.passThrough(token, upgrade, to: origin) }
    var relay = Relay(form, links: links, began: Platform.monotonicNanoseconds()) { RecordedLongBody(recorder, token) }
    relay.capture.keepsOpaque = settings.redaction.keepsOpaque
    relay.capture.followsPaths = settings.redaction.hasPaths
    return .upstream(
      ProxiedRequest(
        head: Array(bytes), number: number, to: origin, form: form, message: message, token: token, relay: relay,
        proxy: proxy, upgrades: upgrade != nil, began: began))
  }

  /// Reports the outcome of a request that went upstream.
  func note(
    _ proxied: ProxiedRequest, status: HTTPStatus, sent: Int, _ kind: MockServerEvent.Answer.Outcome,
    _ words: String? = nil
  ) {
    let outcome = Outcome(
      status: status, sent: sent, journal: .recorded, kind: kind, words: words,
      extra: Int(truncatingIfNeeded: began &- proxied.began), origin: proxied.origin)
    let head = proxied.head
    note(proxied.number, outcome, head.span, proxied.message.recorded)
  }
}
