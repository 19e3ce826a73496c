internal import Cassettes

extension RecordingJournal {
  /// Writes recordings to a journal if their cassette cannot be parsed; the next recording merges them.
  ///
  /// The recordings of an earlier journal are kept. The caller holds the lock of the folder.
  ///
  /// - Parameters:
  ///   - recordings: The redacted recordings.
  ///   - cassette: The path of the cassette.
  /// - Returns: The path of the journal.
  /// - Throws: ``CassetteError`` if another process records into the cassette, or if writing fails.
  static func setAside(_ recordings: [Interaction], beside cassette: String) throws(CassetteError) -> String {
    let path = CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix
    var contents: [[UInt8]] = []
    for recording in recordings {
      contents.append(try JournalFrame.content(of: recording))
    }
    do throws(FileFailure) {
      var bytes: [UInt8] = []
      let file: JournalFile
      var frames: [JournalFrame] = []
      if let there = try JournalFile(taking: path) {
        file = there
        frames = JournalFrame.read(try there.read()).frames
      } else {
        file = try JournalFile(creating: path)
        bytes = JournalFrame.head
      }
      defer { file.close() }
      let known = Set(frames.map(\.bytes))
      for (number, content) in contents.enumerated() where !known.contains(content) {
        JournalFrame.append(content, number: frames.count + number, to: &bytes)
      }
      if !bytes.isEmpty { try file.append(bytes) }
      try file.synchronise()
    } catch {
      throw CassetteError(error, of: path)
    }
    return path
  }

  /// Removes the journal after its recordings were merged.
  static func removeSetAside(beside cassette: String) {
    guard let file = try? JournalFile(taking: CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix) else {
      return
    }
    file.remove()
    file.close()
  }
}
