package import HTTP
package import Synchronization

/// Answers requests from cassettes.
///
/// A deck may be shared by any number of threads. Two players use it, the server and the URLProtocol; which recording
/// answers, in which order, and what a miss says is decided here and nowhere else.
package final class Deck: Sendable {
  private struct State: Sendable {
    var reel: Reel
    var library: CassetteLibrary
    var rack = TapeRack()
    var overlay = Overlay()
  }

  private let state: Mutex<State>
  private let lastRequest = Atomic<UInt64>(0)
  /// Grows whenever other cassettes were loaded; whoever keeps prepared answers compares it.
  package let generation = Atomic<Int>(0)

  /// Whether a recording of one origin never answers for another: at a proxy each request names its own.
  private let tellsOriginsApart: Bool

  package init(_ library: CassetteLibrary, tellsOriginsApart: Bool = false) {
    self.tellsOriginsApart = tellsOriginsApart
    state = Mutex(State(reel: Reel(library), library: library))
  }

  /// What is played now.
  package var reel: Reel { state.withLock { $0.reel } }

  /// The number of the next request; requests are counted from 1.
  @inline(__always)
  package func countRequest() -> UInt64 { lastRequest.add(1, ordering: .relaxed).newValue }

  /// How many requests were counted.
  package var requestCount: UInt64 { lastRequest.load(ordering: .relaxed) }

  /// Answers a request, and moves the session's tape on.
  ///
  /// - Parameters:
  ///   - request: As it was received, its body complete.
  ///   - session: Whose positions count; the empty name is everybody's who names none.
  /// - Returns: the recording that plays, an answer that follows from recordings, or why there is none.
  package func play(_ request: HTTPRequest, session: String = "") -> Answer {
    let number = countRequest()
    let (reel, choice, faults) = state.withLock { state in
      let reel = state.reel
      if !state.overlay.isEmpty { return choose(under: &state.overlay, request, reel, &state.rack, session, number) }
      return (reel, state.rack.withTape(of: session) { choose(request, reel, &$0, number) }, [])
    }
    // Explaining takes its time: others need not wait for it.
    switch choice {
    case .play(let entry, let derivation):
      reel.mark(entry, by: number)
      let recording = reel.entries[entry]
      // A condition counts for HEAD as for GET (RFC 9110 §13.2.1).
      let derivation = Derivation.of(request, from: recording.interaction) ?? derivation
      let playback = Playback(
        request: number, entry: entry, recording: recording, derivation: derivation, faults: faults, reel: reel)
      return playback.interruption.map { .interrupted($0) } ?? .playback(playback)
    case .interrupt(let fault, let performance, let delay, let entry):
      if let entry { reel.mark(entry, by: number) }
      return .interrupted(
        Interruption(request: number, fault: fault.description, performance: performance, ownDelay: 0, delay: delay))
    case .generated(let response):
      return .derived(response, request: number)
    case .miss(let consumed, let tape):
      let origin = tellsOriginsApart ? request.namedOrigin : nil
      return .miss(Miss(request, of: origin, number: number, in: reel, consumed: consumed, tape: tape))
    }
  }

  private enum Choice: Sendable {
    case play(Int, Derivation?)
    case generated(HTTPResponse)
    /// With the recording that would have played.
    case interrupt(Fault, Performance, delay: Double, Int?)
    case miss(consumed: [Miss.Consumed], Tape)
  }

  private func choose(
    under overlay: inout Overlay, _ request: HTTPRequest, _ reel: Reel, _ rack: inout TapeRack, _ session: String,
    _ number: UInt64
  ) -> (Reel, Choice, [Fault]) {
    rack.withTape(of: session) { tape in
      if let (fault, delay) = overlay.interruption(of: request), let performance = fault.performance(for: request) {
        // It was asked for, but stays for later: the copy of the tape is thrown away.
        var copy = tape
        var entry: Int?
        if case .play(let found, _) = choose(request, reel, &copy, number) { entry = found }
        return (reel, .interrupt(fault, performance, delay: delay, entry), [])
      }
      let choice = choose(request, reel, &tape, number)
      guard case .play = choice else { return (reel, choice, []) }
      return (reel, choice, overlay.alterations(of: request))
    }
  }

  /// CASSETTE.md's order: a fixture of the literal path, recordings, what can be derived from them, templates.
  private func choose(_ request: HTTPRequest, _ reel: Reel, _ tape: inout Tape, _ number: UInt64) -> Choice {
    let target = request.pathAndQuery
    if let fixture = reel.fixture(method: request.method, pathAndQuery: target) { return .play(fixture, nil) }
    let candidates = self.candidates(request.method, for: request, reel, tape)
    if !candidates.isEmpty {
      switch pick(from: candidates, for: request, reel, &tape, number) {
      case .play(let entry): return .play(entry, nil)
      case .consumed(let consumed): return .miss(consumed: consumed, tape)
      }
    }
    var consumed: [Miss.Consumed] = []
    if request.method == .head {
      if let fixture = reel.fixture(method: .get, pathAndQuery: target) { return .play(fixture, .head) }
      let candidates = self.candidates(.get, for: request, reel, tape)
      // Looking at the head of something does not use it up: the copy of the tape is thrown away.
      var copy = tape
      if !candidates.isEmpty {
        switch pick(from: candidates, for: request, reel, &copy, number) {
        case .play(let entry): return .play(entry, .head)
        case .consumed(let used): consumed = used
        }
      }
    }
    if let template = reel.template(method: request.method, pathAndQuery: target) { return .play(template, nil) }
    if request.method == .head, let template = reel.template(method: .get, pathAndQuery: target) {
      return .play(template, .head)
    }
    if request.method == .options, let response = Derivation.options(request, in: reel) { return .generated(response) }
    return .miss(consumed: consumed, tape)
  }

  private func candidates(_ method: HTTPMethod, for request: HTTPRequest, _ reel: Reel, _ tape: Tape) -> [Int] {
    let candidates = reel.candidates(for: request, method: method, tape)
    guard tellsOriginsApart, let named = request.namedOrigin else { return candidates }
    return candidates.filter { reel.entries[$0].origin == named }
  }

  private enum Pick {
    case play(Int)
    case consumed([Miss.Consumed])
  }

  private func pick(
    from candidates: [Int], for request: HTTPRequest, _ reel: Reel, _ tape: inout Tape, _ number: UInt64
  ) -> Pick {
    var equals = candidates
    if candidates.count > 1 {
      let ranked = candidates.map { entry in
        let recording = reel.entries[entry]
        return Matcher.preference(of: request, for: recording.interaction, origin: recording.origin)
      }
      let best = ranked.max()
      equals = zip(candidates, ranked).filter { $0.1 == best }.map(\.0)
    }
    let policy = equals.last.map { reel.entries[$0].interaction.repeatPolicy } ?? .last
    switch tape.next(of: equals, policy: policy, for: number) {
    case .play(let entry):
      if let then = reel.replay(of: entry)?.then { tape.enter(then) }
      return .play(entry)
    case .consumed(let requests):
      return .consumed(zip(equals, requests).map { Miss.Consumed(entry: $0, request: $1) })
    }
  }

  /// Rewinds every tape, or one session's; with every tape the faults count anew.
  package func rewind(session: String? = nil) {
    state.withLock { state in
      if let session { return state.rack.rewind(session) }
      state.rack = TapeRack()
      state.overlay.rewind()
    }
  }

  /// Lays faults over what is played, behind those that are there; the cassettes stay as they are.
  package func overlay(_ faults: [Fault]) {
    guard !faults.isEmpty else { return }
    state.withLock { $0.overlay.append(faults) }
    generation.add(1, ordering: .releasing)
  }

  /// Whether there are faults: if so, no answer may be kept prepared.
  package var hasFaults: Bool { state.withLock { !$0.overlay.isEmpty } }

  /// The faults that no request was for, as they are written in code.
  package var faultsNeverMet: [String] { state.withLock { $0.overlay.neverMet.map(\.description) } }

  /// How many sessions have positions.
  package var sessions: Int { state.withLock { $0.rack.sessions } }

  /// Plays other cassettes from the next request on.
  ///
  /// Recordings of cassettes that did not change keep their positions; a changed cassette starts anew.
  package func load(_ library: CassetteLibrary) {
    let reel = Reel(library)
    state.withLock { state in
      let same = library.unchangedSince(state.library)
      var numbers: [String: Int] = [:]
      for (number, entry) in reel.entries.enumerated() where same.contains(entry.cassette) {
        numbers["\(entry.cassette)\n\(entry.interaction.id)"] = number
      }
      let old = state.reel
      let renumbered = { (number: Int) -> Int? in
        let entry = old.entries[number]
        return numbers["\(entry.cassette)\n\(entry.interaction.id)"]
      }
      state.rack.renumber(renumbered)
      for number in old.entries.indices {
        if let request = old.firstPlayed(number), let new = renumbered(number) { reel.mark(new, by: request) }
      }
      state.reel = reel
      state.library = library
    }
    generation.add(1, ordering: .releasing)
  }
}
