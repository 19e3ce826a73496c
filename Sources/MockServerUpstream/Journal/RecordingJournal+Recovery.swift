package import CassetteRecording
internal import CassetteSecrets
package import Cassettes

extension RecordingJournal {
  /// The result of recovering an abandoned journal.
  package struct Recovery: Sendable {
    /// The cassette's path.
    package let cassette: String
    /// The number of exchanges in the journal.
    package let exchanges: Int
    /// The changes in the cassette.
    package let changes: Recording.Changes
    /// The new path of a journal with unreadable parts, or nil; its long bodies are not kept.
    package let damaged: String?
  }

  /// Merges an abandoned journal into its cassette, and removes the journal.
  ///
  /// Recordings that are not in the journal are kept, because it covers only part of a session.
  ///
  /// - Parameter cassette: The path of the cassette, whose file need not exist.
  /// - Returns: The result, or nil if there is no journal or its owner is still running.
  /// - Throws: ``CassetteError`` if the cassette cannot be read or written; the journal is kept in this case.
  package static func recover(beside cassette: String) throws(CassetteError) -> Recovery? {
    guard Folder.resolvedKind(of: CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix) == .file else {
      return nil
    }
    return try CassetteFileLock.holding(cassette) { () throws(CassetteError) in try recoverInTurn(beside: cassette) }
  }

  private static let remedy = "make its folder writable, or leave the journal unmerged: serve --read-only"

  private static func recoverInTurn(beside cassette: String) throws(CassetteError) -> Recovery? {
    let target = CassetteFileBytes.resolvingLink(cassette)
    let path = target + JournalName.suffix
    let bytes: [UInt8]
    let file: JournalFile
    do throws(FileFailure) {
      guard let found = try JournalFile(taking: path) else { return nil }
      file = found
      bytes = try file.read()
    } catch {
      throw CassetteError(file: path, message: error.message, suggestion: remedy)
    }
    defer { file.close() }
    guard JournalFrame.isJournal(bytes) else {
      throw CassetteError(
        file: path, message: "is not a journal of this version and is not changed",
        suggestion: "move it elsewhere, or remove it if it is not needed")
    }
    let journal = JournalFrame.read(bytes)
    let there = (try? CassetteFileBytes.read(path: cassette)) ?? []
    if let folded = journal.frames.last(where: { $0.number == JournalFrame.folded }),
      folded.bytes == JournalFrame.seal(of: there)
    {
      // The process was killed after writing the cassette and before removing the journal.
      file.remove()
      JournalBodies.remove(besideFile: target)
      return nil
    }
    let frames = journal.frames.filter { $0.number >= 0 }.sorted { $0.number < $1.number }
    var (exchanges, isLost) = Self.exchanges(frames, target)
    var changes = Recording.Changes()
    if !exchanges.isEmpty {
      let old =
        Folder.resolvedKind(of: cassette) == .missing
        ? Cassette(name: CassetteFile.name(ofFile: cassette)).forNewFile(cassette)
        : try CassetteFile.read(path: cassette)
      if JournalFrame.isOld(bytes) { exchanges = try OldJournal.converted(exchanges, besides: there) }
      let base = journal.frames.first { $0.number == JournalFrame.base }?.bytes
      var edited: Set<String> = []
      if let base, base != there {
        let before =
          base.isEmpty
          ? Cassette(name: old.name) : try CassetteFile.read(bytes: base, name: old.name, file: target)
        edited = old.edited(since: before)
      }
      var fold = RecordingFold(base: old)
      fold.edited = edited
      fold.isLooked = true
      let part = RecordingPart(
        mode: frames.contains(where: \.adds) ? .recordMissing : .record, redaction: .standard, sent: exchanges,
        journal: RedactionPass(.standard))
      let merged = try fold.merged([part])
      changes = merged.changes
      // The journal covers only part of a session.
      changes.unchanged += changes.unasked.count
      changes.unasked = []
      CassetteFileLock.removeLeftovers(of: cassette)
      do throws(CassetteError) {
        if !changes.isEmpty {
          try CassetteFile.write(merged.cassette, to: cassette) { bytes throws(CassetteError) in
            // A damaged journal is kept unchanged.
            guard !journal.isDamaged, !isLost else { return }
            do throws(FileFailure) { try file.append(JournalFrame.note(foldedInto: bytes)) } catch {
              throw CassetteError(error, of: path)
            }
          }
        }
      } catch {
        var error = error
        error.suggestion = error.suggestion ?? remedy
        throw error
      }
    }
    // The damage was not caused by a crash; the file is kept so that a person can try to read it.
    let kept = journal.isDamaged || isLost ? file.setAside() : nil
    if kept == nil { file.remove() }
    JournalBodies.remove(besideFile: target)
    return Recovery(cassette: cassette, exchanges: exchanges.count, changes: changes, damaged: kept)
  }

  /// Reads the recorded exchanges from the journal.
  ///
  /// - Parameter count: The number of recorded exchanges.
  /// - Returns: All recorded exchanges.
  /// - Throws: ``CassetteError`` if reading fails or exchanges are missing; the journal is kept in this case.
  package func content(of count: Int) throws(CassetteError) -> RecordingFile.Journaled {
    let bytes = try failing { () throws(FileFailure) in try file.read() }
    let frames = JournalFrame.read(bytes).frames.filter { $0.number >= 0 }.sorted { $0.number < $1.number }
    let exchanges = Self.exchanges(frames, cassette).all
    guard exchanges.count >= count else {
      let count = count - exchanges.count
      throw CassetteError(
        file: path, message: "\(count) of the recorded exchanges \(count == 1 ? "is" : "are") missing from the journal",
        suggestion: "record again; the remaining exchanges are merged then, unless the journal is changed or removed")
    }
    return RecordingFile.Journaled(exchanges: exchanges, pass: pass)
  }

  /// Returns exchanges of this journal with secrets redacted that were found after the exchanges were written.
  package func folding(_ exchanges: [Interaction]) -> [Interaction] {
    var pass = pass
    pass.table.seekRedacted()
    return exchanges.map { (try? pass.redacting($0, onlyKnown: true)) ?? $0 }
  }

  /// Parses the exchanges in the frames of a journal.
  ///
  /// - Returns: The exchanges, and whether an exchange is unreadable because its body is missing.
  static func exchanges(_ frames: [JournalFrame], _ file: String) -> (all: [Interaction], isLost: Bool) {
    var exchanges: [Interaction] = []
    var isLost = false
    for frame in frames {
      do throws(CassetteError) {
        exchanges += try CassetteFile.read(bytes: frame.bytes, name: "journal", file: file).interactions
      } catch {
        isLost = true
      }
    }
    // Ids are assigned by the cassette.
    for index in exchanges.indices { exchanges[index].id = "" }
    return (exchanges, isLost)
  }
}
