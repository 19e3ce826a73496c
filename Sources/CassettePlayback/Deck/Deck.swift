internal import CassetteHTTP
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

    /// True if no fault and no setting concerns all answers.
    var isPlain: Bool { faults.isEmpty && settings.isPlain }

    /// Returns the tables that answer a session: the added stubs, then everything else.
    func tables(for session: String) -> [RecordingTable] { layers.tables(for: session) + [table] }
  }

  let state: Locked<State>
  /// A lock for changes to the cassettes and the added stubs: one at a time.
  let steering = Locked<Void>(())
  /// A lock for changes to resources: one at a time.
  let operating = Locked<Void>(())
  private let lastRequest = Counter()
  /// The generation, which grows whenever other cassettes were loaded; holders of prepared answers compare it.
  package let generation = Counter()

  /// True if a request's origin is that of the server it is for: in a session and at a proxy, not at a stand-in server.
  package let knowsOrigins: Bool
  /// True if the player loads the deck again when a body's file changes.
  let followsFiles: Bool
  private let isDefault: Bool
  /// The secrets that are sent in place of aliases, by their numbers.
  private let secrets: [Int: String]
  /// The command that records a missing answer, for the words of a miss.
  let recording: Locked<RecordCommand>

  /// Creates a deck.
  ///
  /// - Parameters:
  ///   - library: What is played.
  ///   - matching: How requests are compared with all of it.
  ///   - isDefault: Whether the level of `matching` gives way to one that a file says.
  ///   - knowsOrigins: Whether requests name the origin they are for.
  ///   - followsFiles: True if the player loads the deck again when a body's file changes.
  ///   - recording: How what is missing is recorded, for the words of a miss.
  ///   - secrets: What goes out in the place of aliases, by their numbers; stand-ins for all others.
  package init(
    _ library: CassetteLibrary, matching: CassetteMatchingOptions = CassetteMatchingOptions(), isDefault: Bool = true,
    knowsOrigins: Bool = false, followsFiles: Bool = false,
    recording: RecordCommand = .unknown, secrets: [Int: String] = [:]
  ) {
    (self.knowsOrigins, self.followsFiles, self.isDefault) = (knowsOrigins, followsFiles, isDefault)
    self.secrets = secrets
    self.recording = Locked(recording)
    state = Locked(
      State(
        table: RecordingTable(library, matching, isDefault: isDefault, secrets: secrets), library: library,
        matching: matching))
  }

  /// The tables that answer a session: the added stubs, then the recordings of the library.
  package func tables(for session: String) -> [RecordingTable] { state.withLock { $0.tables(for: session) } }

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

  /// Begins every session anew, or one; with all of them the faults count anew.
  package func reset(session: String? = nil) {
    // A resource that a request is changing would otherwise keep its state.
    operating.withLock { _ in
      state.withLock { state in
        if let session { return state.cursors.reset(session) }
        state.cursors = SessionCursors()
      }
    }
  }

  /// Adds faults to those of what is played; the cassettes stay as they are.
  package func inject(_ faults: [CassetteFault]) {
    guard !faults.isEmpty else { return }
    state.withLock { $0.faults.append(faults) }
    generation.add(1)
  }

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
    steering.withLock { _ in
      let (matching, old, before) = state.withLock { ($0.matching, $0.table, $0.library) }
      let same = library.unchangedSince(before)
      let table = RecordingTable(library, matching, isDefault: isDefault, secrets: secrets, after: old, same: same)
      table.takeMarks(of: old)
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
