internal import CassetteHTTP
internal import CassetteOpenAPI
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerUpstream
internal import MockServerWire

/// Carrying out the deck's plans: writing their responses to the connection.
extension Responder {
  /// The maximum number of steps on the event loop: more may block it for about a millisecond.
  private static let mostSteps = 250_000
  /// The maximum factor by which decoding expands content: zstd encodes 128 KB in four bytes.
  private static let mostExpansion = 32 << 10
  /// The number of bytes of a request beyond which templates and specifications are evaluated on another thread.
  static let longBody = 16 << 10

  /// Returns a request to be matched on another thread, because that may take long; nil if it is matched at once.
  func pendingMatch(
    _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>, origin: UpstreamOrigin?
  ) -> PendingMatch? {
    let expansion = request.headers.contains("Content-Encoding") ? Self.mostExpansion : 1
    let length = min(request.body.count, ContentDecoder.longest) * expansion
    // Long bodies are checked against a specification outside of the event loop, and slow answers are generated there.
    let isLong = state.specifications.map { request.body.count > Self.longBody || $0.isHeavy } ?? false
    let tables = view.hasStubs ? state.deck.tables(for: request.headers[Self.sessionField] ?? "") : [view.table]
    guard
      isLong || state.configuration.gates.isActive
        || MatchingCost.steps(for: request, bodyLength: length, in: tables) > Self.mostSteps
    else {
      return nil
    }
    return PendingMatch(
      request, form, head, bytes, origin: origin, began: began,
      links: (base(bytes.extracting(head.host?.range ?? 0..<0)), view.table.origins))
  }

  /// Appends the answer to a request that was matched on another thread.
  func conclude(
    _ match: PendingMatch, _ plan: Plan, _ response: PlannedResponse?, into output: inout Output
  ) -> NextAction {
    var form = match.form
    if isStopping { form.persists = false }
    let bytes = match.bytes
    return conclude(
      plan, response, match.request, form, match.head, bytes.span, origin: match.origin, began: match.began, &output)
  }

  /// Appends the answer of a plan, or forwards the request upstream.
  ///
  /// A long response is built on another thread first, and is then passed as `response`.
  func conclude(
    _ plan: Plan, _ response: PlannedResponse?, _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead,
    _ bytes: Span<UInt8>,
    origin: UpstreamOrigin?, began: UInt64? = nil, _ output: inout Output
  ) -> NextAction {
    let extra = began.map { Int(truncatingIfNeeded: self.began &- $0) } ?? 0
    let host = bytes.extracting(head.host?.range ?? 0..<0)
    if response == nil, plan.playback?.isLong(for: request) == true {
      return .matching(
        PendingMatch(
          request, form, head, bytes, origin: origin, began: began ?? self.began, plan: plan,
          links: (base(host), view.table.origins)))
    }
    switch plan {
    case .constant(let playback):
      return play(playback, isConstant: response == nil, response, host, request, form, bytes, extra, &output)
    case .response(let playback):
      return play(playback, isConstant: false, response, host, request, form, bytes, extra, &output)
    case .made(let response, let maker, let number):
      let sent = form.isHead ? 0 : response.contentBytes
      var outcome = Outcome(status: response.status, sent: sent, kind: .derived)
      (outcome.extra, outcome.delay) = (extra, Self.nanoseconds(response.delay))
      switch maker {
      case .methods: outcome.journal = .derived("options")
      case .fault(let words, let approximation):
        outcome.journal = .derived("fault", approximate: approximation?.parts)
        (outcome.kind, outcome.words, outcome.approximation) = (.fault, words, approximation)
        if let approximation { state.note(approximation, in: ring) }
      case .specification(let operation, let breach):
        outcome.journal = .specified(operation)
        (outcome.kind, outcome.words) = (.specified, operation + (breach.map { " (\($0))" } ?? ""))
      }
      note(number, outcome, bytes, request)
      return write(response, form, &output)
    case .miss(let miss):
      if let recorder = state.recorder, let origin {
        return forward(request, to: origin, form, head, bytes, number: miss.number, recorder)
      }
      state.note(miss, in: ring)
      let problem = state.hiding(miss.problem(status: state.configuration.missStatus.code))
      let headers: HTTPHeaders = [("Content-Type", "application/problem+json"), ("Mockserver-Miss", "1")]
      let response = HTTPResponse(status: state.configuration.missStatus, headers: headers, body: problem)
      note(
        miss.number, Outcome(status: response.status, sent: problem.count, kind: .miss, extra: extra), bytes, request)
      return write(response, form, &output)
    }
  }

