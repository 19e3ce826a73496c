internal import CassetteSystem
internal import Cassettes

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
