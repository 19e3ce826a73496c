internal import CassetteHTTP
package import CassetteSystem
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
    var layers = StubLayers()
    /// The number of the table, which increases whenever a library is loaded.
    var tableNumber = 0

    /// True if neither faults nor settings affect all answers.
    var isPlain: Bool { faults.isEmpty && settings.isPlain }

    /// Returns the tables that answer a session: the added stubs, then the library.
    func tables(for session: String) -> [RecordingTable] { layers.tables(for: session) + [table] }
  }

  let state: Locked<State>
  /// The lock that serializes changes to the cassettes and the added stubs.
  let steering = Locked<Void>(())
  /// The lock that serializes changes to resources.
  let operating = Locked<Void>(())
  private let lastRequest = Counter()
  /// The generation, which increases whenever a change may outdate the players' cached answers.
  package let generation = Counter()

  /// True if requests name the origin they are sent to: in a session and at a proxy, but not at a stand-in server.
  package let knowsOrigins: Bool
  /// True if the player reloads the deck when a body's file changes.
  let followsFiles: Bool
  private let isDefault: Bool
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
  package init(
    _ library: CassetteLibrary, matching: CassetteMatchingOptions = CassetteMatchingOptions(), isDefault: Bool = true,
    knowsOrigins: Bool = false, followsFiles: Bool = false, speed: Double = 1,
    recording: RecordCommand = .unknown, secrets: [Int: String] = [:]
  ) {
    (self.knowsOrigins, self.followsFiles, self.isDefault) = (knowsOrigins, followsFiles, isDefault)
    (self.speed, self.secrets) = (speed, secrets)
    self.recording = Locked(recording)
    state = Locked(
      State(
        table: RecordingTable(library, matching, isDefault: isDefault, secrets: secrets), library: library,
        matching: matching))
  }

  /// Returns the tables that answer a session: the added stubs, then the recordings of the library.
  package func tables(for session: String) -> [RecordingTable] { state.withLock { $0.tables(for: session) } }

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

  /// The number of sessions that were dropped because there were too many.
  package var forgottenSessions: Int { state.withLock { $0.cursors.forgotten } }

  /// The number of sessions that have positions.
  package var sessions: Int { state.withLock { $0.cursors.sessions } }

  /// Loads other cassettes, which answer from the next request on.
  ///
  /// Recordings of unchanged cassettes keep their positions; the positions of changed cassettes are reset.
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
