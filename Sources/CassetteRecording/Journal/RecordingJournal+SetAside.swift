internal import Cassettes

extension RecordingJournal {
  /// Puts recordings into a journal beside a cassette that cannot take them; the next recording merges them.
  ///
  /// Recordings of an earlier journal stay in it. The caller has the turn of the folder.
  ///
  /// - Parameters:
  ///   - recordings: What is kept, redacted.
  ///   - cassette: The cassette's path.
  /// - Returns: The journal's path.
  /// - Throws: When another process records into the cassette, or what the system said.
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

  /// Removes what was put beside a cassette: all of it is merged.
  static func removeSetAside(beside cassette: String) {
    guard let file = try? JournalFile(taking: CassetteFileBytes.resolvingLink(cassette) + JournalName.suffix) else {
      return
    }
    file.remove()
    file.close()
  }
}
