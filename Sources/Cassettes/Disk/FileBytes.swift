internal import CassetteSystem

/// The functions `write`, `close` and `flock` for types that have methods of the same names.
package enum FileBytes {
  /// Writes all of the bytes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileFailure) {
    guard systemWriteAll(descriptor, bytes) else { throw .system("write", path) }
  }

  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Releases the lock of a file (`flock`) and closes the file.
  ///
  /// Closing the file does not release the lock immediately: a child process that another thread is starting holds a
  /// copy of the descriptor, and with it the lock, until its program runs.
  package static func unlockAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }
}
