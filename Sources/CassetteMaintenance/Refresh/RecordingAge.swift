internal import CassetteMatching
package import Cassettes

/// Finds recordings that are too old, by their recorded time.
package struct RecordingAge: Sendable {
  private let seconds: Double
  private let words: String
  private let now: Double

  /// Creates an age limit.
  ///
  /// - Parameters:
  ///   - seconds: The maximum age, in seconds.
  ///   - words: The maximum age as the user typed it, for messages.
  ///   - now: The current time, in RFC 3339 format.
  package init(_ seconds: Double, _ words: String, now: String) {
    self.seconds = seconds
    self.words = words
    self.now = GeneratedValue.seconds(Array(now.utf8)) ?? 0
  }

  /// Returns true if a recording is older than the limit, or nil if it has no time.
  package func isOlder(_ interaction: Interaction) -> Bool? {
    guard let text = interaction.recorded?.at, let made = GeneratedValue.seconds(Array(text.utf8)) else { return nil }
    return now - made > seconds
  }

  /// Returns an error for each cassette with old recordings, at the oldest one, and a warning for each with recordings
  /// without a time.
  package func findings(in cassettes: [Cassette]) -> [CassetteError] {
    cassettes.flatMap { cassette -> [CassetteError] in
      let file = cassette.file ?? cassette.name
      var found: [CassetteError] = []
      let old = cassette.interactions.filter { isOlder($0) == true }
      // The same instant can have several notations; for these, either recording may be reported.
      if let oldest = old.min(by: { ($0.recorded?.at ?? "") < ($1.recorded?.at ?? "") }) {
        let count = "\(old.count) of \(cassette.interactions.count) recordings \(old.count == 1 ? "is" : "are")"
        found.append(
          CassetteError(
            file: oldest.place?.file ?? file, line: oldest.place?.line ?? 1, column: oldest.place?.column ?? 1,
            message: "\(count) older than \(words), the oldest, \"\(oldest.shownID)\", of \(oldest.recorded?.at ?? "")",
            suggestion:
              "record it again: mockserver refresh --older-than \(words) \(file); in Swift tests: CASSETTE_MODE=refresh swift test"
          ))
      }
      let silent = cassette.interactions.count { isOlder($0) == nil }
      if silent > 0 {
        found.append(
          CassetteError(
            file: file, line: 1, column: 1,
            message: "\(silent) of \(cassette.interactions.count) recordings have no date",
            severity: .warning))
      }
      return found
    }
  }
}
