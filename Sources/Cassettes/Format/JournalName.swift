/// The names of the files in which a recorder keeps exchanges until they are written to the cassette.
package enum JournalName {
  /// The suffix of a journal's name.
  package static let suffix = ".journal"

  /// Returns true if a body file is in the folder of a journal.
  static func holds(_ path: String) -> Bool {
    path.hasPrefix(".") && path.split(separator: "/").first?.hasSuffix(suffix) == true
  }
}
