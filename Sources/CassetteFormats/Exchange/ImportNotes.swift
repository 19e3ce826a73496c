internal import CassetteJSON
import Cassettes

/// The losses of an import, folded by name, with how often and where first.
package struct ImportNotes: Sendable {
  /// One thing that was met.
  package struct Note: Hashable, Sendable {
    /// What it is, with its path in a recording.
    package var what: String
    package var count = 1
    /// Where it was met first.
    package var file: String
    package var line: Int
    /// Whether something is not in the cassette; if not, it is there in another form.
    package var isLeftOut: Bool
  }

  /// In the order in which they were first met.
  package private(set) var left: [Note] = []
  private var places: [String: Int] = [:]
  /// Where the recording begins that is read now, and its text: a value's line is counted from there.
  private(set) var place = SourcePlace(file: "", line: 1, column: 1)
  private var root: JSONValue?
  /// Whether members that no reader knows are looked for; only one of several readings needs to.
  var findsUnknown = false

  init() {}

  /// Says what is read from now on.
  mutating func begin(_ root: JSONValue?, at place: SourcePlace) {
    (self.root, self.place) = (root, place)
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
