internal import CassetteSystem

/// A YAML document as JSON, with the offsets of its values in the YAML.
package struct YAMLDocument: Sendable {
  /// The offsets in both formats at which a value or key begins.
  struct Place: Sendable {
    var json: Int
    var yaml: Int
  }

  /// The document as JSON, each value on the line that it has in the YAML.
  package let json: [UInt8]
  private var places: [Place]

  init(_ json: [UInt8], _ places: [Place]) { (self.json, self.places) = (json, places) }

  /// Returns the YAML offset for an offset in the JSON.
  ///
  /// For a value that an alias or a merge repeats, it is the offset of the alias, or of the value before the merge.
  package func offset(of place: Int) -> Int {
    let next = places.partitioningIndex { $0.json > place }
    return next == 0 ? 0 : places[next - 1].yaml
  }

  mutating func move(_ moved: (Int) -> Int) {
    for index in places.indices { places[index].yaml = moved(places[index].yaml) }
  }
}
