internal import CassetteSystem

/// Writing to an open file, where `write` and `close` are names of something else.
package enum FileBytes {
  /// Writes all of the bytes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileFailure) {
    guard systemWriteAll(descriptor, bytes) else { throw .system("write", path) }
  }

  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Gives a file's lock back (`flock`) and closes it.
  ///
  /// Closing alone does not give it back at once: a child process that is just being started by another thread holds a
  /// copy of the descriptor, and with it the lock, until its program runs.
  package static func unlockAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }
}
