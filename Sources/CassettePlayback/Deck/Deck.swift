package import CassetteFiles
package import CassetteHTTP
package import CassetteSystem
package import Cassettes

/// Answers requests from cassettes.
///
/// A deck may be shared by any number of threads. Two players use it, the server and the URLProtocol; which recording
/// answers, in which order, and what a miss says is decided here and nowhere else.
package final class Deck: Sendable {
  struct State: Sendable {
    var table: RecordingTable
    var library: CassetteLibrary
    var cursors = SessionCursors()
    var faults = FaultPlan()
    var settings = PlaybackSettings()
    var matching: CassetteMatchingOptions
    var layers = StubLayers()
    /// Grows with every table.
    var tableNumber = 0

    /// Returns the tables that answer a session: the added stubs, then everything else.
    func tables(for session: String) -> [RecordingTable] { layers.tables(for: session) + [table] }
  }

  let state: Locked<State>
  /// A lock for changes to what tests have added: one at a time.
  let steering = Locked<Void>(())
  private let lastRequest = Counter()
  /// The generation, which grows whenever other cassettes were loaded; holders of prepared answers compare it.
  package let generation = Counter()

  /// True if a request's origin is that of the server it is for: in a session and at a proxy, not at a stand-in server.
  package let knowsOrigins: Bool
  private let isDefault: Bool
  /// The secrets that are sent in place of aliases, by their numbers.
  private let secrets: [Int: String]
  /// The command that records a missing answer, for the words of a miss.
  private let recording: Locked<RecordCommand>

  /// Creates a deck.
  ///
  /// - Parameters:
  ///   - library: What is played.
  ///   - matching: How requests are compared with all of it.
  ///   - isDefault: Whether the level of `matching` gives way to one that a file says.
  ///   - knowsOrigins: Whether requests name the origin they are for.
  ///   - recording: How what is missing is recorded, for the words of a miss.
  ///   - secrets: What goes out in the place of aliases, by their numbers; stand-ins for all others.
  package init(
    _ library: CassetteLibrary, matching: CassetteMatchingOptions = CassetteMatchingOptions(), isDefault: Bool = true,
    knowsOrigins: Bool = false,
    recording: RecordCommand = .unknown, secrets: [Int: String] = [:]
  ) {
    (self.knowsOrigins, self.isDefault) = (knowsOrigins, isDefault)
    self.secrets = secrets
    self.recording = Locked(recording)
    state = Locked(
      State(
        table: RecordingTable(library, matching, isDefault: isDefault, secrets: secrets), library: library,
        matching: matching))
  }

  /// The recordings that are played now.
  package var table: RecordingTable { state.withLock { $0.table } }

  /// Says how what is missing is recorded, for the words of a miss.
  package func record(by command: RecordCommand) { recording.withLock { $0 = command } }

  /// The settings of playback; loops look at their prepared answers again when they change.
  package var settings: PlaybackSettings {
    get { state.withLock { $0.settings } }
    set { changeSettings { $0 = newValue } }
  }

  /// Changes how it plays in one step; its faults count anew.
  package func changeSettings(_ change: (inout PlaybackSettings) -> Void) {
    state.withLock { state in
      change(&state.settings)
      state.faults.replaceSettings(by: state.settings.faults)
    }
    generation.add(1)
  }

  /// Returns the number of the next request; requests are counted from 1.
  @inline(__always)
  package func countRequest() -> UInt64 { UInt64(lastRequest.add(1)) }

  /// The number of requests counted.
  package var requestCount: UInt64 { UInt64(lastRequest.value) }

  /// Answers a request, and moves the session's cursor on.
  ///
  /// Comparing and explaining take their time and hold no lock: only the choice among those that suit does.
  ///
  /// - Parameters:
  ///   - request: As it was received, its body complete.
  ///   - session: Whose positions count; the empty name is everybody's who names none.
  /// - Returns: the recording that plays, an answer that follows from recordings, or why there is none.
  package func play(_ request: HTTPRequest, session: String = "") -> Answer {
    play(request, countRequest(), session, meetsFaults: true).answer
  }

  /// An answer; `isFinal` is false if another spelling of the request may still find a better one.
  typealias Result = (answer: Answer, isFinal: Bool)

  /// Answers a request under its number, first by the names that recordings have in place of those handed out.
  func play(_ request: HTTPRequest, _ number: UInt64, _ session: String, meetsFaults: Bool) -> Result {
    guard let (recorded, names) = recorded(request, session: session) else {
      return play(ComparedRequest(request), asked: request, number, session, meetsFaults: meetsFaults)
    }
    let result = play(ComparedRequest(recorded), asked: request, number, session, meetsFaults: meetsFaults)
    if case .playback(var playback) = result.answer {
      playback.handedOut = names
      return (.playback(playback), true)
    }
    if result.isFinal { return result }
    return play(ComparedRequest(request), asked: request, number, session, meetsFaults: false)
  }

  private func play(
    _ compared: ComparedRequest, asked request: HTTPRequest, _ number: UInt64, _ session: String, meetsFaults: Bool
  ) -> Result {
    while true {
      let contexts = state.withLock { $0.tables(for: session) }
        .map { Matcher.Context(table: $0, knowsOrigins: knowsOrigins) }
      let plan = LayeredPlan(compared, in: contexts)
      let chosen = state.withLock { state -> (LayeredPlan.Choice, [CassetteFault], SessionView)? in
        // Other cassettes were loaded meanwhile, or stubs added.
        guard state.tables(for: session).elementsEqual(contexts, by: { $0 === $1.table }) else { return nil }
        let settings = state.settings
        if !state.faults.isEmpty {
          return choose(plan, &state.faults, &state.cursors, session, number, settings, meetsFaults)
        }
        return state.cursors.withCursor(of: session) { cursor in
          let choice = plan.choose(&cursor, number)
          return (
            choice, [],
            cursor.view(for: choice.what.entry, contexts[choice.layer].table, settings, session, compared.request)
          )
        }
      }
      if let (choice, faults, view) = chosen,
        let answer = answer(choice, faults, view, compared, asked: request, contexts, number, session)
      {
        if case .miss = choice.what { return (answer, false) }
        return (answer, true)
      }
    }
  }

  /// Returns the answer of a choice; nil when other cassettes were loaded meanwhile.
  private func answer(
    _ choice: LayeredPlan.Choice, _ faults: [CassetteFault], _ view: SessionView, _ compared: ComparedRequest,
    asked: HTTPRequest, _ contexts: [Matcher.Context], _ number: UInt64, _ session: String
  ) -> Answer? {
    let context = contexts[choice.layer]
    let (request, table) = (compared.request, context.table)
    switch choice.what {
    case .play(let candidate, let derivation):
      table.mark(candidate.entry, by: number)
      let recording = table.entries[candidate.entry]
      if let gap = recording.interaction.failure?.gap {
        return .miss(Miss(request, number: number, gap, of: recording, self.recording.withLock { $0 }))
      }
      // A condition counts for HEAD as for GET (RFC 9110 §13.2.1).
      let derivation = Derivation.of(request, from: recording.interaction) ?? derivation
      var playback = Playback(
        request: number, entry: candidate.entry, recording: recording, derivation: derivation, faults: faults,
        table: table, session: view, asked: asked)
      if case .change(let change) = candidate.cause { playback.after = change }
      if !candidate.marks.isEmpty {
        var context = context
        context.changing = candidate.changing
        playback.approximation = Approximation(
          request, number: number, recording,
          Matcher.mismatches(behind: candidate.marks, of: compared, from: candidate.entry, in: context))
      }
      return playback.interruption.map { .interrupted($0) } ?? .playback(playback)
    case .interrupt(let fault, let planned, let delay, let entry):
      if let entry { table.mark(entry, by: number) }
      return .interrupted(
        Interruption(request: number, fault: fault.description, planned: planned, ownDelay: 0, delay: delay))
    case .generated(let response):
      return .derived(response, request: number)
    case .operate(let resource):
      return operate(resource, request, table, session).map { entry in
        let derivation = Derivation.of(request, from: entry.interaction) ?? (request.method == .head ? .head : nil)
        let playback = Playback(
          request: number, entry: resource.entry, recording: entry, derivation: derivation, faults: faults,
          table: table, session: view, asked: request)
        return playback.interruption.map { .interrupted($0) } ?? .playback(playback)
      }
    case .miss(let consumed, let cursor):
      let miss = Miss(
        compared, number: number, in: context, consumed: consumed, cursor: cursor, recording: recording.withLock { $0 })
      // Whoever adds stubs looks among them for the one that was meant.
      return .miss(contexts.dropLast().reduce(miss) { $0.with(stubs: $1, near: compared, cursor) })
    }
  }

  private func choose(
    _ plan: LayeredPlan, _ faults: inout FaultPlan, _ cursors: inout SessionCursors, _ session: String,
    _ number: UInt64, _ settings: PlaybackSettings, _ meetsFaults: Bool
  ) -> (LayeredPlan.Choice, [CassetteFault], SessionView) {
    let chance = FaultPlan.Chance(settings: settings, session: session)
    return cursors.withCursor(of: session) { cursor in
      let request = plan.compared.request
      if meetsFaults, let (fault, delay) = faults.interruption(of: request, &cursor, chance),
        let planned = fault.plannedResponse(for: request)
      {
        // It was asked for, but stays for later: the copy of the cursor is thrown away.
        var copy = cursor
        let entry: Int?
        let choice = plan.choose(&copy, number)
        if case .operate(let resource) = choice.what { entry = resource.entry } else { entry = choice.what.entry }
        return ((.interrupt(fault, planned, delay: delay, entry), choice.layer), [], SessionView())
      }
      let choice = plan.choose(&cursor, number)
      switch choice.what {
      case .play, .operate:
        let view = cursor.view(for: choice.what.entry, plan.table(of: choice.layer), settings, session, request)
        return (choice, faults.alterations(of: request, &cursor, chance), view)
      case .generated, .interrupt, .miss: return (choice, [], SessionView())
      }
    }
  }

  /// Begins every session anew, or one; with all of them the faults count anew.
  package func reset(session: String? = nil) {
    state.withLock { state in
      if let session { return state.cursors.reset(session) }
      state.cursors = SessionCursors()
    }
  }

  /// Adds faults to those of what is played; the cassettes stay as they are.
  package func inject(_ faults: [CassetteFault]) {
    guard !faults.isEmpty else { return }
    state.withLock { $0.faults.append(faults) }
    generation.add(1)
  }

  /// True if there are faults: then no answer may be kept prepared.
  package var hasFaults: Bool { state.withLock { !$0.faults.isEmpty || !$0.settings.isPlain } }

  /// The faults that no request was for, as they are written in code.
  package var faultsNeverMet: [String] { state.withLock { $0.faults.neverMet.map(\.description) } }

  /// The number of sessions that were forgotten because there were too many.
  package var forgottenSessions: Int { state.withLock { $0.cursors.forgotten } }

  /// The number of sessions that have positions.
  package var sessions: Int { state.withLock { $0.cursors.sessions } }

  /// Plays other cassettes from the next request on.
  ///
  /// Recordings of cassettes that did not change keep their positions; a changed cassette starts anew.
  package func load(_ library: CassetteLibrary) {
    let matching = state.withLock { $0.matching }
    let table = RecordingTable(library, matching, isDefault: isDefault, secrets: secrets)
    state.withLock { state in
      let same = library.unchangedSince(state.library)
      var numbers: [String: Int] = [:]
      for (number, entry) in table.entries.enumerated() where same.contains(entry.cassette) {
        numbers["\(entry.cassette)\n\(entry.interaction.id)"] = number
      }
      let old = state.table
      let renumbered = { (number: Int) -> Int? in
        let entry = old.entries[number]
        return numbers["\(entry.cassette)\n\(entry.interaction.id)"]
      }
      state.cursors.renumber(renumbered)
      for number in old.entries.indices {
        if let request = old.firstPlayed(number), let new = renumbered(number) { table.mark(new, by: request) }
      }
      state.table = table
      state.tableNumber += 1
      state.library = library
    }
    generation.add(1)
  }
}
