package import CassetteHTTP
package import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
public import Cassettes
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of sessions from cassettes and stubs, and records them in a ledger.
///
/// Each player has a separate deck, so that the sessions of concurrent players do not affect each other.
public final class CassettePlayer: Sendable {
  struct State: ~Copyable {
    var library: CassetteLibrary
    var stubs = StubTable()
    var ledger = CassetteLedger()
    /// The deck with its cached results of constant plans; nil before the first request.
    var view: DeckView?
    var types: [CassetteURLProtocol.Type] = []
    var closed: SessionProtocolClasses.Closing?
    var recorders: [Recorder] = []
    /// The common matching rules of the cassettes that are recorded.
    var recordedMatch = MatchRules()
    /// The name of the running test in its recordings.
    var test: String?
    var redaction = CassetteRedaction.standard
    /// The levels set for cassettes in code, by the cassette's name; they take precedence over the levels in files.
    var levels: [String: MatchLevel] = [:]
    /// True if recordings without a level are compared exactly.
    var isStrict = false
    /// The test that owns the player; nil outside of tests.
    ///
    /// The context is for the closures of its stubs.
    var owner: PlayingTest?
    var context: TaskContext?
    /// The error for tasks without a recording; nil for an error that describes the miss.
    var missError: (any Error)?
    /// The clock for delays, latencies and timeouts; nil for real time.
    var clock: (any Clock<Duration>)?
    /// The observers of each answer: those bound when the player was created, and those added later.
    var observers = PlayedExchange.observers
  }

  /// The name of the test or cassette, for messages.
  public let name: String
  package let deck: Deck
  /// The gates that hold answers.
  package let gates = AnswerGates()
  let state: Locked<State>
  let live = LiveSession()
  /// The number of tasks in progress.
  private let flights = Counter()
  /// Set if more than one task was ever in progress at the same time.
  let hasOverlapped = Flag()
  /// Set after cookies of an answer were stored: a task created before does not have them.
  let hasKeptCookies = Flag()

  /// Creates a player of cassettes that were loaded or made in code.
  ///
  /// - Parameters:
  ///   - cassettes: The cassettes to play; earlier ones are preferred if recordings match equally. None by default.
  ///   - name: The name of the player in messages. By default, the name of the first cassette.
  public init(_ cassettes: [Cassette] = [], name: String? = nil) {
    var library = CassetteLibrary(cassettes: cassettes)
    library.hasRoomForFixtures = false
    self.name = name ?? cassettes.first?.name ?? "a player without cassettes"
    deck = Deck(library, knowsOrigins: true)
    state = Locked(State(library: library))
  }

  /// Creates a player of cassette files.
  ///
  /// By default, nothing is sent to the network and nothing is written.
  ///
  /// - Parameters:
  ///   - paths: The paths of cassettes, or of folders of cassettes and fixtures.
  ///   - name: The name of the player in messages. By default, the first path.
  ///   - mode: The mode, replay by default. The environment is ignored, see ``CassetteMode/resolved(_:environment:)``.
  ///   - matching: The rules for comparing requests with recordings. By default, the rules of the files.
  /// - Throws: ``CassetteError`` with file, line and column of the error.
  public convenience init(
    paths: [String], name: String? = nil, mode: CassetteMode = .replay, matching: CassetteMatchingOptions...
  ) throws(CassetteError) {
    self.init(name: name ?? paths.first)
    try add(paths: paths, mode: mode, matching: CassetteMatchingOptions(matching))
  }

