/// The level of comparison between a request and a recording, from the strictest to the most lenient.
///
/// The level can be set for the command (`--match exact`), a test (`matching: .exact`) or a file (`"matching": "exact"`
/// at its top). The level of a test takes precedence over a file's, and a file's over the command's.
public enum MatchLevel: String, CaseIterable, Hashable, Sendable {
  /// Everything that was recorded must be equal: body, origin, credentials, header fields.
  ///
  /// Each recording plays once.
  case exact
  /// Body and origin must be equal as well, except for values that change with each request; the answer is then marked.
  case careful
  /// Method, path and query must be equal; the answer is marked if other parts differ.
  case loose
}
