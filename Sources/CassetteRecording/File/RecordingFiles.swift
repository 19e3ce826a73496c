internal import CassetteSystem
package import Cassettes

/// The files that this process records into, each one once.
package enum RecordingFiles {
  private static let files = Locked<[String: RecordingFile]>([:])

  /// Returns the file at a path, under whatever name it was opened before.
  ///
  /// - Parameter path: A cassette's file; it need not exist.
  /// - Returns: The file that all its recorders share.
  /// - Throws: When there is something else, or a cassette that does not read.
  package static func file(at path: String) throws(CassetteError) -> RecordingFile {
    let identity = CassetteFileIdentity.path(of: path)
    if let file = files.withLock({ known(identity, path, $0) }) { return file }
    // Reading may wait for another process; files of other names need not.
    let made = try RecordingFile(path: path)
    return files.withLock { files in
      if let file = known(identity, path, files) { return file }
      files[identity] = made
      return made
    }
  }

  /// All of them, in the order of their names.
  package static var all: [RecordingFile] { files.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

  private static func known(_ identity: String, _ path: String, _ files: [String: RecordingFile]) -> RecordingFile? {
    if let file = files[identity] { return file }
    guard CassetteFileIdentity.mayHaveOtherNames(path) else { return nil }
    let file = files.values.first { file in file.names.contains { CassetteFileIdentity.isSame($0, path) } }
    file?.name(path)
    return file
  }
}
