internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

extension Recorder {
  /// An exchange that was kept, as it is to be saved.
  package struct Kept: Sendable {
    /// The place of the exchange among all of the recording.
    package let number: Int
    /// The exchange without secrets.
    package fileprivate(set) var interaction: Interaction
    /// True if the cassette has no such exchange, or another one.
    package let isNew: Bool
  }

  /// The last exchanges that were kept, the oldest first.
  package var lastKept: [Kept] {
    var kept = pending.withLock { $0.kept }
    let shown = informed.folding(kept.map(\.interaction))
    for (index, interaction) in zip(kept.indices, shown) { kept[index].interaction = interaction }
    return kept
  }
}
