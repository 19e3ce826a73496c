/// What becomes of recordings that a test never asked for.
public enum Strictness: Sendable {
  /// They fail the test.
  case strict
  /// They are mentioned as a warning.
  case warns
  /// Nobody is told.
  case relaxed
}
