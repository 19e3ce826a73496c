package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// The contribution of one test, or of one recorder outside tests, to a cassette.
package struct RecordingPart: Sendable {
  /// The test; nil for a recorder outside tests.
  var key: String?
  /// The mode: records everything, or only missing recordings.
  var mode: CassetteMode
  /// The redaction of secrets.
  var redaction: CassetteRedaction
  /// The exchanges in the order of requests: original ones, or redacted ones from a journal.
  var sent: [Interaction]
  /// The requests without a recordable response.
  var unanswered: [Interaction] = []
  /// The redaction of the journal that contains the exchanges, if any.
  var journal: RedactionPass?
  /// The ids of recordings that were replayed.
  var played: Set<String> = []
  /// The player's matching rules for all recordings; the parts of requests they ignore keep their recorded text.
  var match = MatchRules()
  /// The number of runs of the same test that had ended before this one started; later runs are merged last.
  var generation = 0
  /// True if the test failed: existing recordings are kept.
  var hasFailed = false

  /// Creates a part.
  ///
  /// - `key`: The test that recorded. Nil by default.
  /// - `mode`: The mode: records everything, or only missing recordings.
  /// - `sent`: The exchanges in the order of requests.
  /// - `unanswered`: The requests without a recordable response. None by default.
  /// - `journal`: The redaction of the journal that contains the exchanges. Nil by default.
  package init(
    key: String? = nil, mode: CassetteMode, redaction: CassetteRedaction, sent: [Interaction],
    unanswered: [Interaction] = [], journal: RedactionPass? = nil
  ) {
    (self.key, self.mode, self.redaction) = (key, mode, redaction)
    (self.sent, self.unanswered, self.journal) = (sent, unanswered, journal)
  }
}
