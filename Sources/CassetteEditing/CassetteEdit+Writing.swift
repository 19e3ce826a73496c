internal import CassetteFiles
internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

extension CassetteEdit {
  /// Writes the file, unless somebody has edited it since.
  ///
  /// - Throws: That the file is not what the edit was made for, or what the system said; the file stays as it was then.
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

  /// Takes the change back, unless somebody has edited the file since.
  ///
  /// - Throws: As writing does.
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
      throw CassetteError(file: path, message: "is a link or a folder, and no file of this folder: nothing is written")
    }
    let now = kind == .file ? try CassetteFile.bytes(of: path) : nil
    guard now == before else {
      throw CassetteError(
        file: path, message: "was edited meanwhile: nothing is written", suggestion: "look at the file, and ask again")
    }
  }
}
