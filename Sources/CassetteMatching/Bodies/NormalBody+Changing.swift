internal import CassetteJSON

extension NormalBody {
  /// Returns the places at which all recorded bodies have different scalars; empty if the bodies differ elsewhere, too.
  package static func changing(among bodies: [NormalBody]) -> BodyPlaces {
    guard let first = bodies.first, let tree = first.tree, bodies.count > 1 else { return BodyPlaces() }
    var places: Set<String>?
    var values: [String: Set<[UInt8]>] = [:]
    for body in bodies.dropFirst() {
      guard body.kind == first.kind, let other = body.tree else { return BodyPlaces() }
      let comparison = first.comparison(with: other, limit: 100)
      let found = comparison.found
      guard found.count < 100, comparison.left > 0 else { return BodyPlaces() }
      var here: Set<String> = []
      for difference in found {
        guard let now = difference.sent.flatMap({ value($0, other) }),
          let then = difference.recorded.flatMap({ value($0, tree) }), now.first == then.first
        else { return BodyPlaces() }
        let place = first.place(difference.path)
        here.insert(place)
        values[place, default: [then]].insert(now)
      }
      // A repeated field has one place but two values.
      guard here.count == found.count, places == nil || places == here else { return BodyPlaces() }
      places = here
    }
    guard let places, values.values.allSatisfy({ $0.count == bodies.count }) else { return BodyPlaces() }
    return BodyPlaces(places)
  }

  /// Returns a string's text after a quote, or a number's digits after a zero; nil for other values.
  private static func value(_ node: JSONTree.Node, _ tree: JSONTree) -> [UInt8]? {
    guard case .scalar = node.kind else { return nil }
    let token = tree.bytes[node.range]
    if token.first == UInt8(ascii: "\"") { return [UInt8(ascii: "\"")] + JSONTree.text(ofString: token) }
    guard let number = JSONNumber(token) else { return nil }
    return [UInt8(ascii: "0")] + number.digits + Array("e\(number.exponent)\(number.isNegative)".utf8)
  }
}
