internal import CassetteSecrets
internal import Cassettes

/// The contribution of one test, or of one recorder that is no test's, to a cassette.
struct RecordingPart: Sendable {
  /// The test; nil for a recorder that belongs to no test.
  var key: String?
  /// The mode: records everything, or what is missing.
  var mode: CassetteMode
  /// The redaction of its secrets.
  var redaction: CassetteRedaction
  /// The exchanges, in the order they were sent: as they were, or as a journal has them.
  var sent: [Interaction]
  /// The requests that got no answer that can be kept.
  var unanswered: [Interaction] = []
  /// The redaction of the journal that the exchanges come from, if they do.
  var journal: RedactionPass?
  /// Ids of recordings that answered it.
  var played: Set<String> = []
  /// The matching rules of its player for all recordings: what they ignore keeps its text.
  var match = MatchRules()
  /// The number of parts of its kind that had ended before it began: it comes behind them.
  var generation = 0
  /// True if the test failed: what was recorded before stays then.
  var hasFailed = false
}
