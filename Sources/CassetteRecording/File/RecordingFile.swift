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
    var outcome = Outcome()
  }

  struct Disk: Sendable {
    /// The cassette that recordings are merged into: the initial one, or a version that others have written since.
    var base: Cassette
    /// The bytes read or written last; nil if there was no file.
    var bytes: [UInt8]?
    /// The cassette parsed from these bytes.
    var cassette: Cassette
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
    package var match = MatchRules()
    /// The exchanges, if they are in a journal.
    package var journaled: Journaled?

    package init() {}
  }

  /// The exchanges of a recorder that were written to a journal.
  package struct Journaled: Sendable {
    let exchanges: [Interaction]
    var pass: RedactionPass

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

extension RecordingFile {
  /// Merges all saved recordings into the file on the disk.
  func merge(
    _ disk: inout Disk, prunes: Bool, sparing spared: Set<String> = [],
    noting note: (_ bytes: [UInt8]) throws(CassetteError) -> Void = { _ in }
  ) throws(CassetteError) {
    if disk.bytes != nil, Folder.resolvedKind(of: path) == .missing { forget(upTo: disk.merged) }
    let (entries, keepsFailures, renewsDates, now) = state.withLock {
      ($0.entries.filter { $0.saved != nil }, $0.keepsFailures, $0.renewsDates, $0.clock)
    }
    let (order, parts) = Self.parts(of: entries)
    try Folder.make(Folder.parent(of: CassetteFileBytes.resolvingLink(path)))
    var changed = disk
    try CassetteFileLock.holding(path) { () throws(CassetteError) in
      var fold = RecordingFold(base: changed.base, original: changed.original)
      fold.keepsFailures = keepsFailures
      fold.renewsDates = renewsDates
      fold.prunes = prunes
      fold.spared = spared
      do throws(CassetteError) {
        try look(&changed)
      } catch {
        throw keeping(fold, order, parts, &disk, because: error)
      }
      fold.base = changed.base
      fold.edited = changed.edited
      let result = try self.fold(fold, order, parts, &changed)
      if !result.changes.isEmpty {
        CassetteFileLock.removeLeftovers(of: path)
        try CassetteFile.write(result.cassette, to: path, noting: note)
        (changed.cassette, changed.bytes) = try Self.read(path)
        if prunes { changed.base = changed.cassette }
      }
      changed.total = result.changes
      changed.merged = now
    }
    disk = changed
  }

  /// Forgets the recordings saved into a file that was deleted, because their content was deleted with it.
  private func forget(upTo time: Int) {
    state.withLock { state in
      for index in state.entries.indices where state.entries[index].saved.map({ $0 <= time }) ?? false {
        state.entries[index].saved = nil
      }
    }
  }

  /// Reads the changes that others have made to the file since the last read.
  private func look(_ disk: inout Disk) throws(CassetteError) {
    let (there, bytes) = try Self.read(path)
    switch (bytes, disk.bytes) {
    case (nil, nil): return
    case (let new?, let old?) where ByteSearch.isSame(new, old): return
    default: break
    }
    disk.edited.formUnion(there.edited(since: disk.cassette))
    (disk.base, disk.cassette, disk.bytes) = (there, there, bytes)
  }

  /// Merges all parts; if that fails, merges only the parts that do not cause an error.
  private func fold(
    _ fold: borrowing RecordingFold, _ order: [Int], _ parts: [RecordingPart], _ disk: inout Disk
  ) throws(CassetteError) -> RecordingFold.Result {
    let result: RecordingFold.Result
    var kept = parts.indices.filter { disk.refused[order[$0]] == nil }
    do throws(CassetteError) {
      result = try fold.merged(kept.map { parts[$0] })
    } catch {
      // Parts that were merged before are valid; each other part is tried separately.
      var good = kept.filter { disk.results[order[$0]] != nil }
      for index in kept where disk.results[order[index]] == nil {
        do throws(CassetteError) {
          _ = try fold.merged((good + [index]).sorted().map { parts[$0] })
          good.append(index)
        } catch {
          disk.refused[order[index]] = error
        }
      }
      kept = good.sorted()
      result = try fold.merged(kept.map { parts[$0] })
    }
    for (index, changes) in zip(kept, result.parts) { disk.results[order[index]] = changes }
    return result
  }

  /// Writes the new recordings to a cassette next to the file, which cannot be parsed.
  ///
  /// An existing file is replaced only if this process has written it. The caller holds the lock of the folder.
  private func keeping(
    _ fold: borrowing RecordingFold, _ order: [Int], _ parts: [RecordingPart], _ disk: inout Disk,
    because error: CassetteError
  ) -> CassetteError {
    var error = error
    error.message += "; the file is not changed"
    do throws(CassetteError) {
      let result = try self.fold(fold, order, parts, &disk)
      // A recorder with a journal keeps its exchanges there.
      guard !result.fresh.isEmpty, parts.contains(where: { $0.journal == nil }) else { return error }
      var cassette = result.cassette
      cassette.interactions = result.fresh
      let path = pathOfKept(disk)
      var written: [UInt8] = []
      try CassetteFile.write(cassette, to: path) { written = $0 }
      disk.kept = (path, written)
      let remedy = "then record again, or copy the recordings from \(path); remove that file afterwards"
      error.message += ", and the new recordings are in \(path)"
      error.suggestion = "\(error.suggestion ?? "correct the file"); \(remedy)"
    } catch let other {
      error.message += "; the new recordings could not be written either: \(other.message)"
    }
    return error
  }

  /// Returns the path for the recordings that cannot be merged: `NAME.recorded.json`, with a number if that file exists.
  private func pathOfKept(_ disk: Disk) -> String {
    if let kept = disk.kept, (try? CassetteFileBytes.read(path: kept.path)) == kept.bytes { return kept.path }
    let target = CassetteFileBytes.resolvingLink(path)
    let name = Folder.join(Folder.parent(of: target), CassetteFile.name(ofFile: target) + ".recorded")
    var (path, number) = ("\(name).json", 1)
    while Folder.kind(of: path) != .missing {
      number += 1
      path = "\(name)-\(number).json"
    }
    return path
  }

  /// Reads the file; returns an empty cassette if the file does not exist.
  static func read(_ path: String) throws(CassetteError) -> (cassette: Cassette, bytes: [UInt8]?) {
    let name = CassetteFile.name(ofFile: path)
    switch Folder.resolvedKind(of: path) {
    case .folder, .link:
      throw CassetteError(
        file: path, message: "is a folder of cassettes; name the cassette file to record into")
    case .file:
      let bytes = try CassetteFile.bytes(of: path)
      return (try CassetteFile.read(bytes: bytes, name: name, file: path), bytes)
    case .missing:
      var cassette = Cassette(name: name).forNewFile(path)
      cassette.file = path
      return (cassette, nil)
    }
  }

  // MARK: Parts

  /// Sorts the exchanges of the recorders in the order of the file.
  ///
  /// - Returns: The numbers of the recorders, and the contribution of each.
  static func parts(of entries: [Entry]) -> (order: [Int], parts: [RecordingPart]) {
    let ordered = entries.sorted { one, other in
      switch (one.key, other.key) {
      case (let first?, let second?) where first != second: return TestOrder.precedes(first, second)
      case (nil, _?): return true
      case (_?, nil): return false
      default: break
      }
      if let first = one.site, let second = other.site, first != second { return TestOrder.precedes(first, second) }
      return one.number < other.number
    }
    var parts = ordered.map { entry in
      let outcome = entry.outcome
      var part = entry.recording.part(outcome.redaction, by: entry.key)
      if let journaled = outcome.journaled { (part.sent, part.journal) = (journaled.exchanges, journaled.pass) }
      part.played = outcome.played
      part.hasFailed = outcome.hasFailed
      part.match = outcome.match
      return part
    }
    // The recordings of a repeated test are merged after those of its earlier run, which they replace.
    for index in ordered.indices.sorted(by: { ordered[$0].number < ordered[$1].number }) {
      for earlier in ordered.indices where isRepeated(ordered[earlier], by: ordered[index]) {
        parts[index].generation = max(parts[index].generation, parts[earlier].generation + 1)
      }
    }
    return (ordered.map(\.number), parts)
  }

  /// True if a test, or a part of a test, ran again after it had ended.
  private static func isRepeated(_ one: Entry, by other: Entry) -> Bool {
    one.key == other.key && one.site == other.site && one.saved.map { $0 < other.began } ?? false
  }
}
