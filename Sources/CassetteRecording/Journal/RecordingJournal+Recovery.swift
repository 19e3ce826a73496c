internal import CassetteSecrets
package import Cassettes

extension RecordingJournal {
  /// The result of recovering a journal that was left behind.
  package struct Recovery: Sendable {
    /// The cassette's path.
    package let cassette: String
    /// The number of exchanges in the journal.
    package let exchanges: Int
    /// The changes that they made in the cassette.
    package let changes: Recording.Changes
    /// The present place of a journal with unreadable parts, if any; long bodies are not kept with it.
    package let damaged: String?
  }

  /// Merges the journal that was left beside a cassette, and removes it.
  ///
  /// Recordings that are not in the journal stay: it is of a part of a session.
  ///
  /// - Parameter cassette: The cassette's path; its file need not exist.
  /// - Returns: What came of it; nil when there is no journal, or its owner is still at work.
  /// - Throws: When the cassette cannot be read or written; the journal stays then.
  package static func recover(beside cassette: String) throws(CassetteError) -> Recovery? {
    guard Folder.resolvedKind(of: CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix) == .file else {
      return nil
    }
    return try CassetteFileLock.holding(cassette) { () throws(CassetteError) in try recoverInTurn(beside: cassette) }
  }

  private static let remedy = "let its folder be written, or let the journal lie: serve --read-only"

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
        file: path, message: "is no journal that this version reads, and is left alone",
        suggestion: "move it away, or remove it if nobody needs it")
    }
    let journal = JournalFrame.read(bytes)
    let there = (try? CassetteFileBytes.read(path: cassette)) ?? []
    if let folded = journal.frames.last(where: { $0.number == JournalFrame.folded }),
      folded.bytes == JournalFrame.seal(of: there)
    {
      // It was killed between the last two steps.
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
      // It is of a part of a session.
      changes.unchanged += changes.unasked.count
      changes.unasked = []
      CassetteFileLock.removeLeftovers(of: cassette)
      do throws(CassetteError) {
        if !changes.isEmpty {
          try CassetteFile.write(merged.cassette, to: cassette) { bytes throws(CassetteError) in
            // A journal that is kept aside stays as it is.
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
    // Within it something is broken that a crash does not break: perhaps a person can read what it was.
    let kept = journal.isDamaged || isLost ? file.setAside() : nil
    if kept == nil { file.remove() }
    JournalBodies.remove(besideFile: target)
    return Recovery(cassette: cassette, exchanges: exchanges.count, changes: changes, damaged: kept)
  }

  /// All that was recorded, to be folded into the cassette.
  package struct Content: Sendable {
    /// The exchanges as the journal has them, in the order they were sent.
    let exchanges: [Interaction]
    /// The redaction that gave their secrets numbers, and may know more of them now.
    let pass: RedactionPass
  }

  /// Reads back what was written.
  ///
  /// - Parameter count: The number of exchanges that were.
  /// - Returns: All of them.
  /// - Throws: What the system said, or that somebody changed the journal meanwhile; it stays then.
  package func content(of count: Int) throws(CassetteError) -> Content {
    let bytes = try failing { () throws(FileFailure) in try file.read() }
    let frames = JournalFrame.read(bytes).frames.filter { $0.number >= 0 }.sorted { $0.number < $1.number }
    let exchanges = Self.exchanges(frames, cassette).all
    guard exchanges.count >= count else {
      let count = count - exchanges.count
      throw CassetteError(
        file: path, message: "\(count) of the recorded exchanges \(count == 1 ? "is" : "are") gone from the journal",
        suggestion: "record again; what it still holds is merged then, if nobody removes or changes it")
    }
    return Content(exchanges: exchanges, pass: pass)
  }

  /// Returns exchanges of this journal without the secrets that became known later.
  package func folding(_ exchanges: [Interaction]) -> [Interaction] {
    var pass = pass
    pass.table.seekRedacted()
    return exchanges.map { (try? pass.redacting($0, onlyKnown: true)) ?? $0 }
  }

  /// Reads the exchanges in the frames of a journal.
  ///
  /// - Returns: The exchanges, and whether one cannot be read: its body is gone.
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
    // Ids are the cassette's to give.
    for index in exchanges.indices { exchanges[index].id = "" }
    return (exchanges, isLost)
  }
}
