import CassetteSecrets
package import Cassettes

extension RecordingMerge {
  /// Copies the ids, rules and notes of a cassette to the recordings of the same requests in its replacement.
  ///
  /// - `isRuled`: True if recordings without rules in the replacement have none on purpose.
  ///
  /// Returns the old recordings with a rule or note that the replacement does not contain.
  package static func keepRules(of old: Cassette, in new: inout Cassette, isRuled: Bool) -> [Interaction] {
    let partners = RecordingMerge(into: old, .standard).partners(
      of: new.interactions, of: new.interactions.map { Sent(interaction: $0) })
    var kept: Set<Int> = []
    for (index, partner) in partners.enumerated() {
      guard let partner else { continue }
      let before = old.interactions[partner]
      var after = new.interactions[index]
      if after.id.isEmpty { after.id = before.id }
      if after.repeatPolicy == .last { after.repeatPolicy = before.repeatPolicy }
      after.note = after.note ?? before.note
      if !isRuled, after.match.isEmpty { after.match = before.match }
      if !isRuled, after.replay.isEmpty { after.replay = before.replay }
      if (after.match, after.replay, after.note) == (before.match, before.replay, before.note) {
        kept.insert(partner)
      }
      new.interactions[index] = after
    }
    return old.interactions.enumerated().filter { index, before in
      !kept.contains(index) && (before.rules != nil || before.note != nil)
    }.map(\.element)
  }
}
