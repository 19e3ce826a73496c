internal import CassettePatterns
internal import CassetteSystem

/// The parts of a text that some paths lead to, with all that is inside them.
package struct JSONCoverage {
  private struct Part {
    var range: Range<Int>
    var query: JSONQuery
  }

  /// Side by side, in order.
  private var parts: [Part] = []

  /// Follows paths; where several lead to a value, the first counts.
  ///
  /// With `undecidedIsAll` a path that takes too long to follow stands for the whole text, else for nothing.
  package init(_ queries: [JSONQuery], of tree: JSONTree, undecidedIsAll isWhole: Bool) {
    var found: [Part] = []
    for query in queries {
      var budget = MatchingBudget(MatchingBudget.steps + 16 * tree.bytes.count)
      let nodes = query.places(in: tree, &budget) ?? (isWhole ? [tree.root] : [])
      found += nodes.map { Part(range: $0.range, query: query) }
    }
    // Of two that lie in one another the outer one comes first.
    for part in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where part.range.lowerBound >= parts.last?.range.upperBound ?? 0 {
      parts.append(part)
    }
  }

  /// Returns the path that leads to the value at an offset, or to one around it.
  package func query(covering offset: Int) -> JSONQuery? {
    let index = parts.partitioningIndex { $0.range.upperBound > offset }
    return index < parts.count && parts[index].range.contains(offset) ? parts[index].query : nil
  }
}
