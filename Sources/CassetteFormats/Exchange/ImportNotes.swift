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

  init() {}

  /// Sets the current recording.
  mutating func begin(_ root: SourceValue, at place: SourcePlace) {
    (self.root, self.place, asked) = (root.json, place, nil)
  }

  /// Notes a value that is lost, which counts as used.
  mutating func leave(_ what: String, at value: SourceValue? = nil) {
    value?.use()
    add(what, value, isLeftOut: true)
  }

  /// Notes the loss of a part of a value.
  mutating func leave(_ what: String, in value: SourceValue) { add(what, value, isLeftOut: true) }

  /// Notes a value that is imported in another form.
  mutating func mention(_ what: String, at value: SourceValue? = nil) { add(what, value, isLeftOut: false) }

  /// Notes the parts of a value that no reader used.
  mutating func leaveUnused(of value: SourceValue, in format: CassetteFormat) {
    value.eachUnused(isIgnored: format.ignores) { leave("\($0), which is not imported", at: $1) }
  }

  /// Returns the line at which a value of the current recording begins.
  func line(of value: SourceValue?) -> Int {
    guard let value, let root else { return place.line }
    return place.line + value.json.lines(below: root)
  }

  private mutating func add(_ what: String, _ value: SourceValue?, isLeftOut: Bool) {
    if let index = places[what] {
      left[index].count += 1
    } else {
      places[what] = left.count
      left.append(Note(what: what, file: place.file, line: line(of: value), isLeftOut: isLeftOut))
    }
  }
}
