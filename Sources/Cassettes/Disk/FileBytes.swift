internal import CassetteSystem

/// Writing to an open file, where `write` and `close` are names of something else.
package enum FileBytes {
  /// Writes all of the bytes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileFailure) {
    let isDone = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    if !isDone { throw .system("write", path) }
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
