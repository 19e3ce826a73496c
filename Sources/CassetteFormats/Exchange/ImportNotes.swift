internal import CassetteJSON
import Cassettes

/// The losses of an import, folded by name, with how often and where first.
package struct ImportNotes: Sendable {
  /// A member that was not taken over as it is, and its first place.
  package struct Note: Hashable, Sendable {
    /// The member's name or description, with its path in a recording.
    package var what: String
    package var count = 1
    /// The file of its first occurrence.
    package var file: String
    /// The line of its first occurrence.
    package var line: Int
    /// True when the value is not in the cassette, false when it is there in another form.
    package var isLeftOut: Bool
  }

  /// The notes, in the order in which they were first met.
  package private(set) var left: [Note] = []
  private var places: [String: Int] = [:]
  /// The first line of the recording that is being read; lines of its values are counted from there.
  private(set) var place = SourcePlace(file: "", line: 1, column: 1)
  private var root: JSONValue?
  /// The exchange whose request was read and whose response is being read; it becomes a gap if the response is skipped.
  var asked: Exchange?
  /// True to look for members that no reader knows; one of several readings is enough.
  var findsUnknown = false

  init() {}

  /// Says what is read from now on.
  mutating func begin(_ root: JSONValue?, at place: SourcePlace) {
    (self.root, self.place, asked) = (root, place, nil)
  }

  /// Names what is not taken over.
  mutating func leave(_ what: String, at value: JSONValue? = nil) { add(what, value, isLeftOut: true) }

  /// Names what is taken over in another form.
  mutating func mention(_ what: String, at value: JSONValue? = nil) { add(what, value, isLeftOut: false) }

  /// The line a value begins at.
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
