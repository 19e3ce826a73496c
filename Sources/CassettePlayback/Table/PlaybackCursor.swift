internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// The positions of all recordings in a session of the server, or in a test.
struct PlaybackCursor: Sendable {
  /// The plays of a recording in the session.
  struct Plays: Sendable, Equatable {
    var count: Int
    var lastRequest: UInt64
  }

  /// The choice among a set of equal candidates.
  enum Choice: Equatable, Sendable {
    case play(Int)
    /// All candidates are consumed; the numbers of the requests that consumed them, in the order of the candidates.
    case consumed([UInt64])
  }

  private(set) var plays: [Int: Plays] = [:]
  /// The number of times that each fault could have applied, by the fault's number.
  private var turns: [Int: Int] = [:]
  /// The number of identical requests, for faults with a probability and for values that depend on the seed.
  private var requestTurns: [UInt64: Int] = [:]
  /// The states of the scenarios that have left their initial state.
  private(set) var states: [String: String] = [:]

  /// The resources that have been changed, by position.
  var resources: [Int: any ResourceElements] = [:]
  /// The counters and generated names of templates; nil until a template is rendered.
  private(set) var memory: (any TemplateMemory)?

  func state(of scenario: String) -> String { states[scenario] ?? ReplayRules.State.start }

  /// Returns true if all scenarios are in the given states.
  func isIn(_ states: [ReplayRules.State]) -> Bool { states.allSatisfy { state(of: $0.scenario) == $0.state } }

  /// Returns a mismatch for each scenario that is not in the given state.
  func mismatches(from states: [ReplayRules.State]) -> [Mismatch] {
    states.filter { state(of: $0.scenario) != $0.state }.map { wanted in
      Mismatch(part: "state.\(wanted.scenario)", sent: state(of: wanted.scenario), wanted: wanted.state)
    }
  }

  /// Sets the states of scenarios.
  mutating func enter(_ states: [ReplayRules.State]) {
    for state in states { self.states[state.scenario] = state.state }
  }

  /// Returns the equally ranked candidates that were recorded after the most recently requested change.
  ///
  /// - `candidates`: The candidates in recorded order.
  func current(_ candidates: [Matcher.Candidate], in table: RecordingTable) -> [Matcher.Candidate] {
    var latest: (cause: RecordedChanges.Cause, request: UInt64)?
    for candidate in candidates where candidate.cause != .unheeded {
      var request: UInt64 = 0
      if case .change(let change) = candidate.cause {
        request = plays[table.entries[change].position]?.lastRequest ?? 0
      }
      if latest == nil || request > latest?.request ?? 0 { latest = (candidate.cause, request) }
    }
    return candidates.filter { $0.cause == latest?.cause || $0.cause == .unheeded }
  }

  /// Chooses the next of equally ranked candidates, and advances the position.
  ///
  /// - `candidates`: The positions of recordings, in recorded order; at least one.
  /// - `request`: The number of the request.
  mutating func next(of candidates: [Int], policy: RepeatPolicy, for request: UInt64) -> Choice {
    guard let last = candidates.last else { return .consumed([]) }
    let chosen: Int
    if let fresh = candidates.first(where: { plays[$0] == nil }) {
      chosen = fresh
    } else {
      switch policy {
      case .last: chosen = last
      case .first: chosen = candidates[0]
      case .once: return .consumed(candidates.map { plays[$0]?.lastRequest ?? 0 })
      case .loop:
        // The first of the recordings with the fewest plays.
        chosen = candidates.min { (plays[$0]?.count ?? 0) < (plays[$1]?.count ?? 0) } ?? last
      }
    }
    let count = plays[chosen]?.count ?? 0
    plays[chosen] = Plays(count: count + 1, lastRequest: request)
    return .play(chosen)
  }

  /// Removes the plays of recordings and the state of resources at the given positions.
  mutating func forget(_ positions: Set<Int>) {
    for position in plays.keys where positions.contains(position) { plays[position] = nil }
    for position in resources.keys where positions.contains(position) { resources[position] = nil }
  }

  /// The number of bytes that the session has changed or added in resources.
  var resourceBytes: Int { resources.values.reduce(0) { $0 + $1.ownSize } }

