internal import CassetteSystem
package import Cassettes

/// A lock among all processes that merge into the cassettes of a folder.
///
/// The folder itself is locked, because the cassette may not exist and is replaced on each write, and a separate lock
/// file would have to be cleaned up.
package enum CassetteFileLock {
  /// Acquires the lock and calls a closure.
  ///
  /// On a file system without locks, the closure is called immediately.
  ///
  /// - `path`: The path of the cassette's file, in an existing folder; the caller must not hold another lock.
  package static func holding<T>(_ path: String, _ act: () throws(CassetteError) -> T) throws(CassetteError) -> T {
    let folder = Folder.parent(of: CassetteFileBytes.resolvingLink(path))
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try act() }
    // The system also releases the lock when the process ends.
    defer { FileBytes.unlockAndClose(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try act()
  }

  /// Removes temporary files of killed processes: `.shared.json.4711.12345.tmp`.
  package static func removeLeftovers(of path: String) {
    let target = CassetteFileBytes.resolvingLink(path)
    let folder = Folder.parent(of: target)
    let name = Folder.name(of: target)
    for file in Folder.temporaryFiles(in: folder, of: name) {
      let words = file.dropFirst(name.utf8.count + 2).split(separator: ".")
      guard words.count == 3, let process = pid_t(words[0]), process != getpid(), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      unlink(Folder.join(folder, file))
    }
  }
}

/// The identity of a file, independent of the name by which it is opened.
enum CassetteFileIdentity {
  /// Returns the canonical path of a file, with links resolved, even if the last link has no target yet.
  static func path(of path: String) -> String {
    let target = CassetteFileBytes.resolvingLink(path)
    return Folder.join(folder(Folder.parent(of: target)), Folder.name(of: target))
  }

  /// Returns the path of a folder without links, as far as it exists.
  private static func folder(_ path: String) -> String {
    if let real = CassetteFileBytes.realPath(path) { return real }
    guard path != ".", path != "/", let name = path.split(separator: "/").last else { return path }
    return Folder.join(folder(Folder.parent(of: path)), String(name))
  }
}
