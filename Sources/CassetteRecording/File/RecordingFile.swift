package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// A cassette's file that this process records into, shared by all tests and recorders.
///
/// Each save merges everything recorded so far into the file on the disk, in an order that does not depend on timing.
/// Several processes take turns.
package final class RecordingFile: Sendable {
  /// The maximum length of the file name in bytes, because temporary files have longer names, and systems allow 255.
  static let longestName = 220
  /// The path by which the file was opened first.
  package let path: String
  let state: Locked<State>
  /// The last known state on the disk; its lock is held while merging.
  let disk: Locked<Disk>

  struct State: ~Copyable, Sendable {
    var entries: [Entry] = []
    /// Counts events, to compare their order.
    var clock = 0
    var keepsFailures = false
    var renewsDates = false
  }

  /// A recorder of the file.
  struct Entry: Sendable {
    let number: Int
    let key: String?
    let site: String?
    let began: Int
    let recording: Recording
    /// The clock when the recorder was last saved; nil before the first save.
    var saved: Int?
    @Boxed var outcome = Outcome()
  }

  struct Disk: Sendable {
    /// The cassette that recordings are merged into: the initial one, or a version that others have written since.
    @Boxed var base: Cassette
    /// The bytes read or written last; nil if there was no file.
    var bytes: [UInt8]?
    /// The cassette parsed from these bytes.
    @Boxed var cassette: Cassette
    /// The ids of the recordings in the file when this process opened it.
    let original: Set<String>
    /// The ids of the recordings that others have changed since.
    var edited: Set<String> = []
    /// The clock of the last merge; the dictionaries contain the results and errors of each recorder.
    var merged = 0
    var results: [Int: Recording.Changes] = [:]
    var refused: [Int: CassetteError] = [:]
    var total = Recording.Changes()
    /// The cassette with the recordings that could not be merged, as this process wrote it.
    var kept: (path: String, bytes: [UInt8])?
  }

  /// Reads the file if it exists.
  package init(path: String) throws(CassetteError) {
    self.path = path
    let name = CassetteFileBytes.resolvingLink(path).split(separator: "/").last
    guard let name, name.utf8.count <= Self.longestName else {
      throw CassetteError(
        file: path, message: "is not a valid file name for recording",
        suggestion: "use a file name of at most \(Self.longestName) bytes")
    }
    let (cassette, bytes) = try Self.read(path)
    state = Locked(State())
    disk = Locked(
      Disk(base: cassette, bytes: bytes, cassette: cassette, original: Set(cassette.interactions.map(\.id))))
  }

  /// The cassette before this recording.
  package var cassette: Cassette { disk.withLock { $0.base } }

  /// Allows failures to replace recorded responses.
  package func keepFailures() { state.withLock { $0.keepsFailures = true } }

  /// Replaces the content and date of every repeated recording, even if its response is unchanged.
  package func renewDates() { state.withLock { $0.renewsDates = true } }

  /// Adds a recorder of the file.
  ///
  /// - `key`: The test that records; nil for a recorder outside tests.
  /// - `site`: The place in the test; exchanges recorded there again after the recorder ended replace the earlier ones.
  ///
  /// Returns the recorder's number, for ``save(_:_:prunes:noting:)``.
  package func begin(_ recording: Recording, by key: String? = nil, at site: String? = nil) -> Int {
    state.withLock { state in
      state.clock += 1
      let number = state.entries.count
      state.entries.append(
        Entry(number: number, key: key, site: site, began: state.clock, recording: recording))
      return number
    }
  }

  /// The outcome of one recorder.
  package struct Outcome: Sendable {
    /// The redaction; nil for the redaction of the recording.
    package var redaction: CassetteRedaction?
    /// The ids of recordings that were replayed.
    package var played: Set<String> = []
    /// True if the test failed: existing recordings are kept.
    package var hasFailed = false
    /// The player's matching rules for all recordings; the parts of requests they ignore keep their recorded text.
    @Boxed package var match = MatchRules()
    /// The exchanges, if they are in a journal.
    package var journaled: Journaled?

    package init() {}
  }

  /// The exchanges of a recorder that were written to a journal.
  package struct Journaled: Sendable {
    let exchanges: [Interaction]
    @Boxed var pass: RedactionPass

    /// Creates the content of a journal.
    ///
    /// - `exchanges`: The exchanges as written to the journal, in the order in which they were sent.
    /// - `pass`: The redaction that numbered their secrets, and may know more secrets by now.
    package init(exchanges: [Interaction], pass: RedactionPass) {
      (self.exchanges, self.pass) = (exchanges, pass)
    }
  }

  /// Merges the exchanges of a recorder, and everything saved before, into the file.
  ///
  /// May be called again after more exchanges are recorded. On return, all of them are in the file on the disk.
  ///
  /// - `number`: The recorder's number from ``begin(_:by:at:)``.
  /// - `outcome`: The outcome of the recorder.
  /// - `prunes`: True if recordings that no recorder requested are removed.
  /// - `note`: Called with the file's new bytes before they replace the old ones.
  ///
  /// Returns the changes in the file caused by this recorder.
  package func save(
    _ number: Int, _ outcome: Outcome = Outcome(), prunes: Bool = false,
    noting note: (_ bytes: [UInt8]) throws(CassetteError) -> Void = { _ in }
  ) throws(CassetteError) -> Recording.Changes {
    let due = state.withLock { state in
      state.clock += 1
      guard state.entries.indices.contains(number) else { return state.clock }
      state.entries[number].saved = state.clock
      state.entries[number].outcome = outcome
      return state.clock
    }
    let result = disk.withLock { disk in
      Swift.Result { () throws(CassetteError) in
        // Another recorder may have merged these exchanges together with its own.
        if disk.merged < due || prunes { try merge(&disk, prunes: prunes, noting: note) }
        if let error = disk.refused[number] { throw error }
        return disk.results[number] ?? Recording.Changes()
      }
    }
    return try result.get()
  }

  /// All changes in the file, as of the last merge.
  package var total: Recording.Changes { disk.withLock { $0.total } }

  /// Removes recordings that no recorder requested.
  package func prune(sparing spared: Set<String> = []) throws(CassetteError) -> Recording.Changes {
    let result = disk.withLock { disk in
      Swift.Result { () throws(CassetteError) in
        try merge(&disk, prunes: true, sparing: spared)
        return disk.total
      }
    }
    return try result.get()
  }

  /// The tests that record into the file, and the reasons why some recordings may still be needed.
  package var standing: Standing {
    let refused = disk.withLock { Set($0.refused.keys) }
    return state.withLock { state in
      var standing = Standing()
      for entry in state.entries {
        if let key = entry.key { standing.tests.insert(key) }
        let name = entry.key ?? "a recorder"
        if entry.saved == nil {
          standing.doubts.append("\(name) has not ended")
        } else if entry.outcome.hasFailed {
          standing.doubts.append("\(name) failed")
        } else if refused.contains(entry.number) {
          standing.doubts.append("\(name) was not saved")
        } else if entry.recording.hasFailures || entry.recording.unfinished > 0 {
          standing.doubts.append("\(name) got no response to a request")
        }
      }
      return standing
    }
  }

  /// The state of the recorders of a file.
  package struct Standing: Sendable {
    /// The tests that record into the file.
    package var tests: Set<String> = []
    /// The reasons why recordings that were not requested may still be needed.
    package var doubts: [String] = []
  }

  /// The content of the file, as of the last merge.
  package var written: Cassette { disk.withLock { $0.cassette } }

  /// The canonical path of the file, independent of the name by which it was opened.
  package var identity: String { CassetteFileIdentity.path(of: path) }
}
