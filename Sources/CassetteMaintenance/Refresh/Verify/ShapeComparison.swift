import CassetteJSON

/// Compares the shape of a new value with the recorded one.
package struct ShapeComparison {
  /// The maximum number of reported differences.
  static let limit = 100

  let ignored: IgnoredPlaces
  package private(set) var differences: [ShapeDifference] = []

  package init(ignoring ignored: IgnoredPlaces = IgnoredPlaces()) { self.ignored = ignored }

  /// Compares the shapes at a path and below it.
  package mutating func compare(_ old: JSONShape, _ new: JSONShape, at path: String = "$") {
    guard differences.count < Self.limit, !ignored.covers(path: path) else { return }
    let added = new.kinds.subtracting(old.kinds)
    if !added.isEmpty {
      let words = "was \(old.kinds.words), is \(new.kinds.words)"
      // A recorded null does not show the type of the value.
      if old.kinds == .null { return add(.information(.type, path, words)) }
      add(.error(.type, path, words))
    }
    if old.kinds.contains(.number), !old.hasFraction, new.hasFraction {
      // Not an error, because the same server may return 10 and 10.5, and most languages parse both as one type.
      add(.information(.type, path, "was a whole number, is a fraction"))
    }
    if old.kinds.contains(.object), new.kinds.contains(.object) { compareMembers(old, new, path) }
    if let old = old.elements.first, let new = new.elements.first { compare(old, new, at: path + "[*]") }
    if let old = old.entries.first, let new = new.entries.first { compare(old, new, at: path + ".*") }
  }

  private mutating func compareMembers(_ old: JSONShape, _ new: JSONShape, _ path: String) {
    for name in old.names {
      guard let before = old.members[name] else { continue }
      let place = path + Self.step(name)
      if ignored.covers(path: place) { continue }
      let isOptional = before.count < old.objects
      guard let after = new.members[name] else {
        if !isOptional { add(.error(.gone, place, "was \(before.shape.kinds.words), is gone")) }
        continue
      }
      if !isOptional, after.count < new.objects {
        add(.error(.gone, place, "is missing in \(new.objects - after.count) of \(new.objects)"))
      }
      compare(before.shape, after.shape, at: place)
    }
    for name in new.names where old.members[name] == nil {
      let place = path + Self.step(name)
      guard let shape = new.members[name]?.shape, !ignored.covers(path: place) else { continue }
      add(.information(.new, place, "is new, \(shape.kinds.words)"))
    }
  }

  private mutating func add(_ difference: ShapeDifference) {
    if differences.count < Self.limit { differences.append(difference) }
  }

  private static func step(_ name: String) -> String { String(JSONPath([.member(name)]).description.dropFirst()) }
}
