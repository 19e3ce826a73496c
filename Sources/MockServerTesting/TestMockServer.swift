import CassetteHTTP
import CassettePlayback
public import CassetteSession
internal import CassetteSystem
public import CassetteTesting
import Cassettes
import Dispatch
public import Foundation
import MockServerKit
internal import MockServerUpstream

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A mock server on a free local port that runs for the duration of a test.
public final class TestMockServer: CassetteSteeredPlayer {
  @TaskLocal static var running: TestMockServer?

  /// The server of the running test, created by `.mockServer(…)`; nil if there is none.
  public static var current: TestMockServer? { running }

  /// The base URL of the server, such as `http://127.0.0.1:49152`.
  public let url: URL

  private let server: MockServer
  private let history: ServerHistory
  private let recording: ServerRecording?
  private let stubs: StubHolder
  private let gates: AnswerGates

  /// The stubs of the test, including those added while it runs.
  private final class StubHolder: Sendable {
    let table: Locked<StubTable>
    /// The context of the test, in which closures are called.
    let context = Locked<TaskContext?>(nil)

    init(_ stubs: [CassetteStub]) { table = Locked(StubTable(stubs)) }
  }

  /// The outcome of a server's requests.
  struct Outcome {
    var problems: [String] = []
    var requests: [CassetteLedger.Entry] = []
    var count = 0
    var neverPlayed: [String] = []
    var missed: [String] = []
    var faultsNeverMet: [String] = []
    var ignoredNeverFound: [String] = []
    var approximations: [Approximation] = []
    /// A description of the recorded changes; nil if nothing was recorded.
    var recorded: String?
  }

  /// Starts a server, after other servers that record into the same cassette have stopped.
  ///
  /// - `command`: The way to record, for the remedies of misses; unknown by default.
  static func start(
    paths: [String], stubs: [CassetteStub] = [], faults: [CassetteFault] = [],
    matching: CassetteMatchingOptions = CassetteMatchingOptions(),
    _ strictness: CassetteStrictness, recording: ServerRecording? = nil, recordedBy command: RecordCommand = .unknown
  ) async throws -> TestMockServer {
    if let recording { await RecordingTurns.shared.begin(recording.settings.cassette) }
    do {
      let started = try TestMockServer(
        paths: paths, stubs: stubs, faults: faults, matching: matching, strictness, recording: recording)
      started.server.deck.record(by: command)
      return started
    } catch {
      if let recording { await RecordingTurns.shared.end(recording.settings.cassette) }
      throw error
    }
  }

  private init(
    paths: [String], stubs: [CassetteStub], faults: [CassetteFault], matching: CassetteMatchingOptions,
    _ strictness: CassetteStrictness,
    recording: ServerRecording?
  ) throws {
    if let problem = matching.problems.first {
      throw CassetteError(file: paths.first ?? "", message: "matching: \(problem)")
    }
    for stub in stubs { if let problem = stub.problem { throw problem } }
    var configuration = MockServer.Configuration(cassettes: paths, port: 0)
    configuration.loops = 1
    configuration.watches = false
    configuration.faults = faults
    configuration.matching = matching
    if strictness.level == .strict, matching.level == nil { configuration.matching.level = .exact }
    configuration.insistsOnMatching = true
    configuration.recording = recording?.settings
    let holder = StubHolder(stubs)
    if !stubs.isEmpty { configuration.made = [holder.table.withLock { $0.cassette }] }
    configuration.answering = { request, playback throws(CassetteError) in
      guard playback.recording.cassette == StubTable.name else { return nil }
      let context = holder.context.withLock { $0 }
      let table = holder.table.withLock { $0 }
      let answer = try table.answer(to: playback, method: request.method, in: context) { URLRequest(request) }
      return answer.map { ($0.made, seconds: $0.seconds) }
    }
    let gates = configuration.gates
    if stubs.contains(where: \.isHeld) { Self.addGates(of: holder, to: gates) }
    let server = try MockServer(configuration)
    let history = ServerHistory()
    server.observe(requests: true) { history.note($0) }
    let address = try server.start()
    guard let url = URL(string: address) else {
      server.stop(within: .zero)
      throw CassetteError(file: address, message: "is not a URL")
    }
    self.url = url
    self.server = server
    self.history = history
    self.recording = recording
    self.stubs = holder
    self.gates = gates
  }

