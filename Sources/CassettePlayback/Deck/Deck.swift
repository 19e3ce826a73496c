package import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// Answers requests from cassettes.
///
/// A deck may be shared by any number of threads. Two players use it, the server and the URLProtocol. The deck alone
/// decides which recording answers, in which order recordings play, and how a miss is explained.
package final class Deck: Sendable {
  struct State: ~Copyable, Sendable {
    var table: RecordingTable
    var library: CassetteLibrary
    var cursors = SessionCursors()
    var faults = FaultPlan()
    var settings = PlaybackSettings()
    var matching: CassetteMatchingOptions
    /// The tables of the added stubs by session name; the empty name is for all sessions.
    var stubTables: [String: [RecordingTable]] = [:]
    /// The number of the table, which increases whenever a library is loaded.
    var tableNumber = 0

    /// True if neither faults nor settings affect all answers.
    var isPlain: Bool { faults.isEmpty && settings.isPlain }

    /// Returns the layers of tables that answer a session: the session's stubs, the stubs of all sessions, the library.
    ///
    /// The recordings of one layer are ranked as if they were in one table.
    func layers(for session: String) -> [[RecordingTable]] {
      if stubTables.isEmpty { return [[table]] }
      let own = session.isEmpty ? nil : stubTables[session]
      return [own, stubTables[""]].compactMap(\.self) + [[table]]
    }
  }

  let state: Locked<State>
  /// The added stubs; their tables are in the state, so that requests do not wait while tables are built.
  let added = Locked(StubLayers())
  /// The lock that serializes changes to the cassettes.
  let steering = Locked<Void>(())
  /// The lock that serializes changes to resources.
  let operating = Locked<Void>(())
  private let lastRequest = Counter()
  /// The generation, which increases whenever a change may outdate the players' cached answers.
  let generation = Counter()

  /// True if requests name the origin they are sent to: in a session and at a proxy, but not at a stand-in server.
  package let knowsOrigins: Bool
  /// True if the player reloads the deck when a body's file changes.
  let followsFiles: Bool
  private let isDefault: Bool
  /// The number of elements of a request's body beyond which it is compared only as bytes.
  private let mostElements: Int
  /// The factor by which recorded delays and gaps are shortened; 0 removes them.
  let speed: Double
  /// The secrets that replace aliases, by number.
  private let secrets: [Int: String]
  /// The command that records a missing answer, for the remedies of a miss.
  let recording: Locked<RecordCommand>

  /// Creates a deck.
  ///
  /// - `isDefault`: True if a file's matching level overrides the level of `matching`.
  /// - `knowsOrigins`: True if requests name the origin they are sent to.
  /// - `followsFiles`: True if the player reloads the deck when a body's file changes.
  /// - `speed`: The factor by which recorded delays and gaps are shortened; 0 removes them.
  /// - `secrets`: The secrets that replace aliases, by number; stand-ins replace all others.
  /// - `mostElements`: The number of elements of a body beyond which it is compared only as bytes.
  package init(
    _ library: CassetteLibrary, matching: CassetteMatchingOptions = CassetteMatchingOptions(), isDefault: Bool = true,
    knowsOrigins: Bool = false, followsFiles: Bool = false, speed: Double = 1,
    recording: RecordCommand = .unknown, secrets: [Int: String] = [:], mostElements: Int = .max
  ) {
    self.mostElements = mostElements
    (self.knowsOrigins, self.followsFiles, self.isDefault) = (knowsOrigins, followsFiles, isDefault)
    (self.speed, self.secrets) = (speed, secrets)
    self.recording = Locked(recording)
    state = Locked(
      State(
        table: RecordingTable(library, matching, isDefault: isDefault, secrets: secrets), library: library,
        matching: matching))
  }

  /// Returns the tables that answer a session: the added stubs, then the recordings of the library.
  package func tables(for session: String) -> [RecordingTable] {
    state.withLock { $0.layers(for: session) }.flatMap(\.self)
  }

  /// The table of the loaded library.
  package var table: RecordingTable { state.withLock { $0.table } }

  /// Sets the command that records a missing answer, for the remedies of a miss.
  package func record(by command: RecordCommand) { recording.withLock { $0 = command } }

  /// The settings of playback; a change increases the generation, so that players drop their cached answers.
  package var settings: PlaybackSettings {
    get { state.withLock { $0.settings } }
    set { changeSettings { $0 = newValue } }
  }

  /// Changes the settings in one step, and resets the counts of their faults.
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

  /// The number of requests so far.
  package var requestCount: UInt64 { UInt64(lastRequest.value) }

  /// Resets one session, or all sessions; resetting all sessions also resets the counts of faults.
  package func reset(session: String? = nil) {
    // Otherwise a request that is changing a resource would store its state after the reset.
    operating.withLock { _ in
      state.withLock { state in
        if let session { return state.cursors.reset(session) }
        state.cursors = SessionCursors()
      }
    }
  }

  /// Adds faults to those of the settings; the cassettes do not change.
  package func inject(_ faults: [CassetteFault]) {
    guard !faults.isEmpty else { return }
    state.withLock { $0.faults.append(faults) }
    generation.add(1)
  }

  /// The faults that matched no request, as they are written in code.
  package var faultsNeverMet: [String] { state.withLock { $0.faults.neverMet.map(\.description) } }

  /// The paths of ignored values that selected nothing in the bodies that were compared.
  package var ignoredNeverFound: [String] { table.bodies.ignoredNeverFound }

  /// The number of sessions that were dropped because there were too many.
  package var forgottenSessions: Int { state.withLock { $0.cursors.forgotten } }

  /// The number of sessions that have positions.
  package var sessions: Int { state.withLock { $0.cursors.sessions } }

  /// Loads other cassettes, which answer from the next request on.
  ///
  /// Unchanged recordings keep their positions; the positions of changed recordings are reset.
  package func load(_ library: CassetteLibrary) {
    steering.withLock { _ in
      let (matching, old, before) = state.withLock { ($0.matching, $0.table, $0.library) }
      let same = library.unchangedSince(before)
      let table = RecordingTable(library, matching, isDefault: isDefault, secrets: secrets, after: old, same: same)
      // A recording that is edited after it played has played.
      table.takeMarks(of: old, by: \.name)
      let gone = Set(old.entries.lazy.map(\.position)).subtracting(table.entries.lazy.map(\.position))
      state.withLock { state in
        if !gone.isEmpty { state.cursors.forget(gone) }
        state.table = table
        state.tableNumber += 1
        state.library = library
      }
    }
    generation.add(1)
  }
}

