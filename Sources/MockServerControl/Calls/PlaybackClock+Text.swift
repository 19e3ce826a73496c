internal import CassetteHTTP
package import Cassettes

extension PlaybackClock {
  /// Parses `system`, `recorded` or a time such as `2026-11-22T12:00:00Z`; returns nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "system": self = .system
    case "recorded": self = .recorded
    default:
      guard let time = ISOTime(Array(text.utf8)[...]), time.isWhole else { return nil }
      self = .fixed(Double(time.seconds))
    }
  }

  /// The text that ``init(_:)`` parses.
  package var text: String {
    switch self {
    case .system: "system"
    case .recorded: "recorded"
    case .fixed(let seconds): Timestamp.at(seconds) ?? "\(seconds)"
    }
  }
}