  /// Adds cassettes or folders after the existing ones, before the first request; `matching` takes precedence over the
  /// rules of the files.
  package func add(
    paths: [String], mode: CassetteMode, matching: CassetteMatchingOptions = CassetteMatchingOptions(),
    for test: RecordingTest? = nil
  ) throws(CassetteError) {
    if let problem = matching.problems.first {
      throw CassetteError(file: paths.first ?? name, message: "matching: \(problem)")
    }
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
      case .record: paths.filter(protected.contains)
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

  /// Adds stubs after earlier stubs and before all cassettes.
  ///
  /// Call it before the first request.
  ///
  /// - Parameter stubs: The stubs to add.
  public func add(_ stubs: [CassetteStub]) { add(stubs, scope: 0) }

  /// Adds stubs before all cassettes and stubs of outer scopes, and after earlier stubs of the same scope.
  package func add(_ stubs: [CassetteStub], scope: Int) {
    change { state in
      state.stubs.append(stubs, scope: scope)
      state.library = state.library.with(
        [state.stubs.cassette] + state.library.cassettes.filter { $0.name != CassetteStub.cassette })
    }
  }

  /// Adds a stub during playback, which takes precedence over all recordings and stubs.
  package func add(now stub: CassetteStub) throws(AddedStub.Refusal) {
    try deck.add(state.withLock { $0.stubs.added(stub) })
  }

  /// Applies additional faults to the answers; cassettes and stubs are not changed.
  ///
  /// - Parameter faults: The faults and delays to apply.
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

  /// Uses a clock for the delays, latencies, throttles and timeouts of later requests.
  ///
  /// Pass the same clock to clients that wait themselves, for example between retries.
  ///
  /// - Parameter clock: A clock that a test advances; nil for real time.
  public func use(_ clock: (any Clock<Duration>)?) { state.withLock { $0.clock = clock } }

  /// Sets the error for tasks without a recording, to one that the test framework does not report again.
  package func throwForMisses(_ error: (any Error)?) { state.withLock { $0.missError = error } }

  /// The error for tasks without a recording; nil for an error that describes the miss.
  var missError: (any Error)? { state.withLock { $0.missError } }

  /// The clock for delays and timeouts; nil for real time.
  var clock: (any Clock<Duration>)? { state.withLock { $0.clock } }

  /// Makes the current test the owner of the player; closures of stubs run with the task-local values of the caller.
  package func joinTest() {
    let context = TaskContext()
    state.withLock { ($0.owner, $0.context) = (.current, context) }
  }

  /// Compares requests exactly unless a level is set in code, and also checks the order of recordings with rules.
  package func beStrict() { change { $0.isStrict = true } }

  /// Sets the command to record missing recordings, for the message of a miss.
  package func record(by command: RecordCommand) { deck.record(by: command) }

  /// Restarts all recordings and fault counters, and removes the stubs added during playback.
  public func reset() {
    deck.removeStubs { _ in true }
    deck.reset()
  }

  /// Ends playback: later requests fail with an error that contains the name of the player.
  public func end() { end("was sent after \"\(name)\" had ended") }

  /// Ends playback with a reason for later requests to fail.
  ///
  /// `late` is called for each of them, on any queue.
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

  /// The destination of requests to this player.
  var destination: SessionProtocolClasses.Destination {
    state.withLock { $0.closed }.map { .closed($0) } ?? .player(self)
  }

  /// Returns the reason to refuse a request from another test, and reports it to the owner; nil for other requests.
  func refusal(of sender: PlayingTest?, _ request: URLRequest) -> String? {
    guard let sender, let owner = state.withLock({ $0.owner }), owner.id != sender.id else { return nil }
    let text =
      "\(Loader.line(of: request)) was sent through the session of \(owner.name) "
      + PlayingTest.words(for: sender)
    state.withLock { if !$0.ledger.problems.contains(text) { $0.ledger.problems.append(text) } }
    return text
  }

  /// Adds a request that cannot be answered to the problems of the test.
  package func note(problem: String) {
    state.withLock { state in
      state.ledger.note(CassetteLedger.Entry(nil, url: problem) { "refused" })
      state.ledger.problems.append(problem)
    }
  }

  /// True if no requests were concurrent.
  package var sendsInOrder: Bool { !hasOverlapped.isSet }

  /// Counts a task that begins.
  func beginFlight() { if flights.add(1) > 1, !hasOverlapped.isSet { hasOverlapped.set() } }

  /// Counts a task that has ended.
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
  /// Returns a library with the same fixtures and other cassettes.
  fileprivate func with(_ cassettes: [Cassette]) -> CassetteLibrary {
    var library = CassetteLibrary(cassettes: cassettes, fixtures: fixtures)
    library.hasRoomForFixtures = hasRoomForFixtures
    return library
  }
}

/// A request and its answer before faults are applied, for observers that check exchanges during playback.
package struct PlayedExchange: Sendable {
  /// The request as the session sent it.
  package let request: HTTPRequest
  package let url: URL
  package let status: HTTPStatus
  package let headers: HTTPHeaders
  /// The body without its content coding; nil if the body is incomplete.
  package let body: [UInt8]?
  /// The recording or stub that answered; nil for an answer derived from several recordings.
  package let recording: (id: String, cassette: String, place: SourcePlace?)?

  /// True if a stub answered.
  package var isStub: Bool { recording?.cassette == CassetteStub.cassette }

  /// The observers of all players that are created while this value is bound.
  @TaskLocal package static var observers: [@Sendable (PlayedExchange) -> Void] = []
}

extension CassettePlayer {
  /// Adds an observer of all later answers, called on the queue of the task before the client receives the answer.
  package func observe(_ observer: @escaping @Sendable (PlayedExchange) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  func tell(_ request: HTTPRequest, _ played: PlayedResponse, _ url: URL, of recording: RecordingTable.Entry?)
    throws(CassetteError)
  {
    let observers = state.withLock { $0.observers }
    guard !observers.isEmpty, played.failure == nil else { return }
    // The observer receives the same length and decoded body as the client.
    guard case .response(let delivery) = try ExchangeResult(played, url: url).outcome else { return }
    let exchange = PlayedExchange(
      request: request, url: url, status: played.status, headers: played.headers,
      body: delivery.brokenOff == nil ? delivery.pieces.flatMap(\.data) : nil,
      recording: recording.map { ($0.interaction.id, $0.cassette, $0.interaction.place) })
    for observer in observers { observer(exchange) }
  }
}

extension CassettePlayer {
  /// The requests so far and their outcomes.
  public var ledger: CassetteLedger {
    let (kept, isStrict, test) = state.withLock { ($0.ledger, $0.isStrict, $0.test) }
    var ledger = kept
    let table = deck.table
    let shown = { @Sendable (number: Int) -> String in
      let entry = table.entries[number]
      let place = entry.interaction.place.map { " (\($0.file):\($0.line))" } ?? ""
      return
        "\(entry.interaction.method) \(SecretNames.masked(url: entry.interaction.url)) — \"\(entry.interaction.shownID)\" of \"\(entry.cassette)\"\(place)"
    }
    // The order of concurrent requests is unknown, and stubs have no recorded order.
    if !hasOverlapped.isSet {
      ledger.outOfOrder = table.outOfOrder(withRules: isStrict).filter {
        table.entries[$0.first].cassette != CassetteStub.cassette
      }
      .map { "\(shown($0.second))\n    was requested before \(shown($0.first))" }
    }
    (ledger.faultsNeverMet, ledger.ignoredNeverFound) = (deck.faultsNeverMet, deck.ignoredNeverFound)
    let overriding = Overriding(table)
    let unplayed = table.neverPlayed.filter { number in
      let interaction = table.entries[number].interaction
      // A recording made by another test is expected to be used by that test.
      if let test, let other = interaction.recorded?.by, other != test { return false }
      return !overriding.hides(interaction)
    }
    ledger.isHidden = { overriding.hides($0) }
    ledger.unplayed = CassetteLedger.Unplayed(numbers: unplayed, words: shown)
    return ledger
  }