/// The positions of a session; reading them does not advance them.
extension Deck {
  /// Returns how many times each recording has played in a session, by the recording's number.
  package func turnsTaken(in session: String) -> [Int: Int] {
    let (table, plays) = state.withLock { ($0.table, $0.cursors.peek(session).plays) }
    var turns: [Int: Int] = [:]
    for (number, entry) in table.entries.enumerated() { turns[number] = plays[entry.position]?.count }
    return turns
  }

  /// Returns the recordings that answer a request in turn, in recorded order, and the next one to play in a session.
  package func turns(at request: HTTPRequest, in session: String) -> (all: [Int], next: Int?) {
    var (layers, cursor) = state.withLock { ($0.layers(for: session), $0.cursors.peek(session)) }
    let search = Search(request, in: contexts(of: layers), mostElements: mostElements)
    let found = search.choose(&cursor, requestCount + 1)
    guard case .play(let candidate, _) = found.choice, found.layer == search.spellings[0].layers.count - 1 else {
      return (search.turns, nil)
    }
    return (search.turns, candidate.entry)
  }
}

/// Access to the state of resources, for the control interface of a player.
extension Deck {
  /// The paths of each resource.
  ///
  /// Elements refer to the resource by its first path.
  package var resourcePaths: [[String]] { table.resources.map(\.definition.paths) }

