internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

extension CassetteEdit {
  /// Writes the file, unless it was edited after the change was proposed.
  ///
  /// - Throws: An error if the file was edited or cannot be written; the file is unchanged in this case.
  package func write() throws(CassetteError) {
    try CassetteFileLock.holding(path) { () throws(CassetteError) in
      try check()
      do throws(FileFailure) {
        try CassetteFileFolder.write(after, toFileAt: path)
      } catch {
        throw CassetteError(file: path, message: error.message)
      }
    }
  }

  /// Reverts the change, unless the file was edited after it.
  ///
  /// - Throws: An error if the file was edited or cannot be written.
  package func undo() throws(CassetteError) {
    if let undone { return try undone.write() }
    try CassetteFileLock.holding(path) { () throws(CassetteError) in
      try CassetteEdit(path: path, before: after, after: [], interaction: interaction).check()
      guard unlink(path) == 0 else {
        throw CassetteError(.system("remove", path), of: path)
      }
    }
  }

  private func check() throws(CassetteError) {
    let kind = Folder.kind(of: path)
    guard kind == .file || kind == .missing else {
      throw CassetteError(file: path, message: "is a link or a folder instead of a regular file: nothing was written")
    }
    let now = kind == .file ? try CassetteFile.bytes(of: path) : nil
    guard now == before else {
      throw CassetteError(
        file: path, message: "was edited in the meantime: nothing was written",
        suggestion: "check the file and repeat the request")
    }
  }
}
