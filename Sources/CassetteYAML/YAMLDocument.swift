internal import CassetteSystem

/// A document of a YAML text as JSON, with the places at which its values stood.
package struct YAMLDocument: Sendable {
  /// A value or a key: its first byte in both texts.
  struct Place: Sendable {
    var json: Int
    var yaml: Int
  }

  /// The document as JSON, each value on the line that it has in the YAML.
  package let json: [UInt8]
  private var places: [Place]

  init(_ json: [UInt8], _ places: [Place]) { (self.json, self.places) = (json, places) }

  /// Finds the YAML byte of one of the JSON; for what an alias or a merge repeats, of the alias or of what is before
  /// it.
  package func offset(of place: Int) -> Int {
    let next = places.partitioningIndex { $0.json > place }
    return next == 0 ? 0 : places[next - 1].yaml
  }

  mutating func move(_ moved: (Int) -> Int) {
    for index in places.indices { places[index].yaml = moved(places[index].yaml) }
  }
}
