package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// A cassette's file that this process records into: one for all tests and recorders, under every name the file has.
///
/// Each time something is saved, all that was recorded by then is merged into what is on the disk, in an order that does
/// not depend on who was first. Several processes take turns.
package final class RecordingFile: Sendable {
  /// The most bytes of a file's name: what is written beside it has a longer one, and systems take 255.
  static let longestName = 220
  /// The file, as it was first named.
  package let path: String
  let state: Locked<State>
  /// True if the owner keeps a journal of the recording, so that none need be put beside a file that no longer reads.
  let hasJournal: Bool
  /// The known state of the disk; whoever holds it merges.
  let disk: Locked<Disk>

  struct State: Sendable {
    var names: [String]
    var entries: [Entry] = []
    /// Counts what happens, so that it can be told what was before what.
    var clock = 0
    var keepsFailures = false
    var renewsDates = false
    /// True if there is a file beside this one with what could not be merged.
    var hasSetAside = false

    mutating func takeSetAside() -> Bool {
      defer { hasSetAside = false }
      return hasSetAside
    }
  }

  /// A recorder among those of the file.
  struct Entry: Sendable {
    let number: Int
    let key: String?
    let site: String?
    let began: Int
    let recording: Recording
    /// The time at which it was saved last; nil before.
    var saved: Int?
    var outcome = Outcome()
  }

  struct Disk: Sendable {
    /// The cassette that all is merged into: as it was, or as others have written it meanwhile.
    var base: Cassette
    /// The bytes that were read or written last; nil where there was no file.
    var bytes: [UInt8]?
    /// The cassette in those bytes.
    var cassette: Cassette
    /// Ids of what was there when this process came.
    let original: Set<String>
    /// Ids of recordings that others have changed meanwhile.
    var edited: Set<String> = []
    /// The clock up to which saved recordings are merged; the results are those of each recorder.
    var merged = 0
    var results: [Int: Recording.Changes] = [:]
    var refused: [Int: CassetteError] = [:]
    var total = Recording.Changes()
  }

  /// Reads the file, if it is there, and merges what a recorder has left beside it.
  ///
  /// - Parameters:
  ///   - path: The cassette's file.
  ///   - hasJournal: Whether its owner keeps a journal of what is recorded.
  /// - Throws: When there is something else, or a cassette that does not read.
  package init(path: String, hasJournal: Bool = false) throws(CassetteError) {
    self.path = path
    self.hasJournal = hasJournal
    let name = CassetteFileBytes.resolvingLink(path).split(separator: "/").last
    guard let name, name.utf8.count <= Self.longestName else {
      throw CassetteError(
        file: path, message: "is no name for a cassette that is recorded",
        suggestion: "name a file with at most \(Self.longestName) bytes in its name")
    }
    _ = try RecordingJournal.recover(beside: path)
    let (cassette, bytes) = try Self.read(path)
    state = Locked(State(names: [path]))
    disk = Locked(
      Disk(base: cassette, bytes: bytes, cassette: cassette, original: Set(cassette.interactions.map(\.id))))
  }

  /// The cassette as it was recorded before.
  package var cassette: Cassette { disk.withLock { $0.base } }

  /// Takes note of another name of the file.
  func name(_ path: String) {
    state.withLock { state in
      if !state.names.contains(path) { state.names.append(path) }
    }
  }

  var names: [String] { state.withLock { $0.names } }

  /// Lets failures replace what was recorded.
  package func keepFailures() { state.withLock { $0.keepsFailures = true } }

  /// Replaces the text and date of every recording that is recorded again, even if its answer is unchanged.
  package func renewDates() { state.withLock { $0.renewsDates = true } }

  /// Begins to record into the file.
  ///
  /// - Parameters:
  ///   - recording: What is recorded.
  ///   - key: The test that records; nil for a recorder that is none's.
  ///   - site: Where in the test: what is recorded there again, after it ended, takes the place of what it was.
  /// - Returns: What to save it by.
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
    /// The redaction of its secrets; nil for that of its recording.
    package var redaction: CassetteRedaction?
    /// Ids of recordings that were played in it.
    package var played: Set<String> = []
    /// True if it is a failed test's: what was recorded before stays then.
    package var hasFailed = false
    /// The matching rules of its player for all recordings: what they ignore keeps its text.
    package var match = MatchRules()
    /// The exchanges, where a journal has them.
    package var journaled: RecordingJournal.Content?

    package init() {}
  }

  /// Merges what a recorder has, with all that was saved before it, into the file.
  ///
  /// It may be called again when more was recorded. On return all of it is in the file, and on the disk.
  ///
  /// - Parameters:
  ///   - number: What ``begin(_:by:at:)`` gave.
  ///   - outcome: What there is to say of it.
  ///   - prunes: Whether what no recorder asked for is taken away.
  ///   - note: Takes the file's bytes before they take the place of the old ones.
  /// - Returns: What is different in the file because of it.
  /// - Throws: What looks like a token in it; that the file no longer reads; or what the system said.
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
        // Somebody has merged it together with his own.
        if disk.merged < due || prunes { try merge(&disk, prunes: prunes, noting: note) }
        if let error = disk.refused[number] { throw error }
        return disk.results[number] ?? Recording.Changes()
      }
    }
    return try result.get()
  }

  /// All changes in the file, as of the last merge.
  package var total: Recording.Changes { disk.withLock { $0.total } }

  /// Takes away what no recorder asked for.
  ///
  /// - Parameter spared: Ids of recordings that stay all the same.
  /// - Returns: What is different in the file in all.
  /// - Throws: As saving does.
  package func prune(sparing spared: Set<String> = []) throws(CassetteError) -> Recording.Changes {
    let result = disk.withLock { disk in
      Swift.Result { () throws(CassetteError) in
        try merge(&disk, prunes: true, sparing: spared)
        return disk.total
      }
    }
    return try result.get()
  }

  /// The recorders of the file: which tests they are of, and which of them cannot say what is still asked for.
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
          standing.doubts.append("\(name) had no answer to a request")
        }
      }
      return standing
    }
  }

  /// The facts about the recorders of a file.
  package struct Standing: Sendable {
    /// The tests that record into it.
    package var tests: Set<String> = []
    /// The reasons why recordings that were not asked for may be needed all the same.
    package var doubts: [String] = []
  }

  /// The content of the file, as of the last merge.
  package var written: Cassette { disk.withLock { $0.cassette } }

  /// The file's path under which it is known, whatever name it was opened by.
  package var identity: String { CassetteFileIdentity.path(of: path) }
}
