internal import CassetteHTTP
internal import CassetteOpenAPI
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// Responds to the requests of one loop by carrying out the deck's plans, the constant ones from prepared bytes.
///
/// It belongs to its loop's thread; the state that loops share is in ``ServerState``.
final class Responder: RequestHandler {
  let state: ServerState
  let ring: EventRing
  /// The kinds of events that have subscribers.
  private var interest: EventFeed.Interest = []
  let admin: ControlAPI?
  /// The loop's view of the deck, with the bytes of constant plans.
  ///
  /// Each loop has its own view, so that requests do not contend for a lock.
  var view: DeckView
  /// True if every exchange is checked against a contract, which raises the processor time of a request from 8 to 22
  /// µs.
  private let isHeld: Bool
  let keepsLinks: Bool
  private let asksRecorder: Bool
  let proxy: ProxySettings?
  /// The maximum number of bytes of constant plans per loop.
  private static let mostPrepared = 64 << 20
  /// The properties of a request that cannot affect its answer if only one recording can answer it.
  private let unremarkable: RequestHead.Notable
  /// The time at the last tick, in nanoseconds since 1970.
  private(set) var now = 0
  /// The time on the monotonic clock at which the current requests were complete.
  private(set) var began: UInt64 = 0
  /// The difference between the wall clock and the monotonic clock.
  private var wallOffset = 0
  private(set) var date: [UInt8] = []
  private var dateSecond = Int.min
  /// The origin of the tunnel that the next requests arrive through, at a proxy.
  var tunnel: UpstreamOrigin?
  /// True while requests at the inspector's port are served.
  var isInspector = false
  /// The last recorded answer of this turn, until the connection loop knows whether its last byte was sent.
  var noted: Noted?
  /// True if the server is stopping, so that every response closes its connection.
  var isStopping = false

  /// The limits on a request.
  private(set) var limits: ParserLimits
  /// True if the limits have changed since the parsers were created.
  var hasNewLimits = false

  init(_ state: ServerState, ring: EventRing) {
    self.state = state
    self.ring = ring
    limits = state.limits
    keepsLinks = state.configuration.keepsLinks
    asksRecorder = state.recorder != nil
    proxy = state.configuration.proxy
    // Requests for another protocol are sent to the origin during recording.
    unremarkable = state.recorder == nil ? [.upgrade, .session] : .session
    admin = state.configuration.admin == .off ? nil : ControlAPI(state)
    view = DeckView(state.deck, limit: Self.mostPrepared)
    isHeld = state.specifications?.holdsRecordings ?? false
    ring.begin(view.table)
    tick(Platform.monotonicNanoseconds())
  }

  func makeParser() -> RequestParser { RequestParser(limits: limits) }

  /// Updates the time, the subscribers' interest and the view of the deck before a batch of requests.
  @inline(__always)
  func tick(_ monotonic: UInt64) {
    began = monotonic
    noted = nil
    now = Int(truncatingIfNeeded: monotonic) &+ wallOffset
    interest = state.feed.interest
    if now / 1_000_000_000 != dateSecond { readDate(monotonic) }
    if view.isOutdated { reload() }
  }

  private func readDate(_ monotonic: UInt64) {
    now = Platform.wallNanoseconds()
    wallOffset = now - Int(truncatingIfNeeded: monotonic)
    dateSecond = now / 1_000_000_000
    date = Array(HTTPDate.format(dateSecond).utf8)
  }

  private func reload() {
    let table = view.table
    view.update()
    if view.table !== table { ring.begin(view.table) }
    hasNewLimits = limits != state.limits
    limits = state.limits
  }

  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction {
    let form = AnswerForm(
      persists: head.persists && !isStopping, saysKeepAlive: head.saysKeepAlive,
      allowsChunks: head.version == .http11)
    if isInspector { return inspect(HTTPRequest(head: head, bytes: bytes, body: body), form, &output) }
    // If only one recording can answer a request, it does so in every session.
    if !isHeld, !state.configuration.gates.isActive, proxy == nil, head.notable.subtracting(unremarkable).isEmpty,
      head.targetForm == .origin,
      let nextAction = replay(head, bytes, body, form, &output)
    {
      return nextAction
    }
    return respondSlowly(head, bytes, body, form, &output)
  }

