internal import CassetteSystem
internal import Cassettes

/// A file that is only ever appended to, by one process at a time.
struct JournalFile: Sendable {
  private let descriptor: Int32
  let path: String

  /// Makes the file for its owner alone; one that is there must be free, and is emptied.
  init(creating path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("write", path) }
    guard try Self.takes(descriptor) else {
      FileBytes.close(descriptor)
      throw .system("lock", path)
    }
    guard ftruncate(descriptor, 0) == 0 else {
      let failure = FileFailure.system("write", path)
      FileBytes.unlockAndClose(descriptor)
      throw failure
    }
  }

  /// Locks a cassette's file for a recorder that goes on for long; nil where there is none, or no lock to be had.
  static func holding(_ path: String) throws(FileFailure) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    if try takes(descriptor) { return descriptor }
    FileBytes.close(descriptor)
    return nil
  }

  /// Waits for a lock; false where there is none to be had.
  private static func takes(_ descriptor: Int32) throws(FileFailure) -> Bool {
    // A process that was killed just now may still be on its way out.
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(50_000)
    }
    FileBytes.close(descriptor)
    throw FileFailure(message: "another process records into this cassette; stop it first")
  }

  /// Takes a file that no process holds; nil when there is none, or it is held.
  init?(taking path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("read", path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      FileBytes.close(descriptor)
      return nil
    }
    // It may have been removed while this process waited for nothing: then it is nobody's business any more.
    var (mine, there) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(path, &there) == 0, mine.st_ino == there.st_ino else {
      FileBytes.unlockAndClose(descriptor)
      return nil
    }
  }

  /// Reads all of it; what is appended later goes to its end all the same.
  func read() throws(FileFailure) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return try CassetteFileBytes.read(descriptor, path)
  }

  /// Appends bytes, all or none: what follows half of them would not be believed.
  func append(_ bytes: [UInt8]) throws(FileFailure) {
    let end = lseek(descriptor, 0, SEEK_END)
    do throws(FileFailure) {
      try FileBytes.write(bytes, to: descriptor, path)
    } catch {
      if end >= 0 { ftruncate(descriptor, end) }
      throw error
    }
  }

  /// Waits until what was written is on the disk.
  func synchronise() throws(FileFailure) {
    #if canImport(Darwin)
      // There `fsync` leaves it in the drive's memory; some file systems can do no more.
      let result = fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      let result = fdatasync(descriptor)
    #endif
    if result != 0 { throw .system("write", path) }
  }

  func remove() { unlink(path) }

  /// Gives the file a name under which it is not taken for a journal.
  ///
  /// - Returns: Its path; nil when it keeps the one it has.
  func setAside() -> String? {
    for number in 1...1_000 {
      let other = number == 1 ? "\(path).damaged" : "\(path).damaged-\(number)"
      // A link never takes the place of a file that is there.
      if link(path, other) == 0 {
        unlink(path)
        return other
      }
      if errno != EEXIST { return nil }
    }
    return nil
  }

  func close() { FileBytes.unlockAndClose(descriptor) }
}
