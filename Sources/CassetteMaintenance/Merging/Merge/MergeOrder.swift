/// Determines the order of merged interactions.
enum MergeOrder {
  /// Returns our order with their additional interactions inserted, or their order if only they have changed it.
  ///
  /// An additional interaction is inserted after its predecessor in their version.
  static func merged(_ ours: [CassetteMerge.Node], _ theirs: [CassetteMerge.Node]) -> [CassetteMerge.Node] {
    let common = Set(ours).intersection(theirs)
    return isAsBefore(ours.filter(common.contains)) && !isAsBefore(theirs.filter(common.contains))
      ? inserted(ours, into: theirs) : inserted(theirs, into: ours)
  }

  /// Returns true if the interactions of the base are in their original order.
  private static func isAsBefore(_ nodes: [CassetteMerge.Node]) -> Bool {
    var last = -1
    for case .base(let index) in nodes {
      if index < last { return false }
      last = index
    }
    return true
  }

  private static func inserted(_ more: [CassetteMerge.Node], into order: [CassetteMerge.Node]) -> [CassetteMerge.Node] {
    let there = Set(order)
    let common = there.intersection(more)
    // Additional nodes by the node that they follow; nil for the beginning.
    var followers: [CassetteMerge.Node?: [CassetteMerge.Node]] = [:]
    var anchor: CassetteMerge.Node?
    for node in more {
      if there.contains(node) { anchor = node } else { followers[anchor, default: []].append(node) }
    }
    var result: [CassetteMerge.Node] = []
    anchor = nil
    for node in order {
      if common.contains(node) {
        result += followers[anchor] ?? []
        anchor = node
      }
      result.append(node)
    }
    return result + (followers[anchor] ?? [])
  }
}