  /// Handles nearly all requests: only one recording can answer, and its bytes are prepared.
  @inline(__always)
  private func replay(
    _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8], _ form: AnswerForm, _ output: inout Output
  ) -> NextAction? {
    let target = bytes.extracting(head.target.range)
    // With a recorder and subscribers, the complete request is needed to redact secrets.
    guard !asksRecorder || !interest.contains(.answers),
      let (entry, prepared) = view.constant(
        method: bytes.extracting(head.method.range), target: target, hasBody: !body.isEmpty,
        address: bytes.extracting(head.host?.range ?? 0..<0), hasCredentials: { Self.hasCredentials(head, bytes) }),
      !isAdmin(target), var answer = prepared as? PreparedAnswer
    else { return nil }
    if interest.contains(.requests) { note(HTTPRequest(head: head, bytes: bytes, body: body)) }
    if answer.coded != nil {
      answer = answer.coded(
        for: head.values(of: "Accept-Encoding", in: bytes).map {
          String(decoding: Array(bytes.extracting($0.range)), as: UTF8.self)
        })
    }
    let number = state.deck.countRequest()
    view.table.mark(entry, by: number)
    answer.append(form, date: date, to: &output)
    note(answer, entry, number, head, bytes, body)
    return form.persists ? .persist : .close
  }

  private static func hasCredentials(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
    head.fields.contains { CredentialField.isNamed(bytes, $0.name.range) }
  }

  func isAdmin(_ target: Span<UInt8>) -> Bool {
    guard admin != nil else { return false }
    let prefix: StaticString = "/__mock/"
    return prefix.withUTF8Buffer { prefix in
      guard target.count >= prefix.count else { return false }
      for index in prefix.indices where target[index] != prefix[index] { return false }
      return true
    }
  }

  /// Returns the base URL for rewritten links: the address that the client used; nil keeps the links.
  func base(_ host: Span<UInt8>) -> String? {
    if keepsLinks || proxy != nil { return nil }
    return host.count == 0 ? state.url : "\(state.scheme)://\(String(decoding: Array(host), as: UTF8.self))"
  }

  private func respondSlowly(
    _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8], _ form: AnswerForm, _ output: inout Output
  ) -> NextAction {
    var form = form
    var request = HTTPRequest(head: head, bytes: bytes, body: body)
    form.isHead = request.method == .head
    var origin = state.recorder?.settings.upstream
    if let proxy {
      switch ProxyRequest(request, through: tunnel, proxy, own: state.address) {
      case .exchange(let asked, let named): (request, origin) = (asked, named)
      case .tunnel(let named):
        guard proxy.authority != nil || named.port != 443 else { return refuseTunnel(named, proxy, form, &output) }
        output.append("HTTP/1.1 200 Connection Established\r\n\r\n")
        return .tunnel(named)
      case .own: return answerAsProxy(request, form, &output)
      case .refused(let status, let words):
        state.noteHandshake("refused: \(Printable.escaped(words))")
        return write(ControlResponse.problem(status, words), form, &output)
      }
    } else if request.method == .connect {
      let error = ParseError(
        status: 501, message: "this server is not a proxy and does not open tunnels", section: "RFC 9110 §9.3.6",
        offset: 0)
      refuse(error, isHead: false, into: &output)
      return .close
    }
    if let admin, proxy == nil, request.target.path.withUTF8Span(isAdmin) {
      return control(request, admin, form, &output)
    }
    // At a proxy the origin itself grants CORS permissions.
    if head.notable.contains(.origin), proxy == nil { form.page = state.configuration.cors.grant(for: request) }
    if interest.contains(.requests) { note(request) }
    if let preflight = form.page?.preflight { return answer(preflight, request, form, bytes, &output) }
    if head.notable.contains(.upgrade), form.allowsChunks, let recorder = state.recorder, let origin,
      let upgrade = request.upgrade
    {
      let number = state.deck.countRequest()
      return forward(request, to: origin, form, head, bytes, number: number, recorder, upgrade: upgrade)
    }
    // Stubs written in code also answer while all other requests are recorded again.
    if let recorder = state.recorder, recorder.settings.mode == .record, let origin, state.configuration.made.isEmpty,
      !view.hasStubs
    {
      return forward(request, to: origin, form, head, bytes, number: state.deck.countRequest(), recorder)
    }
    if let match = pendingMatch(request, form, head, bytes, origin: origin) { return .matching(match) }
    return conclude(state.plan(for: request), nil, request, form, head, bytes, origin: origin, &output)
  }

  /// The nanoseconds since the current requests were complete.
  var elapsed: Int { Int(truncatingIfNeeded: Platform.monotonicNanoseconds() &- began) }

  /// True if answers have subscribers.
  var tellsOfAnswers: Bool { interest.contains(.answers) }

  // MARK: Forwarding requests upstream instead of playing recordings

  /// Forwards a request upstream; the response arrives later.
  func forward(
    _ request: HTTPRequest, to origin: UpstreamOrigin, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>,
    number: UInt64, _ recorder: Recorder, upgrade: String? = nil
  ) -> NextAction {
    let host = bytes.extracting(head.host?.range ?? 0..<0)
    let base = host.count == 0 ? state.url : "\(state.scheme)://\(String(decoding: Array(host), as: UTF8.self))"
    let settings = recorder.settings
    let outgoing = settings.proxies.proxy(for: origin)
    let message = UpstreamRequest(
      request, to: origin, base: proxy == nil ? base : origin.description,
      path: origin == settings.upstream ? settings.path : "", proxy: upgrade == nil ? outgoing : nil,
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
        proxy: outgoing, upgrades: upgrade != nil, began: began))
  }

  /// Reports the outcome of a request that went upstream.
  func note(
    _ proxied: ProxiedRequest, status: HTTPStatus, sent: Int, _ kind: MockServerEvent.Answer.Outcome,
    _ words: String? = nil
  ) {
    let outcome = Outcome(
      status: status, sent: sent, journal: .recorded, kind: kind, words: words,
      extra: Int(truncatingIfNeeded: began &- proxied.began), isDisconnected: proxied.client == nil,
      origin: proxied.origin)
    let head = proxied.head
    note(proxied.number, outcome, head.span, proxied.message.recorded)
  }

  // MARK: Requests to the proxy itself

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

  // MARK: Responses of the server itself, including those to invalid requests

  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output) {
    let text = Array("\(error)\n".utf8)
    let response = HTTPResponse(
      status: error.status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: text)
    _ = write(response, AnswerForm(persists: false, isHead: isHead), &output)
    var note = EventRing.Note()
    (note.number, note.at, note.nanoseconds) = (state.deck.countRequest(), now, elapsed)
    (note.status, note.sent) = (Int32(truncatingIfNeeded: error.status.code), text.count)
    let none = [UInt8]()
    keep(note, .refused("\(error)"), none.span, none)
    if tellsOfAnswers { state.feed.note(.refused(error.status), "refused \(error.status.code) \(error)", in: ring) }
  }

  /// Responds to a CORS preflight, without using a recording.
  func answer(
    _ preflight: HTTPResponse, _ request: HTTPRequest, _ form: AnswerForm, _ bytes: Span<UInt8>,
    _ output: inout Output
  ) -> NextAction {
    note(
      state.deck.countRequest(), Outcome(status: preflight.status, journal: .derived("preflight"), kind: .derived),
      bytes, request)
    return write(preflight, form, &output)
  }

  /// Appends a response of the server itself.
  func write(_ response: HTTPResponse, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    AnswerWriter.append(PlayedResponse(response), form, date: date, to: &output)
  }

  // MARK: Responses of the control API, some of which are not available at once

  /// Responds at the inspector's port, which has no recordings: a recorded page there would have the inspector's origin.
  private func inspect(_ request: HTTPRequest, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    if var admin, request.target.path.withUTF8Span(isAdmin) {
      admin.atInspector = true
      var form = form
      form.isHead = request.method == .head
      return control(request, admin, form, &output)
    }
    let words = "this port serves only the inspector, at /__mock/; recordings are at \(state.url)"
    return write(ControlResponse.problem(404, words), form, &output)
  }

  /// Appends the response of the control API to a request, or waits for it.
  func control(_ request: HTTPRequest, _ api: ControlAPI, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    switch api.respond(to: request) {
    case .response(let response): return write(response, form, &output)
    case .pending(let pending):
      if let head = pending.head {
        // The length is unknown: chunks, or closing the connection, frame the content (RFC 9112 §6.3).
        let played = PlayedResponse(
          status: head.status, reason: nil, headers: head.headers, body: .pieces([], breaksOff: false))
        var bytes = AnswerWriter.headWithoutFraming(played, date: date)
        if form.allowsChunks { ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &bytes) }
        output.append(bytes + AnswerWriter.connectionClose + AnswerWriter.lineEnd)
        if form.isHead { return .close }
      }
      return .stream(
        PieceStream(PendingAnswer(every: pending.interval) { self.proceed(pending, form, &$0) }))
    }
  }

  private func proceed(_ pending: ControlPending, _ form: AnswerForm, _ output: inout Output) -> NextAction? {
    var isOver = isStopping
    switch pending.next(at: isStopping ? .max : Platform.monotonicNanoseconds()) {
    case .response(let response): return write(response, form, &output)
    case .waits: break
    case .part(let bytes): output.append(bytes, asChunk: form.allowsChunks)
    case .ends: isOver = true
    }
    guard isOver else { return nil }
    if form.allowsChunks, pending.head != nil { output.appendLastChunk() }
    return .close
  }
}
