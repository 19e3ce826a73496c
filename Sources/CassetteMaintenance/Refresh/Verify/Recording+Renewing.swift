import CassetteRecording
import CassetteSecrets
import Cassettes

extension Recording {
  /// Replaces the responses of recordings and keeps everything else.
  ///
  /// - Parameters:
  ///   - answers: The indices of recordings with their replacements, in the order of the cassette. A replacement that
  ///     keeps its date is ignored if only volatile values have changed.
  ///   - cassette: The existing cassette.
  ///   - redaction: The redaction of secrets.
  /// - Returns: The cassette, and the changes in it.
  /// - Throws: ``CassetteError`` if the cassette contains a possible token, or if a body's file cannot be read.
  static func renewing(
    _ answers: [(at: Int, with: Interaction, keepsDate: Bool)], of cassette: Cassette, _ redaction: CassetteRedaction
  ) throws(CassetteError) -> (cassette: Cassette, changes: Changes) {
    var merge = RecordingMerge(into: cassette, redaction)
    let sent = answers.map { RecordingMerge.Sent(interaction: $0.with, renews: !$0.keepsDate) }
    let result = try merge.merged(sent, again: answers.map(\.at))
    try SecretScanner(redaction).check(result.cassette)
    let others = cassette.interactions.enumerated().filter { index, interaction in
      !result.asked.contains(index) && !result.reredacted.contains(interaction.id)
    }
    var changes = Changes(changed: result.reredacted, unchanged: others.count)
    for outcome in result.outcomes { changes.note(outcome) }
    return (result.cassette, changes)
  }
}
