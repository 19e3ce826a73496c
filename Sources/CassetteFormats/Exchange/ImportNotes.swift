internal import CassetteJSON
import Cassettes

/// The data that an import loses or changes, grouped by member, with the number and first location of each.
package struct ImportNotes: Sendable {
  /// A member that is lost or changed, with its first location.
  package struct Note: Hashable, Sendable {
    /// The name or description of the member, with its path in the recording.
    package var what: String
    package var count = 1
    /// The file of its first occurrence.
    package var file: String
    /// The line of its first occurrence.
    package var line: Int
    /// True if the value is not in the cassette; false if it is there in another form.
    package var isLeftOut: Bool
  }

  /// The notes, in the order of their first occurrence.
  package private(set) var left: [Note] = []
  private var places: [String: Int] = [:]
  /// The location of the current recording, from which lines of its values are counted.
  private(set) var place = SourcePlace(file: "", line: 1, column: 1)
  private var root: JSONValue?
  /// The exchange whose request was read and whose response is being read.
  ///
  /// It becomes a gap if the response is skipped.
  var asked: Exchange?
  /// True to report unknown members, which is necessary only once if a file is read repeatedly.
  var findsUnknown = false

  init() {}

  /// Sets the current recording.
  mutating func begin(_ root: JSONValue?, at place: SourcePlace) {
    (self.root, self.place, asked) = (root, place, nil)
  }

  /// Notes data that is lost.
  mutating func leave(_ what: String, at value: JSONValue? = nil) { add(what, value, isLeftOut: true) }

  /// Notes data that is imported in another form.
  mutating func mention(_ what: String, at value: JSONValue? = nil) { add(what, value, isLeftOut: false) }

  /// Returns the line at which a value of the current recording begins.
  func line(of value: JSONValue?) -> Int {
    guard let value, let root else { return place.line }
    return place.line + value.lines(below: root)
  }

  private mutating func add(_ what: String, _ value: JSONValue?, isLeftOut: Bool) {
    if let index = places[what] {
      left[index].count += 1
    } else {
      places[what] = left.count
      left.append(Note(what: what, file: place.file, line: line(of: value), isLeftOut: isLeftOut))
    }
  }
}

extension KnownMembers {
  /// Notes the members of a value that are neither imported nor known to be irrelevant.
  func check(_ value: JSONValue, _ notes: inout ImportNotes) {
    guard notes.findsUnknown else { return }
    check(value) { notes.leave($0, at: $1) }
  }

  /// Notes the unknown members of a value next to the recordings.
  ///
  /// The value is nil if it was too long to be read.
  static func check(_ value: JSONValue?, _ known: KnownMembers?, at path: [String], _ notes: inout ImportNotes) {
    guard notes.findsUnknown else { return }
    guard let known else { return notes.leave("\(text(path)), which is not known", at: value) }
    guard let value else {
      if case .harmless = known { return }
      return notes.leave("\(text(path)) of more than 64 KB")
    }
    known.check(value, at: path) { notes.leave($0, at: $1) }
  }
}
