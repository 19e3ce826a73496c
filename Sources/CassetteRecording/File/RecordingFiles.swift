internal import CassetteSystem
package import Cassettes

/// The files that this process records into, each opened once.
package enum RecordingFiles {
  private static let files = Locked<[String: RecordingFile]>([:])

  /// Returns the file at a path, even if it was opened through a symbolic link.
  package static func file(at path: String) throws(CassetteError) -> RecordingFile {
    let identity = CassetteFileIdentity.path(of: path)
    if let file = files.withLock({ $0[identity] }) { return file }
    // Reading may wait for another process, so the lock is not held while reading.
    let made = try RecordingFile(path: path)
    return files.withLock { files in
      if let file = files[identity] { return file }
      files[identity] = made
      return made
    }
  }

  /// All files, sorted by path.
  package static var all: [RecordingFile] { files.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }
}
