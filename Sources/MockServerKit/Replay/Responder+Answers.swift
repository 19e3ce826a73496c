internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSpecification
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerEvents
internal import MockServerUpstream

/// Turning the deck's answers into bytes on the wire.
extension Responder {
  /// The most steps on the loop itself: more may hold it up for about a millisecond.
  private static let mostSteps = 250_000
  /// The most that decoding may multiply the length of content: zstd says 128 KB in four bytes.
  private static let mostExpansion = 32 << 10
  private static let longBody = 16 << 10

  /// Returns a request to be matched on another thread, because that may take long; nil if it is matched at once.
  func pendingMatch(
    _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>, origin: UpstreamOrigin?
  ) -> PendingMatch? {
    let expansion = request.headers.contains("Content-Encoding") ? Self.mostExpansion : 1
    let length = min(request.body.count, ContentDecoder.longest) * expansion
    // Long bodies are checked against a specification outside of the event loop, and slow answers are generated there.
    let isLong = state.specifications.map { request.body.count > Self.longBody || $0.isHeavy } ?? false
    guard
      isLong || state.configuration.gates.isActive
        || state.deck.matchingSteps(for: request, bodyLength: length, in: table) > Self.mostSteps
    else {
      return nil
    }
    return PendingMatch(request, form, head, bytes, origin: origin, began: began)
  }

  /// Appends the answer to a request that was matched on another thread.
  func conclude(_ match: PendingMatch, _ reply: Reply, into output: inout Output) -> NextAction {
    var form = match.form
    if isStopping { form.persists = false }
    let bytes = match.bytes
    return conclude(
      reply, match.request, form, match.head, bytes.span, origin: match.origin, began: match.began, &output)
  }

