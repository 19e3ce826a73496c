/// A response that is not available yet: the event loop polls it, and no thread waits.
final class PendingAnswer {
  /// The polling interval in seconds.
  let interval: Double
  /// Appends the available part of the response; returns the next action of the connection, or nil to wait.
  let proceed: (inout Output) -> NextAction?

  init(every interval: Double, _ proceed: @escaping (inout Output) -> NextAction?) {
    (self.interval, self.proceed) = (interval, proceed)
  }
}
