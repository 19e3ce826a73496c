internal import CassetteSystem

/// A response that is not available yet: the event loop polls it, and no thread waits.
final class PendingAnswer {
  /// The polling interval in seconds, or the delay.
  let interval: Double
  /// True if the interval is a delay of the answer, which takes the time of a test's clock.
  let isDelay: Bool
  /// Appends the available part of the response; returns the next action of the connection, or nil to wait.
  let proceed: (inout Output) -> NextAction?

  /// Creates a response that is polled.
  init(every interval: Double, _ proceed: @escaping (inout Output) -> NextAction?) {
    (self.interval, self.proceed, isDelay) = (interval, proceed, false)
  }

  /// Creates a response that is available after a delay in seconds.
  init(after delay: Double, _ proceed: @escaping (inout Output) -> NextAction?) {
    (interval, self.proceed, isDelay) = (delay, proceed, true)
  }
}

/// A wait on the clock of a test.
///
/// Releasing the object cancels the wait.
final class ClockWait: Sendable {
  private final class Mark: Sendable {
    let isSet = Flag()
  }

  private let mark: Mark
  private let sleep: Task<Void, Never>

  /// Begins to wait for a number of seconds.
  init(seconds: Double, on clock: any Clock<Duration>) {
    let mark = Mark()
    self.mark = mark
    sleep = Task {
      try? await clock.sleep(for: .seconds(seconds))
      mark.isSet.set()
    }
  }

  deinit { sleep.cancel() }

  /// True if the time is over.
  var isOver: Bool { mark.isSet.isSet }
}
