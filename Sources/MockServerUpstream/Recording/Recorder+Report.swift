internal import CassetteRecording
package import Cassettes

extension Recorder {
  /// An exchange that was kept, as it is to be saved.
  package struct Kept: Sendable {
    /// The place of the exchange among all of the recording.
    package let number: Int
    /// The exchange without secrets.
    package let interaction: Interaction
    /// True if the cassette has no such exchange, or another one.
    package let isNew: Bool
  }

  /// The last exchanges that were kept, the oldest first; they are redacted as they are asked for.
  package var lastKept: [Kept] {
    var secrets = secrets
    return lastTokens.compactMap { token, isNew in
      guard let exchange = recording.finished(token)?.interaction, let shown = try? secrets.redacting(exchange) else {
        return nil
      }
      return Kept(number: token.number, interaction: shown, isNew: isNew)
    }
  }
}
