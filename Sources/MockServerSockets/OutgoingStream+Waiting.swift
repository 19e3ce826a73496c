internal import CassetteSystem

extension OutgoingStream {
  /// Waits on this thread until the descriptor is ready; false when the time of the monotonic clock came before.
  ///
  /// It is for callers that ask one request after the other, without a loop.
  package func wait(for readiness: Readiness, until deadline: UInt64) -> Bool {
    var events: Int32 = 0
    if readiness.contains(.readable) { events |= Int32(POLLIN) }
    if readiness.contains(.writable) { events |= Int32(POLLOUT) }
    while true {
      let now = Platform.monotonicNanoseconds()
      guard now < deadline else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
      // A minute at most, rounded up: a wait that ends too early is only begun again.
      let milliseconds = min(60_000, (deadline - now) / 1_000_000 + 1)
      let count = poll(&entry, 1, Int32(truncatingIfNeeded: milliseconds))
      if count > 0 { return true }
      // Interrupted: once more. Anything else shows when the descriptor is used.
      if count < 0, errno != EINTR { return true }
    }
  }

  /// Closes the connection; nothing of it can be used after.
  package func close() { Platform.close(descriptor) }
}
