internal import CassetteOpenAPI
public import CassettePlayback
package import CassetteRecording
internal import CassetteSystem
public import Cassettes
internal import MockServerControl
internal import MockServerSockets
package import MockServerUpstream

/// An HTTP server that answers from fixtures and cassettes.
///
/// ```swift
/// let server = try MockServer(.init(cassettes: ["cassettes"], port: 0))
/// let address = try server.start()   // "http://127.0.0.1:49152"
/// server.stop()
/// ```
public final class MockServer: Sendable {
  /// The reason why a server could not start.
  public enum Failure: Error, Sendable, CustomStringConvertible {
    /// Another process already listens on the port.
    case portTaken(host: String, port: Int)
    /// The host is not an address of this machine, or listening on it is not permitted.
    case cannotListen(String)
    /// The server was started before.
    case alreadyStarted

    /// A description of the failure and its remedy.
    public var description: String {
      switch self {
      case .portTaken(let host, let port):
        "port \(port) on \(host) is in use; stop the other server, or choose a free port with --port 0"
      case .cannotListen(let reason): reason
      case .alreadyStarted: "the server was already started"
      }
    }
  }

  /// A summary of the requests and recordings of a server's run.
  public struct Summary: Sendable {
    /// The number of answered requests, including misses.
    public let requests: Int
    /// The number of requests that no recording answered.
    public let misses: Int
    /// The number of answers by recordings that differ from the request, and the last 200 of them.
    public let approximations: (count: Int, last: [Approximation])
    /// The number of recordings, without fixtures.
    public let recordings: Int
    /// The recordings that no request played, as `cassette/id`.
    public let neverPlayed: [String]
    /// The faults that matched no request, as they are written in code.
    public let faultsNeverMet: [String]
    /// The paths of ignored values that selected nothing in all bodies that were compared.
    public let ignoredNeverFound: [String]
    /// True if every request in flight was answered before the server stopped.
    public let finished: Bool
  }

  struct Running {
    let state: ServerState
    let listeners: [Listener]
    let group: EventLoopGroup
    let handles: [LoopHandle]
    let watcher: FileWatcher?
  }

  let configuration: Configuration
  package let deck: Deck
  let recorder: Recorder?
  let feed: EventFeed
  /// Problems of the files that do not prevent playback.
  public let warnings: [CassetteError]
  /// The numbers of recordings, cassettes, fixtures and resources that were loaded at the start.
  public let counts: (recordings: Int, cassettes: Int, fixtures: Int, resources: Int)
  let library: Locked<CassetteLibrary>
  let specifications: SpecificationSet?
  /// The error that prevents changed files from being served, until it is corrected.
  private let broken = Locked<CassetteError?>(nil)
  /// The number of operations in the specifications.
  public var operations: Int { specifications?.operations ?? 0 }
  let running = Locked<Running?>(nil)

  /// Reads the cassettes, without starting to listen.
  ///
  /// - Parameter configuration: The settings of the server.
  /// - Throws: ``CassetteError`` with the file, line and column of the problem.
  public init(_ configuration: Configuration) throws(CassetteError) {
    var configuration = configuration
    var recorder: Recorder?
    let feed = EventFeed(secrets: configuration.secrets)
    if let settings = configuration.recording {
      let isThere = Folder.resolvedKind(of: settings.cassette) == .file
      let name = CassetteFile.name(ofFile: settings.cassette)
      let cassette = isThere ? try CassetteFile.read(path: settings.cassette) : Cassette(name: name)
      // Recording everything again plays no recordings; recording missing ones needs the existing recordings.
      configuration.cassettes = settings.mode == .recordMissing && isThere ? [settings.cassette] : []
      let recording = try Recorder(settings, into: cassette) { feed.note(.recording, $0) }
      feed.mask { recording.masking($0, about: $1) }
      recorder = recording
      configuration.limits = configuration.limits.widened(to: .recording)
    }
    specifications =
      configuration.specifications.isEmpty
      ? nil
      : try SpecificationSet(
        configuration.specifications, mode: configuration.contract, seed: configuration.playback.seed)
    var library = try CassetteLibrary.load(configuration.cassettes, fixtures: configuration.fixtures)
    if !configuration.made.isEmpty {
      library = CassetteLibrary(cassettes: configuration.made + library.cassettes, fixtures: library.fixtures)
    }
    self.configuration = configuration
    self.recorder = recorder
    self.feed = feed
    self.library = Locked(library)
    warnings = library.warnings
    deck = Deck(
      library, matching: configuration.matching, isDefault: !configuration.insistsOnMatching,
      knowsOrigins: configuration.proxy != nil, followsFiles: configuration.watches, speed: configuration.speed,
      recording: configuration.proxy == nil ? .server : .proxy,
      secrets: configuration.secrets, mostElements: configuration.maxElements)
    deck.settings = configuration.playback
    deck.inject(configuration.faults)
    if let write = configuration.logOutput {
      feed.add(
        configuration.log == .table
          ? LogTableWriter(columns: configuration.logColumns, colors: configuration.logColors, write: write)
          : LogWriter(configuration.log, configuration.logFormat, write: write))
    }
    let resources = library.cassettes.reduce(0) { $0 + $1.resources.count }
    counts = (library.recordingCount, library.cassettes.count, library.fixtureCount, resources)
  }