  /// Returns the number of elements of a resource in a session; 0 if no resource has the path.
  package func countOfElements(ofResource path: String, session: String = "") -> Int {
    contents(ofResource: path, session)?.count ?? 0
  }

  private func contents(ofResource path: String, _ session: String) -> (any ResourceElements)? {
    state.withLock { state in
      guard let resource = state.table.resources.first(where: { $0.definition.paths.contains(path) }) else {
        return nil
      }
      return state.cursors.peek(session).resources[resource.position] ?? resource.initial
    }
  }

  /// Returns the elements of a resource in a session.
  ///
  /// - `session`: The session's name; empty for requests that name none.
  package func elements(ofResource path: String, session: String = "") -> [UInt8]? {
    contents(ofResource: path, session)?.json
  }

  /// Replaces the elements of a resource in a session.
  ///
  /// Returns false if no resource has the path, or the elements exceed the memory limit.
  package func replaceElements(
    ofResource path: String, with json: [UInt8], session: String = ""
  ) throws(EngineError) -> Bool {
    guard let resource = table.resources.first(where: { $0.definition.paths.contains(path) }) else { return false }
    let new = try resource.definition.elements(json)
    return operating.withLock { _ in
      state.withLock { $0.cursors.keep(new, of: resource.position, in: session) }
    }
  }

  /// Returns the answer of a resource to a request, in the session's state of the resource.
  ///
  /// Requests that change resources run one after the other; `GET` and `HEAD` requests run concurrently.
  func operate(_ resource: TableResource, _ request: HTTPRequest, _ session: String) -> RecordingTable.Entry? {
    let (now, base) = (Timestamp.now(), resource.base(for: request))
    let method: HTTPMethod = request.method == .head ? .get : request.method
    let answer = { (keeps: Bool) -> HTTPResponse? in
      var elements = self.state.withLock { state in
        state.cursors.withCursor(of: session) { $0.resources[resource.position] } ?? resource.initial
      }
      guard let response = resource.definition.answer(request, base: base, now: now, &elements) else { return nil }
      guard keeps, !self.state.withLock({ $0.cursors.keep(elements, of: resource.position, in: session) }) else {
        return response
      }
      return resource.definition.refusalOfFull(request, base: base) ?? response
    }
    let response = method == .get ? answer(false) : operating.withLock { _ in answer(true) }
    return response.map { resource.played(method, request.pathAndQuery, $0) }
  }
}

/// Changing the state of scenarios and settings during playback.
extension Deck {
  /// The number of the library's table, which increases when another library is loaded, but not when stubs are added.
  package var tableNumber: Int { state.withLock { $0.tableNumber } }

  // MARK: Scenarios

  /// Returns the scenarios of recordings and stubs, each with its states.
  package func scenarios(for session: String) -> [String: Set<String>] {
    var all: [String: Set<String>] = [:]
    for table in tables(for: session) { all.merge(table.scenarios) { $0.union($1) } }
    return all
  }

  /// Returns the current state of a scenario.
  package func state(of scenario: String, for session: String = "") -> String {
    state.withLock { $0.cursors.peek(session).state(of: scenario) }
  }

  /// Sets the state of a scenario.
  package func enter(_ state: String, of scenario: String, for session: String = "") {
    self.state.withLock { deck in
      deck.cursors.withCursor(of: session) { $0.enter([ReplayRules.State(scenario, state)]) }
    }
  }

  /// The sessions that have positions, by name, with the number of played recordings and the states of scenarios.
  ///
  /// The name is empty for requests that name no session; scenarios in their initial state are omitted.
  package var sessionReports: [(name: String, played: Int, states: [String: String])] {
    state.withLock { $0.cursors }.all.map { ($0, $1.plays.count, $1.states) }.sorted { $0.0 < $1.0 }
  }

