extension Interaction {
  /// Path and query of the recorded request.
  package var pathAndQuery: String { RecordedTarget.pathAndQuery(of: url) }
}
