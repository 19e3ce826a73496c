/// An answer that waits for something: its loop asks now and then, and no thread waits.
final class PendingAnswer {
  /// The interval between questions for the answer, in seconds.
  let interval: Double
  /// Appends what there is of the answer; gives what the connection does then, nil while it waits.
  let proceed: (inout Output) -> NextAction?

  init(every interval: Double, _ proceed: @escaping (inout Output) -> NextAction?) {
    (self.interval, self.proceed) = (interval, proceed)
  }
}
