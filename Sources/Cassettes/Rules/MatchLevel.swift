/// The level of comparison of a request with a recording, from the strictest to the most lenient.
///
/// The command says it (`--match exact`), a test (`matching: .exact`) or a file (`"matching": "exact"` at its top); a
/// test's word wins over a file's, and a file's over the command's.
public enum MatchLevel: String, CaseIterable, Hashable, Sendable {
  /// All that was recorded has to be sent again: body, origin, credentials, header fields; each recording plays once.
  case exact
  /// The body and the origin decide; values that are made anew at each call may differ, and the answer is marked.
  case careful
  /// Method, path and query decide; other differences are marked.
  case loose
}
