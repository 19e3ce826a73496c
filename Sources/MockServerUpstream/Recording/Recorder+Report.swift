internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

extension Recorder {
  /// A recorded exchange in the form in which it will be saved.
  package struct Kept: Sendable {
    /// The index of the exchange in the recording.
    package let number: Int
    /// The exchange without secrets.
    package fileprivate(set) var interaction: Interaction
    /// True if the cassette does not contain this exchange, or contains a different one.
    package let isNew: Bool
  }

  /// The most recently recorded exchanges, the oldest first.
  package var lastKept: [Kept] {
    var kept = pending.withLock { $0.kept }
    let shown = informed.folding(kept.map(\.interaction))
    for (index, interaction) in zip(kept.indices, shown) { kept[index].interaction = interaction }
    return kept
  }
}