  // MARK: Settings

  /// The rules for comparing requests, unless a file overrides them.
  package var matching: CassetteMatchingOptions { state.withLock { $0.matching } }

  /// Changes the level of comparison; sessions keep their positions.
  package func match(at level: MatchLevel?) {
    let library = state.withLock { state in
      state.matching.level = level
      return state.library
    }
    load(library)
  }
}

extension RecordingTable {
  /// The scenarios of the table's recordings, each with its states.
  fileprivate var scenarios: [String: Set<String>] {
    var all: [String: Set<String>] = [:]
    for rules in plays.values {
      for state in rules.when + rules.then {
        all[state.scenario, default: [ReplayRules.State.start]].insert(state.state)
      }
    }
    return all
  }
}

extension Deck {
  /// Returns the plan for the answer to a request, and advances the session's positions; every answer is made here.
  ///
  /// Comparing and explaining hold no lock; only the choice among the candidates does. If other cassettes are loaded
  /// meanwhile, the request is answered from the cassettes that were loaded when it arrived.
  ///
  /// - `session`: The name of the session; empty for requests that name none.
  package func plan(_ request: HTTPRequest, session: String = "") -> Plan {
    let (layers, memory, isPlain) = state.withLock { state in
      let memory = state.table.templates == nil ? nil : state.cursors.peek(session).memory
      return (state.layers(for: session), memory, state.isPlain)
    }
    if isPlain, layers.count == 1, let table = layers[0].first, let entry = sole(request, table) {
      let number = countRequest()
      table.mark(entry, by: number)
      return plan(
        Playback(
          request: number, entry: entry, recording: table.entries[entry], derivation: nil, faults: [],
          table: table, session: SessionView(speed: speed), asked: request))
    }
    let search = Search(request, memory, in: contexts(of: layers), mostElements: mostElements)
    // Requests are numbered in the order in which their answers are chosen, so that the journal shows that order.
    let (number, (found, interruption, faults, view)) = state.withLock { state in
      let number = countRequest()
      return (number, choose(search, &state.faults, &state.cursors, session, number, state.settings))
    }
    let spelling = search.spellings[found.spelling]
    if let interruption {
      if let entry = found.choice.entry { spelling.layers[found.layer].table.mark(entry, by: number) }
      return interruption
    }
    return plan(found, search, faults, view, number, session)
  }

  /// Returns the contexts of comparing with the tables of all layers.
  private func contexts(of layers: [[RecordingTable]]) -> [[Matcher.Context]] {
    layers.map { $0.map { Matcher.Context(table: $0, knowsOrigins: knowsOrigins) } }
  }

  /// Returns the only recording that can answer a request, without a full comparison; nearly all requests take this
  /// path.
  ///
  /// A full comparison returns the same recording, but takes longer: an answer in a session takes 1.5 times as long as
  /// a constant answer with the comparison, and 1.3 times as long without it.
  func sole(_ request: HTTPRequest, _ table: RecordingTable) -> Int? {
    guard request.method != .head, request.target.form == .origin || request.target.form == .absolute,
      !request.headers.contains(where: {
        PreconditionField.isNamed($0.name) || OperationField.named($0.name) != nil
      })
    else { return nil }
    let entry = table.sole(request.method.rawValue, request.target.text, hasBody: !request.body.isEmpty) {
      request.headers.contains { CredentialField.isNamed($0.name) }
    }
    // A recorded failure, or a recording from another origin, cannot answer here.
    guard let entry, table.entries[entry].interaction.status != nil,
      !knowsOrigins || Matcher.originMismatch(of: request, table.entries[entry], nil) == nil
    else { return nil }
    return entry
  }

  private func plan(_ playback: Playback) -> Plan {
    playback.isConstant(followsFiles: followsFiles) ? .constant(playback) : .response(playback)
  }

