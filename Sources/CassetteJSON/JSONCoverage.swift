internal import CassettePatterns
internal import CassetteSystem

/// The values that some paths select, including everything inside them.
package struct JSONCoverage {
  private struct Part {
    var range: Range<Int>
    var query: JSONQuery
  }

  /// The selected ranges, disjoint and in order.
  private var parts: [Part] = []

  /// Evaluates paths; if several select the same value, the first applies.
  ///
  /// If `undecidedIsAll` is true, a path that takes too long to evaluate selects the whole document, otherwise nothing.
  package init(_ queries: [JSONQuery], of tree: JSONTree, undecidedIsAll isWhole: Bool) {
    var found: [Part] = []
    for query in queries {
      var budget = MatchingBudget(MatchingBudget.steps + 16 * tree.bytes.count)
      let nodes = query.places(in: tree, &budget) ?? (isWhole ? [tree.root] : [])
      found += nodes.map { Part(range: $0.range, query: query) }
    }
    // Of nested ranges, the outer one comes first.
    for part in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where part.range.lowerBound >= parts.last?.range.upperBound ?? 0 {
      parts.append(part)
    }
  }

  /// Returns the path that selects the value at an offset or an enclosing value.
  package func query(covering offset: Int) -> JSONQuery? {
    let index = parts.partitioningIndex { $0.range.upperBound > offset }
    return index < parts.count && parts[index].range.contains(offset) ? parts[index].query : nil
  }
}
