internal import CassettePatterns

/// A place where two JSON texts hold different values.
///
/// Values count, not their spelling: member order, white space and escapes are irrelevant, `1.0` is `1`, and integers of
/// any size differ when a digit does.
public struct JSONDifference: Equatable, Sendable {
  /// The place of the difference, as in `$.items[0].name`.
  public var path: String
  /// The value in the first text, as written there but shortened; nil when it is missing.
  public var sent: String?
  /// The value in the second text, as written there but shortened; nil when it is missing.
  public var recorded: String?

  /// Finds the places where two texts differ, in the order of the second, at most a hundred.
  ///
  /// When either is not JSON, the texts differ as a whole unless their bytes are equal.
  public static func between(_ sent: [UInt8], _ recorded: [UInt8]) -> [JSONDifference] {
    between(sent, recorded, limit: 100)
  }

  /// Tells whether two texts hold the same value, or the same bytes.
  public static func equal(_ sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    between(sent, recorded, limit: 1).isEmpty
  }

  /// Finds up to `limit` places where a value differs from the wanted one by more than is allowed, within some steps.
  package static func between(
    _ sent: JSONTree, _ wanted: [UInt8], allowing tolerance: JSONTolerance, limit: Int, steps: inout Int,
    forgiving forgives: (JSONDifference) -> Bool
  ) -> [JSONDifference] {
    if sent.bytes == wanted { return [] }
    guard let tree = JSONTree(wanted) else { return [JSONDifference(sent.bytes, wanted)] }
    return withoutActuallyEscaping(forgives) { forgives in
      var comparison = JSONComparison(
        sent: sent, recorded: tree, limit: limit, tolerance: tolerance, left: steps,
        forgives: { path, one, other in
          forgives(JSONDifference(JSONComparison.Found(path: path, sent: one, recorded: other), sent, tree))
        })
      comparison.run()
      steps = comparison.left
      return comparison.found.map { JSONDifference($0, sent, tree) }
    }
  }

  private static func between(_ sent: [UInt8], _ recorded: [UInt8], limit: Int) -> [JSONDifference] {
    if sent == recorded { return [] }
    guard let tree = JSONTree(sent) else { return [JSONDifference(sent, recorded)] }
    var steps = Int.max >> 1
    return between(tree, recorded, allowing: JSONTolerance(), limit: limit, steps: &steps) { _ in false }
  }

  /// Returns the beginning of a value, with an ellipsis when there is more.
  package static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let most = 120
    guard bytes.count > most else { return String(decoding: bytes, as: UTF8.self) }
    var end = bytes.startIndex + most
    while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }
}

extension JSONDifference {
  /// Texts that differ as a whole.
  private init(_ sent: [UInt8], _ recorded: [UInt8]) {
    (path, self.sent, self.recorded) = ("$", Self.excerpt(sent[...]), Self.excerpt(recorded[...]))
  }

  private init(_ found: JSONComparison.Found, _ sent: JSONTree, _ recorded: JSONTree) {
    path = JSONPath(found.path).description
    self.sent = found.sent.map { Self.excerpt(sent.bytes[$0.range]) }
    self.recorded = found.recorded.map { Self.excerpt(recorded.bytes[$0.range]) }
  }
}

/// The differences between two JSON texts that still count as equal.
package struct JSONTolerance: Hashable, Sendable {
  /// Values that play no part.
  package var ignored: [JSONQuery]
  /// True if members and elements may be there that are not wanted.
  package var allowsExtra: Bool
  /// True if the elements of an array may come in any order.
  package var allowsAnyOrder: Bool

  package init(ignored: [JSONQuery] = [], allowsExtra: Bool = false, allowsAnyOrder: Bool = false) {
    self.ignored = ignored
    self.allowsExtra = allowsExtra
    self.allowsAnyOrder = allowsAnyOrder
  }

  /// Finds where the ignored values of a text begin; a path that takes too long to follow leads nowhere.
  package func ignoredPlaces(in tree: JSONTree) -> Set<Int> {
    var budget = MatchingBudget(Self.steps(for: tree))
    return ignored.reduce(into: []) { places, query in
      places.formUnion((query.places(in: tree, &budget) ?? []).lazy.map(\.range.lowerBound))
    }
  }

  /// Returns a number of steps that is enough for every path without filters, however long the text is.
  private static func steps(for tree: JSONTree) -> Int { MatchingBudget.steps + 16 * tree.bytes.count }
}
