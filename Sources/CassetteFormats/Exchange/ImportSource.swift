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

  /// What a reading came to.
  struct Result {
    var skipped: [Skip] = []
    var notes = ImportNotes()
    /// What the source says the recordings' origin is; empty for none, nil when it says nothing.
    var origin: String?
    /// How many recordings there were in all.
    var count = 0
  }

  var format: CassetteFormat
  /// The files; more than one only where a recording has a file of its own.
  var paths: [String]
  /// The cassette's name.
  var name: String
  /// What a person named.
  var label: String
}