  /// Lets stubs hold their answers.
  private static func addGates(of holder: StubHolder, to gates: AnswerGates) {
    gates.add { _, stub in stub.flatMap { id in holder.table.withLock { $0.gate(ofStub: id) } } }
  }

  /// The interface with which this package controls the server.
  public var steering: CassetteSteering {
    CassetteSteering(server.deck, gates) { [server, stubs, gates] stub throws(AddedStub.Refusal) in
      if stub.isHeld { Self.addGates(of: stubs, to: gates) }
      try server.deck.add(stubs.table.withLock { $0.added(stub) })
    }
  }

  /// The requests received so far, in order.
  ///
  /// Only the first thousand are kept.
  public var requests: [CassetteSentRequest] {
    server.deliverEvents()
    return history.requests.compactMap(sent)
  }

  private func sent(_ request: HTTPRequest) -> CassetteSentRequest? {
    let text = request.target.form == .absolute ? request.target.text : "\(url.absoluteString)\(request.pathAndQuery)"
    return URL(string: text).map { CassetteSentRequest(request, url: $0) }
  }

  /// Runs a function with this server as the current one.
  func running<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await TestMockServer.$running.withValue(self) {
      try await HeardRequests.$current.withValue({ self.requests }) {
        let context = TaskContext()
        stubs.context.withLock { $0 = context }
        return try await body()
      }
    }
  }

  /// Uses a clock for the delays, latencies, throttles and gaps of later answers.
  ///
  /// Time-outs of the client take real time, unless the client uses the same clock.
  ///
  /// - Parameter clock: A clock that the test advances; nil for real time.
  public func use(_ clock: (any Clock<Duration>)?) { server.use(clock) }

  /// Resets all recordings to their initial state, and removes the stubs added since the start.
  public func reset() { server.reset() }

  /// Stops the server, saves the recording, and returns the problems and the recordings that were not played.
  func stop(failed: Bool) async -> Outcome {
    // Stopping blocks until connections are closed, so it must not run on a thread of the concurrency pool.
    let summary = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.server.stop(within: .seconds(1))) }
    }
    var outcome = Outcome(
      neverPlayed: summary?.neverPlayed ?? [],
      faultsNeverMet: summary?.faultsNeverMet ?? [], ignoredNeverFound: summary?.ignoredNeverFound ?? [],
      approximations: summary?.approximations.last ?? [])
    var problem: String?
    if let recording {
      do throws(CassetteError) {
        outcome.recorded = try recording.end(server, failed: failed)
      } catch {
        problem = "\(error)"
      }
      // In a recording mode, existing recordings need not be played.
      outcome.neverPlayed = []
      await RecordingTurns.shared.end(recording.settings.cassette)
    }
    outcome.missed = history.missed
    // Saving may report further problems.
    (outcome.problems, outcome.count) = history.told
    if failed || !outcome.problems.isEmpty { outcome.requests = history.entries(server.deck.table, sent) }
    if let problem { outcome.problems.append(problem) }
    return outcome
  }
}

extension TestMockServer {
  /// Appends the played recordings to the report file named in the environment.
  ///
  /// Returns the problem if that fails.
  func appendReport(of test: String, _ outcome: Outcome, hasFailed: Bool) -> String? {
    guard recording == nil else { return nil }
    return RunReport.append(
      test, server.deck.table, hasFailed: hasFailed, missed: outcome.missed,
      approximate: outcome.approximations.map(\.request))
  }
}

extension TestMockServer {
  /// True if neither a cassette nor a stub was to answer anything.
  var isIdle: Bool { recording == nil && server.deck.table.entries.isEmpty }

  /// Notes what was played, for the lines at the end of the run.
  func noteUnplayed(_ strictness: CassetteStrictness, hasFailed: Bool) {
    guard recording == nil else { return }
    UnplayedRecordings.note(server.deck.table, strictness, hasFailed: hasFailed)
  }
}

extension URLRequest {
  /// Creates a URL request from a received request, with its content in `httpBody`.
  fileprivate init(_ request: HTTPRequest) {
    let host = request.headers["Host"] ?? "localhost"
    let text = request.target.form == .absolute ? request.target.text : "http://\(host)\(request.pathAndQuery)"
    self.init(url: URL(string: text) ?? URL(filePath: "/"))
    httpMethod = request.method.rawValue
    for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
  }
}
