internal import CassetteSecrets
internal import Cassettes

/// What one test, or one recorder that is no test's, has to bring into a cassette.
struct RecordingPart: Sendable {
  /// The test; nil for a recorder that is none's.
  var key: String?
  /// Whether it records everything, or what is missing.
  var mode: Mode
  /// How its secrets are taken out.
  var redaction: Redaction
  /// What was exchanged, in the order it was sent.
  var sent: [Interaction]
  /// What was asked and came to no answer that can be kept.
  var unanswered: [Interaction] = []
  /// Ids of recordings that answered it.
  var played: Set<String> = []
  /// What its player says of all recordings: what that ignores keeps its text.
  var match = MatchRules()
  /// How many of its kind had ended before it began: it comes behind them.
  var generation = 0
  /// Whether the test failed: what was recorded before stays then.
  var hasFailed = false
}