  /// Appends the response of a recording; the bytes of a constant one are prepared for later requests.
  private func play(
    _ playback: Playback, isConstant: Bool, _ planned: PlannedResponse?, _ host: Span<UInt8>, _ request: HTTPRequest,
    _ form: AnswerForm, _ bytes: Span<UInt8>, _ extra: Int, _ output: inout Output
  ) -> NextAction {
    let base = base(host)
    var outcome = Outcome(kind: .played, extra: extra, playback: playback)
    var response: PlayedResponse
    do throws(CassetteError) {
      if isConstant, form.page == nil,
        let answer = try prepared(playback, base: base, host)?.coded(
          for: request.headers.values(of: "Accept-Encoding"))
      {
        (outcome.status, outcome.sent) = (HTTPStatus(answer.status), answer.bodyLength)
        outcome.journal = Self.played(playback)
        note(playback.request, outcome, bytes, request)
        answer.append(form, date: date, to: &output)
        return form.persists ? .persist : .close
      }
      response =
        if let planned {
          try planned.get()
        } else {
          try state.response(of: playback, to: request, base: base, origins: view.table.origins)
        }
    } catch {
      state.feed.note(.answerBroken(error), "\(error)", in: ring)
      let status: HTTPStatus = error.isPassing ? 503 : 500
      let problem = ControlResponse.problem(status, "\(error)", error.isPassing ? [("Retry-After", "1")] : [])
      (outcome.status, outcome.sent, outcome.kind) = (status, problem.body.count, .broken)
      outcome.journal = Self.played(playback)
      note(playback.request, outcome, bytes, request)
      return write(problem, form, &output)
    }
    outcome.delay = Self.nanoseconds(response.delay)
    (outcome.status, outcome.words) = (response.status, response.failure?.name)
    outcome.sent = form.isHead ? 0 : response.contentBytes
    outcome.journal = Self.played(
      playback, derived: response.failure == nil ? Self.name(of: playback.derivation, response.status) : nil)
    if let approximation = playback.approximation {
      state.note(approximation, in: ring)
      response.headers.append("Mockserver-Approximate", approximation.parts)
    }
    if let breach = playback.breach { response.headers.append(SpecificationAnswer.contractField, breach) }
    note(playback.request, outcome, bytes, request)
    return write(response, form, &output)
  }

  /// Returns the bytes of a constant plan, serialized once per address; nil for a body that is sent from its file.
  private func prepared(
    _ playback: Playback, base: String?, _ host: Span<UInt8>
  ) throws(CassetteError) -> PreparedAnswer? {
    if let known = view.form(of: playback, address: host) as? PreparedAnswer { return known }
    let response = try playback.served(base: base, origins: view.table.origins)
    guard let answer = PreparedAnswer(response, date: date) else { return nil }
    view.keep(answer, bytes: answer.size, of: playback, address: host)
    return answer
  }

  static func played(_ playback: Playback, derived: String? = nil) -> RequestJournal.Outcome {
    let parts = playback.approximation?.parts
    return playback.isOfStub
      ? .stub(playback.recording.interaction.id, derived: derived, approximate: parts)
      : .played(entry: playback.entry, derived: derived, approximate: parts, after: playback.after)
  }

  private static func nanoseconds(_ seconds: Double) -> Int { Int(max(0, min(seconds, 1e9)) * 1e9) }

  /// Writes a response, or delays it.
  private func write(_ response: PlayedResponse, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    guard response.delay > 0 else { return AnswerWriter.append(response, form, date: date, to: &output) }
    var held = Output()
    var undelayed = response
    undelayed.delay = 0
    let nextAction = write(undelayed, form, &held)
    return .stream(
      PieceStream(
        PendingAnswer(after: response.delay) {
          $0.append(contentsOf: &held)
          return nextAction
        }))
  }

  private static func name(of derivation: Derivation?, _ status: HTTPStatus) -> String? {
    switch derivation {
    case .head: "head"
    case .notModified: "304"
    case .range: status == 206 || status == 416 ? "\(status.code)" : nil
    case nil: nil
    }
  }
}
