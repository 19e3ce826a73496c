internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

extension Playback {
  /// Returns the recorded response with the values of this request filled in; nil if the response is not a template.
  ///
  /// - Parameters:
  ///   - recorded: The response in the cassette.
  ///   - base: The scheme and authority that the client used; nil uses those of the request.
  /// - Returns: The response with values filled in, and stand-ins in place of secrets.
  /// - Throws: ``CassetteError`` if the template is invalid or cannot be rendered.
  func filledIn(_ recorded: RecordedResponse, base: String?) throws(CassetteError) -> RecordedResponse? {
    guard recorded.isTemplate else { return nil }
    let template = try table.template(of: entry)
    let compiled = try template.read()
    var context = context(for: asked, base: base)
    do throws(EngineError) {
      let made = try template.timed { () throws(EngineError) in try compiled.render(in: &context) }
      var response = recorded
      (response.headers, response.trailers) = (made.headers, made.trailers)
      if case .chunks(let pieces, let end)? = recorded.body?.form {
        response.body = .chunks(zip(pieces, made.body).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
      } else if recorded.body != nil {
        response.body = .played(made.body.first ?? [])
      }
      return response
    } catch {
      throw CassetteError(
        recording.interaction.place ?? SourcePlace(file: recording.cassette, line: 0, column: 0),
        "template of \"\(recording.interaction.id)\": \(error.message)")
    }
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
    if let counters = session.counters { context.count = { counters.next($0, from: $1, by: $2) } }
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
