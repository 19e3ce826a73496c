/// What becomes of recordings that a test never asked for, of requests in another order than recorded, of faults that no
/// request was for, and of requests that come when the test is over.
public enum Strictness: Sendable {
  /// They fail the test.
  case strict
  /// They are mentioned as a warning.
  case warns
  /// Nobody is told.
  case relaxed
}
