extension Body {
  /// True if the body was written while it arrived, and waits beside a cassette for its final name.
  package var isInJournal: Bool { lyingPlace.map { JournalName.holds($0.path) } ?? false }

  /// Opens the body's file.
  ///
  /// - Returns: The file; nil when the body is in none.
  /// - Throws: When it cannot be opened.
  package func openFile() throws(CassetteError) -> BodyFile? {
    guard let (folder, path) = lyingPlace else { return nil }
    let file: BodyFile
    do throws(FileFailure) {
      file = try CassetteFileFolder(folder).bodyFile(at: path)
    } catch {
      throw CassetteError(error, of: Folder.join(folder, path))
    }
    guard let signature = lyingSignature else { return file }
    file.expected = BodyFile.Expectation(path: Folder.join(folder, path), signature: signature)
    try file.expected?.check()
    return file
  }

  /// Opens the body's file, if it is one to be read in parts.
  package func openLongFile() throws(CassetteError) -> BodyFile? {
    guard let file = try openFile(), file.size > BodyFile.longestWhole else { return nil }
    return file
  }
}