  /// The requests received so far, in order, including each request of a redirect; only the first thousand are kept.
  public var requests: [CassetteSentRequest] { state.withLock { $0.ledger.requests.compactMap(\.sent) } }
}

/// The stubs that replace recordings or stubs of an outer scope, which are therefore not reported as unused.
private struct Overriding: Sendable {
  private let stubs: [Interaction]

  init(_ table: RecordingTable) {
    stubs = table.entries.filter { $0.cassette == CassetteStub.cassette }.map(\.interaction)
  }

  /// Returns true if a stub with a higher priority answers the recorded request.
  func hides(_ interaction: Interaction) -> Bool {
    let nearer = stubs.filter { $0.match.priority > interaction.match.priority }
    guard !nearer.isEmpty, let target = HTTPTarget(interaction.pathAndQuery) else { return false }
    var cassette = Cassette(name: CassetteStub.cassette)
    cassette.interactions = nearer
    let request = HTTPRequest(
      method: interaction.method, target: target, headers: interaction.requestHeaders,
      body: (try? interaction.requestBody?.bytes()) ?? [])
    return Deck(CassetteLibrary(cassettes: [cassette])).plan(request).playback != nil
  }
}

extension CassettePlayer {
  /// The name of the environment variable with the cassettes for an app: `CASSETTES`.
  public static let launchVariable = "CASSETTES"

