internal import CassettePatterns

/// A difference between a sent and a recorded JSON document.
///
/// Values are compared, not their source: member order, white space and escapes are irrelevant, `1.0` equals `1`, and
/// integers of any size differ if a digit does.
public struct JSONDifference: Equatable, Sendable {
  /// The path of the difference, such as `$.items[0].name`.
  public var path: String
  /// The beginning of the value's source in the sent document; nil if the value is missing.
  public var sent: String?
  /// The beginning of the value's source in the recorded document; nil if the value is missing.
  public var recorded: String?

  /// Returns at most a hundred differences between a sent and a recorded document, in the order of the recorded one.
  ///
  /// If either document is not JSON, they are compared as bytes.
  public static func between(_ sent: [UInt8], _ recorded: [UInt8]) -> [JSONDifference] {
    between(sent, recorded, limit: 100)
  }

  /// Returns true if two documents have the same value, or are equal as bytes.
  public static func equal(_ sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    between(sent, recorded, limit: 1).isEmpty
  }

  /// Returns the differences between a value and a wanted value that exceed a tolerance.
  ///
  /// - `limit`: The maximum number of differences.
  /// - `steps`: The maximum number of comparisons, which is reduced by those that were made.
  /// - `forgives`: Returns true for a difference that counts as equal.
  package static func between(
    _ sent: JSONTree, _ wanted: [UInt8], allowing tolerance: JSONTolerance, limit: Int, steps: inout Int,
    forgiving forgives: (JSONDifference) -> Bool
  ) -> [JSONDifference] {
    if sent.bytes == wanted { return [] }
    guard var tree = JSONTree(wanted) else { return [JSONDifference(sent.bytes, wanted)] }
    var sent = sent
    if !tolerance.ignored.isEmpty { (sent, tree) = (sent.withInnerValues(), tree.withInnerValues()) }
    let (now, then) = (sent, tree)
    return withoutActuallyEscaping(forgives) { forgives in
      var comparison = JSONComparison(
        sent: now, recorded: then, limit: limit, tolerance: tolerance, left: steps,
        forgives: { path, one, other in
          forgives(JSONDifference(JSONComparison.Found(path: path, sent: one, recorded: other), now, then))
        })
      comparison.run()
      steps = comparison.left
      return comparison.found.map { JSONDifference($0, now, then) }
    }
  }

  private static func between(_ sent: [UInt8], _ recorded: [UInt8], limit: Int) -> [JSONDifference] {
    if sent == recorded { return [] }
    guard let tree = JSONTree(sent) else { return [JSONDifference(sent, recorded)] }
    var steps = Int.max >> 1
    return between(tree, recorded, allowing: JSONTolerance(), limit: limit, steps: &steps) { _ in false }
  }

  /// Returns the beginning of a value, followed by an ellipsis if it was truncated.
  package static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let most = 120
    guard bytes.count > most else { return String(decoding: bytes, as: UTF8.self) }
    var end = bytes.startIndex + most
    while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }
}

extension JSONDifference {
  /// Creates a difference between whole documents.
  private init(_ sent: [UInt8], _ recorded: [UInt8]) {
    (path, self.sent, self.recorded) = ("$", Self.excerpt(sent[...]), Self.excerpt(recorded[...]))
  }

  private init(_ found: JSONComparison.Found, _ sent: JSONTree, _ recorded: JSONTree) {
    path = JSONPath(found.path).description
    self.sent = found.sent.map { Self.excerpt(sent.bytes[$0.range]) }
    self.recorded = found.recorded.map { Self.excerpt(recorded.bytes[$0.range]) }
  }
}

/// The differences between two JSON documents that count as equal.
package struct JSONTolerance: Hashable, Sendable {
  /// The values that are ignored.
  package var ignored: [JSONQuery]
  /// True if the sent document may contain additional members and elements.
  package var allowsExtra: Bool
  /// True if arrays may have any order.
  package var allowsAnyOrder: Bool

  package init(ignored: [JSONQuery] = [], allowsExtra: Bool = false, allowsAnyOrder: Bool = false) {
    self.ignored = ignored
    self.allowsExtra = allowsExtra
    self.allowsAnyOrder = allowsAnyOrder
  }

  /// Returns the offsets of the ignored values in a document; a path that takes too long to evaluate is disregarded.
  package func ignoredPlaces(in tree: JSONTree) -> Set<Int> {
    var budget = MatchingBudget(Self.steps(for: tree))
    return ignored.reduce(into: []) { places, query in
      places.formUnion((query.places(in: tree, &budget) ?? []).lazy.map(\.range.lowerBound))
    }
  }

  /// Returns the paths that select no value of a document, among the ignored ones.
  package func unmet(in tree: JSONTree) -> [JSONQuery] {
    var budget = MatchingBudget(Self.steps(for: tree))
    return ignored.filter { $0.places(in: tree, &budget)?.isEmpty ?? false }
  }

  /// Returns a number of steps that suffices for paths without filters in a document of any size.
  private static func steps(for tree: JSONTree) -> Int { MatchingBudget.steps + 16 * tree.bytes.count }
}
