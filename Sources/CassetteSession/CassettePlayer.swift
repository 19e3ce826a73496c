package import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
public import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of sessions from cassettes and stubs, and keeps account of them.
///
/// Each player has a deck of its own: sessions of different players never hear of each other, however many run at once.
public final class CassettePlayer: Sendable {
  struct State {
    var library: CassetteLibrary
    var stubs = StubTable()
    var ledger = CassetteLedger()
    /// The deck with the results of constant plans; nil before the first.
    var view: DeckView?
    var types: [CassetteURLProtocol.Type] = []
    var closed: SessionProtocolClasses.Closing?
    var recorders: [Recorder] = []
    /// The rules for all recordings of the cassettes that are recorded.
    var recordedMatch = MatchRules()
    /// The test that plays, as its recordings name it.
    var test: String?
    var isLive = false
    var redaction = CassetteRedaction.standard
    /// The levels that were said for cassettes here, by the cassette's name: they win over what the files say.
    var levels: [String: MatchLevel] = [:]
    /// True if recordings without a level are compared exactly.
    var isStrict = false
    /// The test that the player belongs to, and the context of its closures; nil outside of tests.
    var owner: PlayingTest?
    var context: TaskContext?
    /// The error that tasks without a recording end with; nil for an error that tells of the miss.
    var missError: (any Error)?
    /// The clock of delays, gaps and time-outs; nil for real time.
    var clock: (any Clock<Duration>)?
    /// The observers of each answer: those of the task that made the player, and those that came later.
    var observers = PlayedExchange.observers
  }

  /// The name of a test or cassette, for messages.
  public let name: String
  package let deck: Deck
  /// The gates that hold answers.
  package let gates = AnswerGates()
  let state: Locked<State>
  let live = LiveSession()
  /// The number of tasks under way.
  private let flights = Counter()
  /// Set if there was ever more than one task at a time.
  let hasOverlapped = Flag()
  /// Set once an answer's cookies were kept: a task that was made before does not have them yet.
  let hasKeptCookies = Flag()

  /// Creates a player of cassettes that were read, or made in code.
  ///
  /// - Parameters:
  ///   - cassettes: What is played, the first preferred among equals.
  ///   - name: Who plays, for the messages.
  public init(_ cassettes: [Cassette] = [], name: String? = nil) {
    var library = CassetteLibrary(cassettes: cassettes)
    library.hasRoomForFixtures = false
    self.name = name ?? cassettes.first?.name ?? "a player without cassettes"
    deck = Deck(library, knowsOrigins: true)
    state = Locked(State(library: library))
  }

  /// Creates a player of files.
  ///
  /// Unless a mode is given that says otherwise, nothing goes to the network and nothing is written.
  ///
  /// - Parameters:
  ///   - paths: Cassettes, or folders of them with their fixtures.
  ///   - name: Who plays, for the messages.
  ///   - mode: Play or record; the environment has no effect, see ``CassetteMode/resolved(_:environment:)``.
  ///   - matching: How requests are compared with their recordings.
  /// - Throws: ``CassetteError`` with file, line and column of what is wrong.
  public convenience init(
    paths: [String], name: String? = nil, mode: CassetteMode = .replay, matching: CassetteMatchingOptions...
  ) throws(CassetteError) {
    self.init(name: name ?? paths.first)
    try add(paths: paths, mode: mode, matching: CassetteMatchingOptions(matching))
  }

  /// Adds cassettes, or folders, behind what plays; for before the first request, and `matching` wins over the files'.
  package func add(
    paths: [String], mode: CassetteMode, matching: CassetteMatchingOptions = CassetteMatchingOptions(),
    for test: RecordingTest? = nil
  ) throws(CassetteError) {
    if let problem = matching.problems.first {
      throw CassetteError(file: paths.first ?? name, message: "matching: \(problem)")
    }
    if mode == .live { state.withLock { $0.isLive = true } }
    var protected: Set<String> = []
    if mode.records {
      for path in paths where Folder.resolvedKind(of: path) == .file {
        if try CassetteLibrary.load([path]).cassettes.contains(where: \.isProtected) { protected.insert(path) }
      }
      var recorders: [Recorder] = []
      for path in paths where !protected.contains(path) {
        recorders.append(try Recorder(path: path, mode: mode, for: test))
      }
      state.withLock { state in
        state.recorders += recorders
        state.recordedMatch = matching.rules.over(state.recordedMatch)
      }
    }
    let there =
      switch mode {
      case .replay: paths
      case .recordMissing: paths.filter { Folder.resolvedKind(of: $0) != .missing }
      case .record, .live: paths.filter(protected.contains)
      }
    guard !there.isEmpty else { return }
    let more = try CassetteLibrary.load(there)
    let cassettes = more.cassettes.map { cassette in
      var cassette = test.map { cassette.preferring($0.name) } ?? cassette
      cassette.match = matching.rules.over(cassette.match)
      return cassette
    }
    change { state in
      let old = state.library
      if let level = matching.level { for cassette in cassettes { state.levels[cassette.name] = level } }
      state.library = CassetteLibrary(cassettes: old.cassettes + cassettes, fixtures: old.fixtures + more.fixtures)
      state.library.hasRoomForFixtures = old.hasRoomForFixtures || more.hasRoomForFixtures
      state.test = test?.name
    }
  }

