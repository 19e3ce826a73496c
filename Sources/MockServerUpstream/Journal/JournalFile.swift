internal import CassetteSystem
internal import Cassettes

/// An append-only file used by one process at a time.
struct JournalFile: Sendable {
  private let descriptor: Int32
  let path: String

  /// Creates a file that only its owner can access; an existing file must be unlocked, and is truncated.
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

  /// Locks a cassette's file for a long-running recorder; returns nil if the file or the lock is unavailable.
  static func holding(_ path: String) throws(FileFailure) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    if try takes(descriptor) { return descriptor }
    FileBytes.close(descriptor)
    return nil
  }

  /// Waits for a lock; returns false if locks are unavailable.
  private static func takes(_ descriptor: Int32) throws(FileFailure) -> Bool {
    // A process that was just killed may still be exiting.
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(50_000)
    }
    FileBytes.close(descriptor)
    throw FileFailure(message: "another process records into this cassette; stop it first")
  }

  /// Opens a file that no process has locked; returns nil if it does not exist or is locked.
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
    // The owner may have removed the file between opening and locking.
    var (mine, there) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(path, &there) == 0, mine.st_ino == there.st_ino else {
      FileBytes.unlockAndClose(descriptor)
      return nil
    }
  }

  /// Reads the whole file; later writes are still appended.
  func read() throws(FileFailure) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return try CassetteFileBytes.read(descriptor, path)
  }

  /// Appends either all bytes or none, because a partial frame makes the following frames unreadable.
  func append(_ bytes: [UInt8]) throws(FileFailure) {
    let end = lseek(descriptor, 0, SEEK_END)
    do throws(FileFailure) {
      try FileBytes.write(bytes, to: descriptor, path)
    } catch {
      if end >= 0 { ftruncate(descriptor, end) }
      throw error
    }
  }

  /// Waits until the written bytes are on the disk.
  func synchronise() throws(FileFailure) {
    #if canImport(Darwin)
      // On Darwin, `fsync` leaves the bytes in the drive's cache; some file systems only support `fsync`.
      let result = fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      let result = fdatasync(descriptor)
    #endif
    if result != 0 { throw .system("write", path) }
  }

  func remove() { unlink(path) }

  /// Renames the file so that it is not used as a journal.
  ///
  /// - Returns: The new path, or nil if renaming failed.
  func setAside() -> String? {
    for number in 1...1_000 {
      let other = number == 1 ? "\(path).damaged" : "\(path).damaged-\(number)"
      // Creating a link never replaces an existing file.
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
