import Cassettes

/// Files of another tool that become one cassette.
struct ImportSource {
  /// Takes a recording, and where it begins.
  typealias Use = (Interaction, SourcePlace) throws(CassetteError) -> Void

  /// The result of reading a source.
  struct Result {
    var skipped: [SkippedRecording] = []
    var notes = ImportNotes()
    /// The recordings' origin according to the source; empty for none, nil when it says nothing.
    var origin: String?
    /// The number of recordings in all.
    var count = 0

    /// Notes a recording that is not taken over; throws where its file must be refused as a whole.
    mutating func skip(_ item: String, at place: SourcePlace, _ error: Unusable) throws(CassetteError) {
      if error.refusesFile {
        throw CassetteError(file: place.file, line: place.line, column: 1, message: "\(item): \(error.reason)")
      }
      skipped.append(.init(file: place.file, line: place.line, item: item, reason: error.reason))
    }
  }

  var format: CassetteFormat
  /// The files; more than one only where a recording has a file of its own.
  var paths: [String]
  /// The cassette's name.
  var name: String
  /// The path that a person named.
  var label: String
}

/// A recording that was not taken over.
package struct SkippedRecording: Sendable {
  /// The file its recording is in.
  package var file: String
  /// The line its recording begins at.
  package var line: Int
  /// The recording that was skipped: `entry 3`.
  package var item: String
  /// The reason for it.
  package var reason: String
}