  /// Adds stubs behind earlier ones and before every cassette; meant for before the first request.
  ///
  /// - Parameter stubs: What else answers.
  public func add(_ stubs: [CassetteStub]) { add(stubs, scope: 0) }

  /// Adds stubs before every cassette and before stubs of smaller scopes, but behind the earlier ones of their own.
  package func add(_ stubs: [CassetteStub], scope: Int) {
    change { state in
      state.stubs.append(stubs, scope: scope)
      state.library = state.library.with(
        [state.stubs.cassette] + state.library.cassettes.filter { $0.name != CassetteStub.cassette })
    }
  }

  /// Adds a stub while requests come: before all that plays already.
  package func add(now stub: CassetteStub) throws(AddedStub.Refusal) {
    try deck.add(state.withLock { $0.stubs.added(stub) })
  }

  /// Adds faults to those of the answers; cassettes and stubs stay as they are.
  ///
  /// - Parameter faults: What goes wrong, or takes its time.
  public func inject(_ faults: [CassetteFault]) { deck.inject(faults) }

  private func change(_ change: (inout State) -> Void) {
    let library = state.withLock { state in
      change(&state)
      return state.library.with(
        state.library.cassettes.map { cassette in
          var cassette = cassette
          cassette.matching = state.levels[cassette.name] ?? (state.isStrict ? .exact : cassette.matching)
          return cassette
        })
    }
    deck.load(library)
  }

  /// Measures delays, gaps of streams, latency, throttles and time-outs of requests by a clock, from now on.
  ///
  /// What a client itself waits for, such as its back-off, needs the same clock.
  ///
  /// - Parameter clock: A clock that a test advances; nil for real time.
  public func use(_ clock: (any Clock<Duration>)?) { state.withLock { $0.clock = clock } }

  /// Ends tasks without a recording with an error that the test's framework does not report once more.
  package func throwForMisses(_ error: (any Error)?) { state.withLock { $0.missError = error } }

  /// The error that tasks without a recording end with; nil for an error that tells of the miss.
  var missError: (any Error)? { state.withLock { $0.missError } }

  /// The clock of delays and time-outs; nil for real time.
  var clock: (any Clock<Duration>)? { state.withLock { $0.clock } }

  /// Runs the closures of stubs from now on with the task-local values of the caller, which belongs to the current test.
  package func joinTest() {
    let context = TaskContext()
    state.withLock { ($0.owner, $0.context) = (.current, context) }
  }

  /// Compares exactly wherever no level was said here, and judges the order of recordings with rules, too.
  package func beStrict() { change { $0.isStrict = true } }

  /// Says how what is missing is recorded, for the words of a miss.
  package func record(by command: RecordCommand) { deck.record(by: command) }

  /// Begins every recording anew, counts faults anew, and takes out the stubs that were added since requests came.
  public func reset() {
    deck.removeStubs { _ in true }
    deck.reset()
  }

  /// Ends the play: from now on requests fail with this player's name.
  public func end() { end("came after \"\(name)\" had ended") }

  /// Ends the play with the reason for requests that still come; `late` hears of each of them, on whatever queue.
  package func end(
    _ reason: String, late: (@Sendable (_ message: String, _ isOfOtherTest: Bool) -> Void)? = nil
  ) {
    let (types, closing) = state.withLock { state in
      let closing = SessionProtocolClasses.Closing(reason: reason, late: late, owner: state.owner)
      (state.closed, state.context) = (closing, nil)
      return (state.types, closing)
    }
    SessionProtocolClasses.shared.close(types, of: self, closing)
    live.end()
  }

  /// The destination of requests that come to this player.
  var destination: SessionProtocolClasses.Destination {
    state.withLock { $0.closed }.map { .closed($0) } ?? .player(self)
  }

  /// Refuses a request that another test sends, and reports it to the test of this player; nil for other requests.
  func refusal(of sender: PlayingTest?, _ line: String) -> String? {
    guard let sender else { return nil }
    return state.withLock { state in
      guard let owner = state.owner, owner.id != sender.id else { return nil }
      let text = "\(line) was sent through the session of \(owner.name) \(PlayingTest.words(for: sender))"
      if !state.ledger.problems.contains(text) { state.ledger.problems.append(text) }
      return text
    }
  }

  /// Notes a request that cannot be answered, as a failure of the test.
  func note(problem: String) {
    state.withLock { state in
      state.ledger.note(CassetteLedger.Entry(nil, url: problem) { "refused" })
      state.ledger.problems.append(problem)
    }
  }

  /// True if no request was sent while another one was under way.
  package var sendsInOrder: Bool { !hasOverlapped.isSet }

  /// Counts a task under way.
  func beginFlight() { if flights.add(1) > 1, !hasOverlapped.isSet { hasOverlapped.set() } }

  /// Counts a task under way no more.
  func endFlight() { flights.add(-1) }

  func takeProtocolClass() -> CassetteURLProtocol.Type {
    let type = SessionProtocolClasses.shared.take(for: self)
    let closed = state.withLock { state in
      state.types.append(type)
      return state.closed
    }
    if let closed { SessionProtocolClasses.shared.close([type], of: self, closed) }
    return type
  }
}

extension CassetteLibrary {
  /// Returns a library with these fixtures and other cassettes.
  fileprivate func with(_ cassettes: [Cassette]) -> CassetteLibrary {
    var library = CassetteLibrary(cassettes: cassettes, fixtures: fixtures)
    library.hasRoomForFixtures = hasRoomForFixtures
    return library
  }
}
