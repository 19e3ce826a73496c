internal import CassetteSystem
package import Cassettes

/// The turn of one writer among all processes that merge into the cassettes of a folder.
///
/// The folder itself is locked: a cassette may not be there yet, is another file each time it is written, and a file made
/// for the lock alone would have to be cleaned up.
package enum CassetteFileLock {
  /// Waits for the turn and does something in it.
  ///
  /// On a file system without locks, it does not wait.
  ///
  /// - Parameters:
  ///   - path: The cassette's file; its folder exists. Nobody may wait for a turn while he has one.
  ///   - act: What to do.
  /// - Returns: What that gives.
  /// - Throws: What that throws.
  package static func holding<T>(_ path: String, _ act: () throws(CassetteError) -> T) throws(CassetteError) -> T {
    let folder = Folder.parent(of: CassetteFileBytes.resolvingLink(path))
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return try act() }
    // The end of the process lets go of it, too, however it ends.
    defer { FileBytes.unlockAndClose(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try act()
  }

  /// Removes what processes that were killed while they wrote have left: `.shared.json.4711.12345.tmp`.
  static func removeLeftovers(of path: String) {
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

/// A file as it is told from others, under whatever name it is opened.
enum CassetteFileIdentity {
  /// The path by which a file is known, links followed, the last of which may lead to nothing yet.
  static func path(of path: String) -> String {
    let target = CassetteFileBytes.resolvingLink(path)
    return Folder.join(folder(Folder.parent(of: target)), Folder.name(of: target))
  }

  /// A folder's path without links, as far as it exists.
  private static func folder(_ path: String) -> String {
    if let real = CassetteFileBytes.realPath(path) { return real }
    guard path != ".", path != "/", let name = path.split(separator: "/").last else { return path }
    return Folder.join(folder(Folder.parent(of: path)), String(name))
  }

  /// Tells whether two names are of one file that exists, as hard links are, and names in another case on some systems.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }

  /// Tells if a file may have other names: by hard links, or in another case on some systems.
  static func mayHaveOtherNames(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    #if canImport(Darwin)
      return true
    #else
      return facts.st_nlink > 1
    #endif
  }

  /// Gives a file that was just written the other names it had before.
  ///
  /// A file is written by replacing one of its names: the others would go on naming the old one.
  static func relink(_ names: [String], to path: String) {
    for name in names where !isSame(name, path) {
      let temporary = "\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
      // Links do not lead from one volume to another: there the name keeps what it has.
      guard link(path, temporary) == 0 else { continue }
      if rename(temporary, name) != 0 { unlink(temporary) }
    }
  }
}