  /// Creates a player of cassettes in the resources of a bundle.
  ///
  /// A name selects the file `NAME.json` or the folder `NAME`, in the folder `Cassettes` of the bundle or directly in
  /// the bundle, depending on how `resources: [.copy("Cassettes")]`, `.process` or Xcode copied it.
  ///
  /// - Parameters:
  ///   - names: The names of the cassettes, or absolute paths.
  ///   - bundle: The bundle with the cassettes.
  ///   - matching: The rules for comparing requests with recordings. By default, the rules of the files.
  /// - Throws: ``CassetteError`` if a cassette is not found, or has an error.
  public convenience init(_ names: String..., in bundle: Bundle, matching: CassetteMatchingOptions...)
    throws(CassetteError)
  {
    try self.init(names: names, in: bundle, matching)
  }

  private convenience init(names: [String], in bundle: Bundle, _ matching: [CassetteMatchingOptions])
    throws(CassetteError)
  {
    self.init(name: names.joined(separator: ", "))
    var paths: [String] = []
    for name in names { paths.append(try Self.path(of: name, in: bundle)) }
    try add(paths: paths, mode: .replay, matching: CassetteMatchingOptions(matching))
  }

  /// Returns a player if the environment of this process specifies cassettes; nil otherwise.
  ///
  /// `CASSETTES` contains names as in `init(_:in:matching:)`, separated by colons. A UI test sets the variable before
  /// it launches the app. If a cassette cannot be read, every request fails with an explanation.
  ///
  /// - Parameters:
  ///   - bundle: The bundle with the cassettes. The main bundle by default.
  ///   - environment: The environment variables. By default, those of the process.
  ///   - matching: The rules for comparing requests with recordings. By default, the rules of the files.
  /// - Returns: The player, which its sessions retain; nil if the app should use its servers.
  public static func launched(
    in bundle: Bundle = .main, environment: [String: String] = ProcessInfo.processInfo.environment,
    matching: CassetteMatchingOptions...
  ) -> CassettePlayer? {
    guard let value = environment[launchVariable], !value.isEmpty else { return nil }
    let names = value.split(separator: ":").map(String.init)
    do throws(CassetteError) {
      return try CassettePlayer(names: names, in: bundle, matching)
    } catch {
      // If the app used its servers instead, the test would seem to pass.
      let player = CassettePlayer(name: value)
      player.end("was sent by an app started with \(launchVariable)=\(value), which cannot be played: \(error)")
      return player
    }
  }

  /// Returns the path of a cassette, or of a folder of cassettes, by its name in a folder; nil if it is not found.
  package static func path(of name: String, in folder: String) -> String? {
    let plain = folder.isEmpty ? name : Folder.join(folder, name)
    let candidates = name.hasSuffix(".json") ? [plain] : [plain + ".json", plain]
    return candidates.first { Folder.resolvedKind(of: $0) != .missing }
  }

  /// Returns the path of a cassette, or of a folder of cassettes, in the resources of a bundle.
  private static func path(of name: String, in bundle: Bundle) throws(CassetteError) -> String {
    var places: [String] = []
    for folder in [bundle.resourcePath, bundle.bundlePath].compactMap({ $0 }) where !places.contains(folder) {
      places.append(folder)
    }
    let bases = name.hasPrefix("/") ? [""] : places.flatMap { [Folder.join($0, "Cassettes"), $0] }
    for base in bases {
      if let path = path(of: name, in: base) { return path }
    }
    throw CassetteError(
      file: name, message: "the cassette was not found in \(places.joined(separator: ", "))",
      suggestion: "add it to the app's resources: resources: [.copy(\"Cassettes\")], or give its absolute path")
  }
}
