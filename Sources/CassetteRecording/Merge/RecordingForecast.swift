internal import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Tells while a recording goes on which exchanges are again what they were.
///
/// Each is folded into what was recorded of its request. What is written is decided at the end, when all is known.
package final class RecordingForecast: Sendable {
  private let cassette: Cassette
  /// The recordings that were not asked for again, by their requests.
  private let waiting: Locked<[String: [Interaction]]>
  private let pass = RedactionPass(.standard)

  /// Creates a forecast.
  ///
  /// - Parameter cassette: What was recorded before.
  package init(of cassette: Cassette) {
    waiting = Locked(Dictionary(grouping: cassette.interactions, by: Self.key))
    var empty = cassette
    empty.interactions = []
    self.cassette = empty
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  /// Tells whether an exchange is what it was, as far as can be told by now; each that was there counts once.
  ///
  /// - Parameter journaled: The exchange as the journal has it.
  /// - Returns: Whether nothing is different but what differs each time.
  package func isUnchanged(_ journaled: Interaction) -> Bool {
    let isOver = waiting.withLock { $0.isEmpty }
    if isOver { return false }
    let key = Self.key(of: journaled)
    guard let known = waiting.withLock({ $0[key] }) else { return false }
    func take(_ place: Int) { waiting.withLock { _ = $0[key]?.remove(at: place) } }
    // Most are the same to the byte.
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