  /// Stops accepting, finishes the requests in flight and ends.
  ///
  /// - Parameter limit: The maximum time for requests in flight; the default is 5 seconds.
  /// - Returns: A summary of the run, or nil if the server was not running.
  @discardableResult
  public func stop(within limit: Duration = .seconds(5)) -> Summary? {
    guard let running = running.withLock({ $0.take() }) else { return nil }
    running.watcher?.stop()
    for listener in running.listeners { listener.stopListening() }
    let seconds = max(0, min(limit / .seconds(1), 3_600))
    let end = Platform.monotonicNanoseconds() + UInt64(seconds * 1e9)
    for number in running.handles.indices { running.group.send(.stop(end), to: number) }
    var finished = true
    for handle in running.handles { finished = handle.join(within: seconds + 1) && finished }
    feed.finish()
    let table = deck.table
    return Summary(
      requests: Int(clamping: deck.requestCount), misses: running.state.misses.total,
      approximations: (running.state.approximations.total, running.state.approximations.last),
      recordings: table.recordingCount,
      neverPlayed: table.neverPlayed.map { "\(table.entries[$0].cassette)/\(table.entries[$0].interaction.id)" },
      faultsNeverMet: deck.faultsNeverMet, ignoredNeverFound: deck.ignoredNeverFound,
      finished: finished && Platform.monotonicNanoseconds() < end)
  }

  deinit { stop(within: .zero) }

  /// Resets every session, removes the added stubs, and clears the journal.
  public func reset() { running.withLock { $0?.state }?.reset(session: nil) }

  /// Uses a clock for the delays, latencies, throttles and gaps of later answers.
  ///
  /// It has no effect before the server has started.
  ///
  /// - Parameter clock: A clock that a test advances; nil for real time.
  public func use(_ clock: (any Clock<Duration>)?) {
    running.withLock { $0?.state }?.clock.withLock { $0 = clock }
  }

  /// The progress of recording; nil if the server does not record.
  package var recordingProgress: RecordingProgress? { recorder?.progress }

  /// Writes the recorded exchanges to the cassette; must be called after the server has stopped.
  ///
  /// Returns the changes to the cassette and the number of incomplete exchanges, or nil if the server does not record.
  /// If writing fails, the recorded exchanges remain in the recording's journal.
  package func saveRecording() throws(CassetteError) -> (changes: Recording.Changes, unfinished: Int)? {
    guard let recorder else { return nil }
    defer { feed.drain() }
    let table = deck.table
    let never = Set(table.neverPlayed)
    let played = table.entries.indices.filter { !never.contains($0) && !table.entries[$0].isFixture }
    return try recorder.save(played: Set(played.map { table.entries[$0].interaction.id }))
  }

  /// Discards the recorded exchanges and their journal; must be called after the server has stopped.
  package func discardRecording() { recorder?.discard() }

  func watch(_ state: ServerState) -> FileWatcher? {
    let paths = configuration.cassettes + (configuration.fixtures.map { [$0] } ?? []) + (specifications?.files ?? [])
    return FileWatcher(paths) { [weak self] in self?.reload(state, $0) ?? true }
  }

  /// Reloads the changed files if they can be read; returns false while a file is being written.
  private func reload(_ state: ServerState, _ activity: @escaping FileActivity.Lookup) -> Bool {
    let old = library.withLock { $0 }
    do throws(CassetteError) {
      if let specifications, try specifications.reload() {
        state.noteLoad(of: specifications.paths)
        feed.note(
          .reload(recordings: old.recordingCount, fixtures: old.fixtureCount),
          "specifications changed: operations \(specifications.operations)")
      }
      let new = try CassetteLibrary.load(
        configuration.cassettes, fixtures: configuration.fixtures, reusing: old, activity: activity)
      broken.withLock { $0 = nil }
      guard new.differs(from: old) else { return !new.isUnsettled }
      library.withLock { $0 = new }
      state.admit(RequestMeasures(of: new))
      deck.load(new)
      let files = new.files(differingFrom: old)
      state.noteLoad(of: files)
      // The log may be written to a file in the watched folder: reporting every change would cause endless reloads.
      guard new.recordingsDiffer(from: old) else { return !new.isUnsettled }
      let (recordings, fixtures) = (new.recordingCount, new.fixtureCount)
      feed.note(
        .reload(recordings: recordings, fixtures: fixtures),
        "files changed (\(Self.named(files))): recordings \(recordings), fixtures \(fixtures)")
      return !new.isUnsettled
    } catch {
      state.noteLoad(failing: "\(error)")
      // For the same reason a broken file is reported once, not at each change of the folder.
      let isNew = broken.withLock { last in
        defer { last = error }
        return last != error
      }
      guard isNew else { return true }
      feed.note(.fileBroken(error), "\(error)\n  the last valid version is still served")
      return true
    }
  }

  private static func named(_ files: [String]) -> String {
    files.prefix(3).joined(separator: ", ") + (files.count > 3 ? " and \(files.count - 3) more" : "")
  }
}
