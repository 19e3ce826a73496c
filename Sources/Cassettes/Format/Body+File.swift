extension Body {
  /// True if the body was written while it arrived, and waits beside a cassette for its final name.
  package var isInJournal: Bool { lyingPlace.map { JournalName.holds($0.path) } ?? false }

  /// Opens the body's file; nil when it is in none.
  package func openFile() throws(CassetteError) -> BodyFile? {
    guard let (folder, path) = lyingPlace else { return nil }
    let whole = Folder.join(folder, path)
    let file: BodyFile
    do throws(FileFailure) {
      let expected = lyingSignature.map { BodyFile.Expectation(path: whole, signature: $0) }
      file = try CassetteFileFolder(folder).bodyFile(at: path, expecting: expected)
    } catch {
      throw CassetteError(error, of: whole)
    }
    try file.expected?.check()
    return file
  }

  /// True if the body may have at least this many bytes; nothing is decoded, but its file is opened.
  package func isLong(_ least: Int) -> Bool {
    // A body in a file takes little more than a path in its cassette.
    storedRoom >= least || ((try? openFile())?.size ?? 0) >= least
  }

  /// Opens the body's file, if it is one to be read in parts.
  package func openLongFile() throws(CassetteError) -> BodyFile? {
    guard let file = try openFile(), file.size > BodyFile.longestWhole else { return nil }
    return file
  }
}
