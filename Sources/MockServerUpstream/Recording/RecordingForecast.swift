internal import CassetteHTTP
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Predicts during a recording which exchanges are unchanged.
///
/// Each exchange is compared with the recordings of the same request. The final decision is made at the end, when all
/// exchanges are known.
package final class RecordingForecast: Sendable {
  private let cassette: Cassette
  /// The recordings that were not requested again so far, by request.
  private let waiting: Locked<[String: [Interaction]]>
  private let pass = RedactionPass(.standard)

  /// Creates a forecast.
  ///
  /// - Parameter cassette: The existing cassette.
  package init(of cassette: Cassette) {
    waiting = Locked(Dictionary(grouping: cassette.interactions, by: Self.key))
    var empty = cassette
    empty.interactions = []
    self.cassette = empty
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  /// True if an exchange appears unchanged; each recording is used once.
  ///
  /// - Parameter journaled: The exchange as written to the journal.
  /// - Returns: True if only volatile details differ.
  package func isUnchanged(_ journaled: Interaction) -> Bool {
    let isOver = waiting.withLock { $0.isEmpty }
    if isOver { return false }
    let key = Self.key(of: journaled)
    guard let known = waiting.withLock({ $0[key] }) else { return false }
    func take(_ place: Int) { waiting.withLock { _ = $0[key]?.remove(at: place) } }
    // Most exchanges are identical.
    if let first = known.first, RecordingComparison.isSameButURL(first, journaled) {
      take(0)
      return true
    }
    var before = cassette
    before.interactions = known
    var merge = RecordingMerge(into: before, .standard, of: pass)
    guard let result = try? merge.merged([RecordingMerge.Sent(interaction: journaled)]), let place = result.asked.first
    else { return false }
    take(place)
    return result.outcomes == [.unchanged]
  }
}
