import CassetteHTTP
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Tells while a recording goes on which exchanges are again what they were; what is written is decided at its end.
package final class RecordingForecast: Sendable {
  private struct State: Sendable {
    var waiting: [String: [Interaction]]
    var pass: RedactionPass
  }

  private let state: Locked<State>

  /// Creates a forecast.
  ///
  /// - Parameters:
  ///   - cassette: What was recorded before.
  ///   - redaction: How secrets are taken out.
  package init(of cassette: Cassette, _ redaction: Redaction) {
    var waiting: [String: [Interaction]] = [:]
    for interaction in cassette.interactions.reversed() {
      waiting[Self.key(of: interaction), default: []].append(interaction)
    }
    state = Locked(State(waiting: waiting, pass: RedactionPass(redaction, keepsReadings: false)))
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  /// Tells whether an exchange is what it was, as far as can be told by now; each that was there counts once.
  package func isUnchanged(_ interaction: Interaction) -> Bool {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return false }
      do throws(CassetteError) {
        try state.pass.collect(interaction)
        var redacted = try state.pass.redacting(interaction)
        guard let old = state.waiting[Self.key(of: redacted)]?.popLast() else { return false }
        redacted.url = old.url
        if RecordingComparison.isSame(old, redacted) { return true }
        RecordingVolatility().settle(&redacted, like: old)
        return RecordingComparison.isSame(old, redacted)
      } catch {
        return false
      }
    }
  }
}
