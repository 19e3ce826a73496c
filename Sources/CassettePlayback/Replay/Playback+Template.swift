internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

extension Playback {
  /// Returns the recorded response with the values of this request filled in; nil if the response is not a template.
  ///
  /// - `base`: The scheme and authority that the client used; nil uses those of the request.
  func filledIn(_ recorded: RecordedResponse, base: String?) throws(CassetteError) -> RecordedResponse? {
    guard recorded.isTemplate else { return nil }
    guard let templates = table.templates, let memory = session.memory else {
      let error = EngineError.notLinked("template")
      throw CassetteError(
        recording.interaction.place ?? SourcePlace(file: recording.cassette, line: 0, column: 0), error.message,
        error.suggestion)
    }
    return try templates.response(of: entry, in: context(for: asked, base: base), memory)
  }

  private func context(for request: HTTPRequest, base: String?) -> TemplateContext {
    let own = base ?? request.namedOrigin ?? request.headers["Host"].map { "http://\($0)" } ?? recording.origin ?? ""
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var moment = Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
    if case .fixed(let seconds) = session.settings.clock { moment = Int(seconds * 1e9) }
    var context = TemplateContext(
      request: request, base: own, session: session.name, now: moment, random: random(for: request))
    if case .template(let path)? = table.rules(of: entry)?.path {
      let target = request.target.path
      context.pathNames = { path.values(in: target) }
    } else if recording.isFixture, let path = PathTemplate(recording.interaction.url) {
      let target = request.target.path
      context.pathNames = { path.values(in: target) }
    }
    let session = session
    context.state = { session.states[$0] ?? ReplayRules.State.start }
    return context
  }

  /// Returns random numbers for this answer, derived from seed, session, request and repetition; without a seed they
  /// are unpredictable.
  func random(for request: HTTPRequest, _ purpose: String = "") -> SeededRandom {
    // A repeated request gets the next numbers of the sequence.
    SeededRandom(session.settings, session.name, request, "\(purpose) \(session.repetition)")
  }
}

extension SeededRandom {
  /// Creates a generator for a request: deterministic for a session with a seed, and unpredictable without a seed.
  init(_ settings: PlaybackSettings, _ session: String, _ request: HTTPRequest, _ purpose: String) {
    guard let seed = settings.seed else {
      var system = SystemRandomNumberGenerator()
      self.init(seed: system.next())
      return
    }
    self.init(
      seed: seed, Array(session.utf8), Array(request.method.rawValue.utf8), Array(request.pathAndQuery.utf8),
      request.body, Array(purpose.utf8))
  }
}
