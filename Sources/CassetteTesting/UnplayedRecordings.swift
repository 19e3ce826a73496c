package import CassettePlayback
internal import CassetteSystem
package import Cassettes
import Foundation

/// The recordings that no test of this process has used, reported at the end of the process in one line per file.
///
/// A single test cannot report them, because tests that share a cassette use different parts of it.
package enum UnplayedRecordings {
  /// A recording or stub; stubs of different tests may have the same id.
  private struct Place: Hashable {
    let line: Int
    let id: String
  }

  private struct File {
    var all: Set<Place> = []
    var played: Set<Place> = []
    /// True if a test has enabled the report for the file.
    var isWanted = false
    /// True if a test that uses the file has failed, so that it may not have sent all requests.
    var hasFailed = false
  }

  private static let files = Locked<[String: File]>([:])

  /// Adds the recordings that a test has played.
  ///
  /// - `strictness`: The strictness of the test. A file is reported only if one of its tests has the strictness
  ///   `.warns`.
  /// - `hasFailed`: True if the test has failed.
  /// - `isHidden`: Returns true if a stub of the test replaces a recording. By default, none is replaced.
  package static func note(
    _ table: RecordingTable, _ strictness: CassetteStrictness, hasFailed: Bool,
    hiding isHidden: (Interaction) -> Bool = { _ in false }
  ) {
    RecordingConclusion.schedule()
    let never = Set(table.neverPlayed)
    files.withLock { files in
      for (number, entry) in table.entries.enumerated() where !entry.isFixture {
        let interaction = entry.interaction
        guard let place = interaction.place else { continue }
        let known = Place(line: place.line, id: interaction.id)
        files[place.file, default: File()].all.insert(known)
        if !never.contains(number) || isHidden(interaction) { files[place.file]?.played.insert(known) }
        if strictness.level == .warns { files[place.file]?.isWanted = true }
        if hasFailed { files[place.file]?.hasFailed = true }
      }
    }
  }

  /// The lines for files with recordings that were never played.
  static var lines: [String] {
    files.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { path, file in
      let unplayed = file.all.subtracting(file.played).sorted { ($0.line, $0.id) < ($1.line, $1.id) }
      guard file.isWanted, !file.hasFailed, !unplayed.isEmpty else { return nil }
      let names = unplayed.prefix(10).map { "\($0.id) at line \($0.line)" }
      let noun = path.hasSuffix(".swift") ? "stubs" : "recordings"
      let more = unplayed.count > 10 ? ", and \(unplayed.count - 10) more" : ""
      return
        "\(path): \(unplayed.count) of \(file.all.count) \(noun) were never played in this run: "
        + "\(names.joined(separator: ", "))\(more)"
    }
  }
}
