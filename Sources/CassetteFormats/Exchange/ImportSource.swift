import Cassettes

/// Files of another tool that become one cassette.
struct ImportSource {
  /// A recording that is not taken over.
  struct Skip: Sendable {
    /// The file, where a source has several.
    var file: String?
    var line: Int
    var item: String
    var reason: String
  }

  /// The result of reading a source.
  struct Result {
    var skipped: [Skip] = []
    var notes = ImportNotes()
    /// The recordings' origin according to the source; empty for none, nil when it says nothing.
    var origin: String?
    /// The number of recordings in all.
    var count = 0
  }

  var format: CassetteFormat
  /// The files; more than one only where a recording has a file of its own.
  var paths: [String]
  /// The cassette's name.
  var name: String
  /// The path that a person named.
  var label: String
}
