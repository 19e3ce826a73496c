internal import CassetteSystem

extension OutgoingStream {
  /// Blocks the thread until the descriptor is ready, for callers that send requests sequentially without a loop.
  ///
  /// - Parameters:
  ///   - readiness: The events to wait for.
  ///   - deadline: The time in nanoseconds of the monotonic clock at which the wait ends.
  /// - Returns: False if the deadline passed before the descriptor was ready.
  package func wait(for readiness: Readiness, until deadline: UInt64) -> Bool {
    var events: Int32 = 0
    if readiness.contains(.readable) { events |= Int32(POLLIN) }
    if readiness.contains(.writable) { events |= Int32(POLLOUT) }
    while true {
      let now = Platform.monotonicNanoseconds()
      guard now < deadline else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
      // At most a minute, rounded up. A wait that ends early is repeated.
      let milliseconds = min(60_000, (deadline - now) / 1_000_000 + 1)
      let count = poll(&entry, 1, Int32(truncatingIfNeeded: milliseconds))
      if count > 0 { return true }
      // An interrupted call is repeated. Any other error recurs when the descriptor is used.
      if count < 0, errno != EINTR { return true }
    }
  }

  /// Closes the connection, after which the stream must not be used.
  package func close() { Platform.close(descriptor) }
}
