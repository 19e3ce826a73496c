package import CassetteSecrets
package import Cassettes

extension Recording {
  /// Puts answers in the place of recorded ones; everything else stays as it is.
  ///
  /// - Parameters:
  ///   - answers: The places of recordings with what takes them, in the order of the cassette. One that keeps its date
  ///     stays as it was where nothing but what differs each time has changed.
  ///   - cassette: What was recorded before.
  ///   - redaction: How secrets are taken out.
  /// - Returns: The cassette, and what is different in it.
  /// - Throws: What looks like a token in it, or a body's file that cannot be read.
  package static func renewing(
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