  /// Increments and returns the number of times that a fault could have applied.
  mutating func turn(of fault: Int, for request: HTTPRequest, _ terms: FaultTerms) -> Int {
    guard terms.probability != nil, terms.first == nil, terms.every == nil else {
      turns[fault, default: 0] &+= 1
      return turns[fault, default: 0]
    }
    return repetition(of: request, for: fault)
  }

  /// Increments and returns the number of identical requests, separately for each purpose.
  private mutating func repetition(of request: HTTPRequest, for purpose: Int) -> Int {
    // Limits the memory that clients with ever new requests can use.
    if requestTurns.count > 10_000 { requestTurns = [:] }
    var key = SeededRandom(
      seed: UInt64(bitPattern: Int64(purpose)), Array(request.method.rawValue.utf8), Array(request.pathAndQuery.utf8),
      request.body)
    let number = key.next()
    requestTurns[number, default: 0] &+= 1
    return requestTurns[number, default: 0]
  }

  /// Returns the part of the session that an answer may use.
  ///
  /// States, counters and generated names are included only for a template, because other answers do not use them.
  mutating func view(
    for entry: Int?, _ table: RecordingTable, _ settings: PlaybackSettings, _ session: String, _ request: HTTPRequest
  ) -> SessionView {
    var view = SessionView(name: session, settings: settings)
    guard let entry else { return view }
    view.turn = plays[table.entries[entry].position]?.count ?? 1
    if settings.seed != nil { view.repetition = repetition(of: request, for: -1) }
    guard table.isTemplate(entry) else { return view }
    view.states = states
    let memory = memory ?? table.templates?.memory()
    (self.memory, view.memory) = (memory, memory)
    return view
  }
}

/// The cursors of all sessions.
///
/// Sessions are independent of each other. Far above the number of sessions of a test suite, the least recently used
/// sessions are dropped, so that clients cannot fill the memory with new names; the dropped sessions are counted.
struct SessionCursors: Sendable {
  /// The maximum number of sessions that keep their positions.
  static let capacity = 100_000

  /// The number of sessions that were dropped.
  private(set) var forgotten = 0

  private var cursors: [String: PlaybackCursor] = [:]
  /// The number of bytes that all sessions have changed or added in resources.
  var resourceBytes = 0
  private var lastUse: [String: UInt64] = [:]
  private var clock: UInt64 = 0

  var sessions: Int { cursors.count }

  /// Returns the positions of a session; the initial positions if the session has sent no request.
  func peek(_ session: String) -> PlaybackCursor { cursors[Self.key(session)] ?? PlaybackCursor() }

  /// The positions of each session, by name.
  var all: [String: PlaybackCursor] { cursors }

  /// Removes the positions of recordings and resources in every session.
  mutating func forget(_ positions: Set<Int>) {
    for session in cursors.keys { cursors[session]?.forget(positions) }
    resourceBytes = cursors.values.reduce(0) { $0 + $1.resourceBytes }
  }

  /// Passes the cursor of a session to `use`, and creates the cursor on first use.
  mutating func withCursor<R>(of session: String, _ use: (inout PlaybackCursor) -> R) -> R {
    let session = Self.key(session)
    clock += 1
    if cursors[session] == nil, cursors.count >= Self.capacity { forgetOldest() }
    lastUse[session] = clock
    return use(&cursors[session, default: PlaybackCursor()])
  }

  /// Drops the oldest sessions, many at a time, because finding the oldest requires a scan of all sessions.
  private mutating func forgetOldest() {
    let oldest = lastUse.sorted { $0.value < $1.value }.prefix(Self.capacity / 16)
    for (session, _) in oldest { forget(session) }
    forgotten += oldest.count
  }

  /// Returns the key of a session name; long names are shortened to a prefix and a hash.
  private static func key(_ session: String) -> String {
    session.utf8.count <= 256 ? session : "\(session.prefix(64))#\(session.hashValue)"
  }

  /// Resets one session.
  mutating func reset(_ session: String) {
    forget(Self.key(session))
  }

  private mutating func forget(_ session: String) {
    resourceBytes -= cursors[session]?.resourceBytes ?? 0
    cursors[session] = nil
    lastUse[session] = nil
  }
}
