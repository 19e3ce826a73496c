internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSpecification
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerEvents
internal import MockServerSockets
internal import MockServerUpstream

/// Answers the requests of one loop: from prepared bytes where it can, by asking the deck where it must.
///
/// It belongs to its loop's thread; what it shares with other loops is in ``ServerState``.
final class Responder: RequestHandler {
  let state: ServerState
  private let journal: RequestJournal
  let ring: EventRing
  /// The kinds of events that somebody listens to.
  private var interest: EventFeed.Interest = []
  let admin: ControlAPI?
  private(set) var table: RecordingTable
  private var generation: Int
  private var prepared: PreparedAnswers
  /// The verdicts of a contract on the recordings, where they are held to one.
  var verdicts: ContractVerdicts
  let contract: SpecificationSet?
  private var contractGeneration = 0
  /// The number of the table, for the journal.
  private(set) var tableNumber: Int
  /// True if there are faults or stubs beside the recordings: then no answer is settled.
  private var isOverlaid: Bool
  private var hasStubs: Bool
  let keepsLinks: Bool
  private let asksRecorder: Bool
  let proxy: ProxySettings?
  /// The properties of a request that do not affect a settled answer.
  private let unremarkable: RequestHead.Notable
  /// The time at the last tick, in nanoseconds since 1970.
  private(set) var now = 0
  /// The time on the monotonic clock at which the requests at hand were complete.
  private(set) var began: UInt64 = 0
  /// The difference between the wall clock and the monotonic one.
  private var wallOffset = 0
  private(set) var date: [UInt8] = []
  private var dateSecond = Int.min
  /// The origin of the tunnel that the next requests come through, at a proxy.
  var tunnel: UpstreamOrigin?
  /// True if the server is stopping: every answer ends its connection.
  var isStopping = false

  /// The limits on a request.
  private(set) var limits: ParserLimits
  /// True if the limits are others than those of parsers made before.
  var hasNewLimits = false

  init(_ state: ServerState, journal: RequestJournal) {
    self.state = state
    self.journal = journal
    limits = state.limits
    ring = state.feed.makeRing()
    keepsLinks = state.configuration.keepsLinks
    asksRecorder = state.recorder != nil
    proxy = state.configuration.proxy
    // Requests for another protocol are sent to the origin during recording.
    unremarkable = state.recorder == nil ? [.upgrade, .session] : .session
    admin = state.configuration.admin == .off ? nil : ControlAPI(state)
    generation = state.deck.generation.value
    table = state.deck.table
    prepared = PreparedAnswers(count: table.entries.count)
    contract = state.specifications.flatMap { $0.holdsRecordings ? $0 : nil }
    contractGeneration = contract?.generation ?? 0
    verdicts = ContractVerdicts(count: contract == nil ? 0 : table.entries.count)
    tableNumber = state.deck.tableNumber
    hasStubs = state.deck.hasStubs
    isOverlaid = hasStubs || state.deck.hasFaults
    ring.begin(table)
    tick(Platform.monotonicNanoseconds())
  }

  func makeParser() -> RequestParser { RequestParser(limits: limits) }

  /// Looks at the clock and at whether other cassettes were loaded, before a batch of requests.
  @inline(__always)
  func tick(_ monotonic: UInt64) {
    began = monotonic
    now = Int(truncatingIfNeeded: monotonic) &+ wallOffset
    interest = state.feed.interest
    if now / 1_000_000_000 != dateSecond { readDate(monotonic) }
    if state.deck.generation.value != generation { reload() }
    if let contract, contract.generation != contractGeneration { reload(contract) }
  }

  private func readDate(_ monotonic: UInt64) {
    now = Platform.wallNanoseconds()
    wallOffset = now - Int(truncatingIfNeeded: monotonic)
    dateSecond = now / 1_000_000_000
    date = Array(HTTPDate.format(dateSecond).utf8)
  }

  private func reload() {
    generation = state.deck.generation.value
    hasStubs = state.deck.hasStubs
    isOverlaid = hasStubs || state.deck.hasFaults
    if state.deck.table !== table {
      tableNumber = state.deck.tableNumber
      table = state.deck.table
      ring.begin(table)
      prepared = PreparedAnswers(count: table.entries.count)
      verdicts = ContractVerdicts(count: contract == nil ? 0 : table.entries.count)
    }
    hasNewLimits = limits != state.limits
    limits = state.limits
  }

  private func reload(_ contract: SpecificationSet) {
    contractGeneration = contract.generation
    prepared = PreparedAnswers(count: table.entries.count)
    verdicts = ContractVerdicts(count: table.entries.count)
  }

  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction {
    let form = AnswerForm(
      persists: head.persists && !isStopping, saysKeepAlive: head.saysKeepAlive,
      allowsChunks: head.version == .http11)
    // What is settled is so in every session.
    if !isOverlaid, !state.configuration.gates.isActive, proxy == nil, head.notable.subtracting(unremarkable).isEmpty,
      head.targetForm == .origin,
      let nextAction = replay(head, bytes, body, form, &output)
    {
      return nextAction
    }
    return respondSlowly(head, bytes, body, form, &output)
  }