  /// Chooses a candidate for a session, and counts the faults that apply.
  private func choose(
    _ search: Search, _ faults: inout FaultPlan, _ cursors: inout SessionCursors, _ session: String,
    _ number: UInt64, _ settings: PlaybackSettings
  ) -> (Search.Found, Plan?, [CassetteFault], SessionView) {
    let chance = FaultPlan.Chance(settings: settings, session: session)
    let request = search.spellings[0].compared.request
    return cursors.withCursor(of: session) { cursor in
      if let (fault, response) = faults.interruption(of: request, &cursor, chance) {
        // The fault replaces the answer, but does not consume the recording: the copy of the cursor is discarded.
        var copy = cursor
        let plan = Plan.made(response, by: .fault(fault.description), number: number)
        return (search.choose(&copy, number), plan, [], SessionView())
      }
      let found = search.choose(&cursor, number)
      guard found.choice.entry != nil else { return (found, nil, [], SessionView()) }
      let spelling = search.spellings[found.spelling]
      var view = cursor.view(
        for: found.choice.recording, spelling.layers[found.layer].table, settings, session, spelling.compared.request)
      view.speed = speed
      return (found, nil, faults.alterations(of: request, &cursor, chance), view)
    }
  }

  private func plan(
    _ found: Search.Found, _ search: Search, _ faults: [CassetteFault], _ view: SessionView, _ number: UInt64,
    _ session: String
  ) -> Plan {
    let spelling = search.spellings[found.spelling]
    let compared = spelling.compared
    var context = spelling.layers[found.layer].context
    let table = context.table
    var playback: Playback
    switch found.choice {
    case .play(let candidate, let derivation):
      table.mark(candidate.entry, by: number)
      let recording = table.entries[candidate.entry]
      if let gap = recording.interaction.failure?.gap {
        return .miss(Miss(compared.request, number: number, gap, of: recording, self.recording.withLock { $0 }))
      }
      // A condition applies to HEAD as to GET (RFC 9110 §13.2.1).
      playback = Playback(
        request: number, entry: candidate.entry, recording: recording,
        derivation: Derivation.of(compared.request, from: recording.interaction) ?? derivation, faults: faults,
        table: table, session: view, asked: spelling.asked, handedOut: spelling.handedOut)
      if case .change(let change) = candidate.cause { playback.after = change }
      if !candidate.marks.isEmpty {
        (context.changing, context.unknownFields) = (candidate.changing, candidate.unknownFields)
        playback.approximation = Approximation(
          compared.request, number: number, recording,
          Matcher.mismatches(behind: candidate.marks, of: compared, from: candidate.entry, in: context))
      }
    case .operate(let resource):
      guard let entry = operate(resource, compared.request, session) else {
        return .miss(miss(spelling, number, consumed: [], PlaybackCursor()))
      }
      let head: Derivation? = compared.request.method == .head ? .head : nil
      playback = Playback(
        request: number, entry: resource.entry, recording: entry,
        derivation: Derivation.of(compared.request, from: entry.interaction) ?? head, faults: faults, table: table,
        session: view, asked: compared.request)
    case .generated(let response): return .made(PlayedResponse(response), by: .methods, number: number)
    case .miss(let consumed, let cursor): return .miss(miss(spelling, number, consumed: consumed, cursor))
    }
    return playback.interruption ?? plan(playback)
  }

  /// Explains why no recording answers; added stubs are included among the nearest candidates.
  private func miss(
    _ spelling: Search.Spelling, _ number: UInt64, consumed: [Miss.Consumed], _ cursor: PlaybackCursor
  ) -> Miss {
    let (library, stubs) = (spelling.layers[spelling.layers.count - 1].context, spelling.layers.dropLast())
    let miss = Miss(
      spelling.compared, number: number, in: library, consumed: consumed, cursor: cursor,
      recording: recording.withLock { $0 })
    return stubs.reduce(miss) { $0.with(stubs: $1.context, near: spelling.compared, cursor) }
  }
}