  /// Appends what the deck says to a request, or has upstream asked.
  func conclude(
    _ reply: Reply, _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>,
    origin: UpstreamOrigin?, began: UInt64? = nil, _ output: inout Output
  ) -> NextAction {
    let extra = began.map { Int(truncatingIfNeeded: self.began &- $0) } ?? 0
    let (answer, breach): (Answer, String?)
    switch reply {
    case .deck(let chosen, let words): (answer, breach) = (chosen, words)
    case .specified(let answer, let number):
      return write(answer, number, request, form, bytes, extra, &output)
    }
    switch answer {
    case .playback(let playback):
      let host = bytes.extracting(head.host?.range ?? 0..<0)
      if breach == nil, let answer = prepared(playback, form, host: host) {
        return send(answer, playback, request, form, bytes, extra, &output)
      }
      return perform(playback, request, form, bytes, base: base(host), extra, breach: breach, &output)
    case .interrupted(let fault):
      let delay = fault.delay(at: state.configuration.speed)
      let journal = RequestJournal.Outcome.derived("fault", approximate: fault.approximation?.parts)
      var outcome = Outcome(journal: journal, kind: .fault, words: fault.fault)
      outcome.extra = extra + Self.nanoseconds(delay)
      if case .response(let response) = fault.planned {
        (outcome.status, outcome.sent) = (response.status, response.length ?? 0)
      }
      outcome.approximation = fault.approximation
      if let approximation = fault.approximation { state.note(approximation, in: ring) }
      note(fault.request, outcome, bytes, request)
      return write(fault.planned, after: delay, form, &output)
    case .derived(let response, let number):
      let outcome = Outcome(
        status: response.status, sent: response.body.count, journal: .derived("options"), kind: .derived, extra: extra)
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

  /// The bytes of what the deck chose, if they are the same for everybody.
  private func prepared(_ playback: Playback, _ form: AnswerForm, host: Span<UInt8>) -> PreparedAnswer? {
    // Not `== nil`: macOS 13 and 14 have no runtime metadata for functions with typed throws.
    guard case .none = state.configuration.answering, contract == nil, form.page == nil, !form.isHead,
      playback.table === table, playback.approximation == nil, playback.isConstant
    else { return nil }
    return prepared(playback.entry, host: host)
  }

  private func send(
    _ answer: PreparedAnswer, _ playback: Playback, _ request: HTTPRequest, _ form: AnswerForm, _ bytes: Span<UInt8>,
    _ extra: Int, _ output: inout Output
  ) -> NextAction {
    let answer = answer.coded(for: request.headers.values(of: "Accept-Encoding"))
    var outcome = Outcome(kind: .played, extra: extra, playback: playback)
    (outcome.status, outcome.sent) = (HTTPStatus(answer.status), answer.bodyLength)
    outcome.journal = Self.played(playback)
    note(playback.request, outcome, bytes, request)
    answer.append(form, date: date, to: &output)
    return form.persists ? .persist : .close
  }

  private func perform(
    _ playback: Playback, _ request: HTTPRequest, _ form: AnswerForm, _ bytes: Span<UInt8>, base: String?,
    _ extra: Int, breach: String?, _ output: inout Output
  ) -> NextAction {
    let played: (planned: PlannedResponse, delay: Double)
    do throws(CassetteError) {
      played = try plannedResponse(of: playback, for: request, base: base, origins: table.origins)
    } catch {
      state.feed.note(.answerBroken(error), "\(error)", in: ring)
      let status: HTTPStatus = error.isPassing ? 503 : 500
      let problem = ControlResponse.problem(status, "\(error)", error.isPassing ? [("Retry-After", "1")] : [])
      let outcome = Outcome(
        status: status, sent: problem.body.count, journal: Self.played(playback), kind: .broken,
        extra: extra, playback: playback)
      note(playback.request, outcome, bytes, request)
      return write(problem, form, &output)
    }
    let approximation = playback.approximation
    if let approximation { state.note(approximation, in: ring) }
    var outcome = Outcome(kind: .played, extra: extra + Self.nanoseconds(played.delay), playback: playback)
    switch played.planned {
    case .response(var response):
      let derived = Self.name(of: playback.derivation, response.status)
      (outcome.status, outcome.sent) = (response.status, response.length ?? 0)
      outcome.journal = Self.played(playback, derived: derived)
      note(playback.request, outcome, bytes, request)
      if let approximation { response.headers.append("Mockserver-Approximate", approximation.parts) }
      if let breach { response.headers.append(SpecificationAnswer.contractField, breach) }
      if approximation != nil || breach != nil {
        return write(.response(response), after: played.delay, form, &output)
      }
    case .failure(let failure):
      outcome.journal = Self.played(playback)
      outcome.words = failure.name
      note(playback.request, outcome, bytes, request)
    }
    return write(played.planned, after: played.delay, form, &output)
  }

  private static func played(_ playback: Playback, derived: String? = nil) -> RequestJournal.Outcome {
    let parts = playback.approximation?.parts
    return playback.isOfStub
      ? .stub(playback.recording.interaction.id, derived: derived, approximate: parts)
      : .played(entry: playback.entry, derived: derived, approximate: parts, after: playback.after)
  }

  private static func nanoseconds(_ seconds: Double) -> Int { Int(max(0, min(seconds, 1e9)) * 1e9) }

  /// Writes what is played, or keeps it until its time has come.
  private func write(
    _ planned: PlannedResponse, after delay: Double, _ form: AnswerForm, _ output: inout Output
  ) -> NextAction {
    if delay > 0 {
      var held = Output()
      let nextAction = write(planned, after: 0, form, &held)
      return .stream(
        PieceStream(
          PendingAnswer(every: delay) {
            $0.append(contentsOf: &held)
            return nextAction
          }))
    }
    switch planned {
    case .response(let response):
      return AnswerWriter.append(response.played(at: state.configuration.speed), form, date: date, to: &output)
    case .failure(let failure): return AnswerWriter.append(failure, to: &output)
    }
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