  /// The way of nearly every request: the recording is settled and its answer prepared.
  @inline(__always)
  private func replay(
    _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8], _ form: AnswerForm, _ output: inout Output
  ) -> NextAction? {
    let method = bytes.extracting(head.method.range)
    let target = bytes.extracting(head.target.range)
    // What a recorder knows of secrets is asked with the whole request.
    guard !asksRecorder || !interest.contains(.answers),
      let entry = table.settled(method: method, target: target, hasCredentials: { Self.hasCredentials(head, bytes) }),
      !isAdmin(target)
    else { return nil }
    if let contract {
      let before = verdicts.latest(entry)?.breach
      guard let verdict = verdict(entry, head, bytes, body, contract), !verdict.isRefused else { return nil }
      if verdict.breach != before { prepared.forget(entry) }
    }
    let host = bytes.extracting(head.host?.range ?? 0..<0)
    guard let answer = prepared(entry, host: host) else { return nil }
    if interest.contains(.requests) { note(HTTPRequest(head: head, bytes: bytes, body: body)) }
    if answer.coded != nil { return replayCoded(entry, answer, head, bytes, body, form, &output) }
    return send(answer, entry, head, bytes, body, form, &output)
  }

  @inline(__always)
  func send(
    _ answer: PreparedAnswer, _ entry: Int, _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8],
    _ form: AnswerForm, _ output: inout Output
  ) -> NextAction {
    let number = state.deck.countRequest()
    table.mark(entry, by: number)
    answer.append(form, date: date, to: &output)
    let nanoseconds = elapsed
    journal.note(
      number: number, at: now, nanoseconds: nanoseconds, status: answer.status, sent: answer.bodyLength,
      outcome: .played(entry: entry, derived: nil), table: tableNumber, head: bytes, body: body)
    if tellsOfAnswers { note(answer, entry, number, nanoseconds, head, bytes) }
    return form.persists ? .persist : .close
  }

  private static func hasCredentials(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
    head.fields.contains { CredentialField.isNamed(bytes, $0.name.range) }
  }

  /// The bytes of a recording's answer, made once; nil when it has to be made anew each time.
  @inline(__always)
  func prepared(_ entry: Int, host: Span<UInt8>) -> PreparedAnswer? {
    prepared.answer(entry, host: host) ?? (prepared.refused.contains(entry) ? nil : prepare(entry, host: host))
  }

  /// Makes the bytes of a recording's answer; nil when it has to be made anew each time, or cannot be made.
  private func prepare(_ entry: Int, host: Span<UInt8>) -> PreparedAnswer? {
    let interaction = table.entries[entry].interaction
    // A HEAD has no body to send.
    guard interaction.method != .head, let response = interaction.response,
      var played = try? PlannedResponse.plain(
        response, base: base(host), origins: table.origins, isHead: false, table.standIns(of: entry))
    else { return nil }
    if let breach = verdicts.latest(entry)?.breach {
      played.headers.append(SpecificationAnswer.contractField, breach)
    }
    guard let answer = PreparedAnswer(played, date: date) else {
      prepared.refused.insert(entry)
      return nil
    }
    prepared.keep(answer, for: entry, host: host)
    return answer
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

  /// The address links are to lead to: the one the client used.
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
        status: 501, message: "this server is no proxy: it opens no tunnels", section: "RFC 9110 §9.3.6", offset: 0)
      refuse(error, isHead: false, into: &output)
      return .close
    }
    if let admin, proxy == nil, request.target.path.withUTF8Span(isAdmin) {
      return control(request, admin, form, &output)
    }
    // A proxy's client asks the origin itself: what its pages may do is between the two.
    if head.notable.contains(.origin), proxy == nil { form.page = state.configuration.cors.grant(for: request) }
    if interest.contains(.requests) { note(request) }
    if let preflight = form.page?.preflight { return answer(preflight, request, form, bytes, &output) }
    if head.notable.contains(.upgrade), form.allowsChunks, let recorder = state.recorder, let origin,
      let upgrade = request.upgrade
    {
      let number = state.deck.countRequest()
      return forward(request, to: origin, form, head, bytes, number: number, recorder, upgrade: upgrade)
    }
    // What was made in code is played also where all else is asked anew.
    if let recorder = state.recorder, recorder.settings.mode == .record, let origin, state.configuration.made.isEmpty,
      !hasStubs
    {
      return forward(request, to: origin, form, head, bytes, number: state.deck.countRequest(), recorder)
    }
    if let match = pendingMatch(request, form, head, bytes, origin: origin) { return .matching(match) }
    return conclude(state.answer(to: request), request, form, head, bytes, origin: origin, &output)
  }

  /// Keeps the outcome of a request in the journal.
  func journal(
    _ number: UInt64, _ nanoseconds: Int, _ status: HTTPStatus, _ sent: Int, _ outcome: RequestJournal.Outcome,
    _ bytes: Span<UInt8>, _ body: [UInt8]
  ) {
    journal.note(
      number: number, at: now, nanoseconds: nanoseconds, status: status.code, sent: sent, outcome: outcome,
      table: tableNumber, head: bytes, body: body)
  }

  /// Nanoseconds since the requests at hand were complete.
  var elapsed: Int { Int(truncatingIfNeeded: Platform.monotonicNanoseconds() &- began) }

  /// True if somebody listens to answers.
  var tellsOfAnswers: Bool { interest.contains(.answers) }
}
