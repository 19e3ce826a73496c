extension Body {
  /// True if the body was written to a journal's folder while it arrived, and has no final name yet.
  package var isInJournal: Bool { lyingPlace.map { JournalName.holds($0.path) } ?? false }

  /// Opens the body's file; returns nil if the body is not in a file.
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

  /// Returns true if the body may have at least this many bytes.
  ///
  /// Decodes nothing, but opens the body's file.
  package func isLong(_ least: Int) -> Bool {
    // For a body in a file, the cassette contains only a path.
    storedRoom >= least || ((try? openFile())?.size ?? 0) >= least
  }

  /// Opens the body's file if it is long enough to be read in parts; returns nil otherwise.
  package func openLongFile() throws(CassetteError) -> BodyFile? {
    guard let file = try openFile(), file.size > BodyFile.longestWhole else { return nil }
    return file
  }
}
