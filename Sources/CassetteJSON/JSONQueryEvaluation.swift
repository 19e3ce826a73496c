package import CassettePatterns

extension JSONQuery {
  /// Returns the selected values in the order of RFC 9535, possibly with duplicates, or nil if the budget was exceeded.
  package func nodes(in tree: JSONTree, _ budget: inout MatchingBudget) -> [JSONTree.Node]? {
    find(in: tree, isUnique: false, &budget)
  }

  /// Returns the selected values without duplicates, or nil if the budget was exceeded.
  ///
  /// For a query without filters, each step visits a value at most once.
  package func places(in tree: JSONTree, _ budget: inout MatchingBudget) -> [JSONTree.Node]? {
    find(in: tree, isUnique: true, &budget)
  }

  private func find(in tree: JSONTree, isUnique: Bool, _ budget: inout MatchingBudget) -> [JSONTree.Node]? {
    var evaluation = JSONQueryEvaluation(tree, budget, isUnique: isUnique)
    let nodes = evaluation.nodes(of: segments, from: tree.root)
    let before = budget.undecided
    budget = evaluation.budget
    if budget.isSpent { budget.leaveUndecided() }
    return budget.undecided > before ? nil : nodes
  }
}

/// Evaluates a query in a document.
struct JSONQueryEvaluation {
  private let tree: JSONTree
  private(set) var budget: MatchingBudget
  private let isUnique: Bool
  /// The compiled patterns, which are in the query or in the document.
  private var patterns: [PatternKey: TextPattern?] = [:]

  private struct PatternKey: Hashable {
    var source: [UInt8]
    var isPart: Bool
  }

  init(_ tree: JSONTree, _ budget: MatchingBudget, isUnique: Bool) {
    self.tree = tree
    self.budget = budget
    self.isUnique = isUnique
  }

  mutating func nodes(of segments: [JSONQuerySegment], from node: JSONTree.Node) -> [JSONTree.Node] {
    nodes(of: segments, from: node, isUnique: isUnique)
  }

  private mutating func nodes(
    of segments: [JSONQuerySegment], from node: JSONTree.Node, isUnique: Bool
  ) -> [JSONTree.Node] {
    var nodes = [node]
    for segment in segments {
      guard !budget.isSpent else { return [] }
      var found: [JSONTree.Node] = []
      var seen: Set<Int> = []
      for node in nodes where !budget.isSpent {
        if segment.isDescendant {
          descend(into: node, segment.selectors, isUnique, &seen, &found)
        } else {
          for selector in segment.selectors { select(selector, of: node, &found) }
        }
      }
      nodes = isUnique && segment.selectors.count > 1 ? Self.unique(found) : found
    }
    return nodes
  }

  /// Removes duplicates; a value is identified by its offset.
  private static func unique(_ nodes: [JSONTree.Node]) -> [JSONTree.Node] {
    var seen: Set<Int> = []
    return nodes.filter { seen.insert($0.range.lowerBound).inserted }
  }

  /// Selects children of a value and of all its descendants, in document order.
  private mutating func descend(
    into node: JSONTree.Node, _ selectors: [JSONQuerySelector], _ isUnique: Bool, _ seen: inout Set<Int>,
    _ found: inout [JSONTree.Node]
  ) {
    var stack = [node]
    while let node = stack.popLast(), !budget.isSpent {
      // The descendants of a visited value have been visited as well.
      if isUnique, !seen.insert(node.range.lowerBound).inserted { continue }
      for selector in selectors { select(selector, of: node, &found) }
      let children = Self.children(of: node)
      budget.left -= 1 + children.count
      stack += children.reversed()
    }
  }

  private static func children(of node: JSONTree.Node) -> [JSONTree.Node] {
    switch node.kind {
    case .object(let members): members.map(\.value)
    case .array(let elements): elements
    case .scalar: []
    }
  }

  // MARK: Selectors

  private mutating func select(_ selector: JSONQuerySelector, of node: JSONTree.Node, _ found: inout [JSONTree.Node]) {
    let before = found.count
    switch (selector, node.kind) {
    case (.name(let name), .object(let members)):
      budget.left -= members.count / 4
      for member in members where member.name == name { found.append(member.value) }
    case (.index(let index), .array(let elements)):
      let place = index < 0 ? elements.count + index : index
      if elements.indices.contains(place) { found.append(elements[place]) }
    case (.slice(let start, let end, let step), .array(let elements)):
      for index in Self.indices(start, end, step, count: elements.count) { found.append(elements[index]) }
    case (.wildcard, _):
      found += Self.children(of: node)
    case (.filter(let condition), _):
      for child in Self.children(of: node) where !budget.isSpent {
        budget.left -= 1
        if isMet(condition, child) { found.append(child) }
      }
    case (.name, _), (.index, _), (.slice, _): break
    }
    // Storing a value takes more time than a step.
    budget.left -= 1 + 4 * (found.count - before)
  }

  /// Returns the indices of a slice (RFC 9535 §2.3.4.2.2).
  private static func indices(_ start: Int?, _ end: Int?, _ step: Int, count: Int) -> StrideTo<Int> {
    func place(_ index: Int) -> Int { index < 0 ? count + index : index }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      return stride(
        from: min(max(place(start ?? 0), 0), count), to: min(max(place(end ?? count), 0), count),
        by: min(step, count + 1))
    }
    return stride(
      from: min(max(place(start ?? count - 1), -1), count - 1),
      to: min(max(end.map(place) ?? -1, -1), count - 1), by: max(step, -count - 1))
  }

  // MARK: Conditions

  private mutating func isMet(_ condition: JSONQueryCondition, _ node: JSONTree.Node) -> Bool {
    budget.left -= 1
    guard !budget.isSpent else { return false }
    switch condition {
    case .or(let conditions):
      for condition in conditions where isMet(condition, node) { return true }
      return false
    case .and(let conditions):
      for condition in conditions where !isMet(condition, node) { return false }
      return true
    case .not(let condition): return !isMet(condition, node)
    case .exists(let part): return !nodes(of: part, node, isUnique: true).isEmpty
    case .comparison(let left, let sign, let right):
      let (left, right) = (value(left, node), value(right, node))
      return switch sign {
      case .equal: left == right
      case .notEqual: left != right
      case .less: left < right
      case .greater: right < left
      case .lessOrEqual: left < right || left == right
      case .greaterOrEqual: right < left || left == right
      }
    case .matches(let text, let pattern, let isPart):
      guard case .text(let text) = value(text, node), case .text(let source) = value(pattern, node) else {
        return false
      }
      return isMatch(text, source, isPart)
    }
  }

  private mutating func nodes(of part: JSONQueryPart, _ node: JSONTree.Node, isUnique: Bool) -> [JSONTree.Node] {
    nodes(of: part.segments, from: part.isRelative ? node : tree.root, isUnique: isUnique)
  }

  private mutating func value(_ operand: JSONQueryOperand, _ node: JSONTree.Node) -> JSONQueryValue {
    switch operand {
    case .literal(let value): return value
    case .part(let part): return nodes(of: part, node, isUnique: false).first.map { value(of: $0) } ?? .nothing
    case .only(let part):
      let nodes = nodes(of: part, node, isUnique: false)
      return nodes.count == 1 ? value(of: nodes[0]) : .nothing
    case .count(let part): return JSONQueryValue(nodes(of: part, node, isUnique: false).count)
    case .length(let operand): return value(operand, node).length.map { JSONQueryValue($0) } ?? .nothing
    }
  }

  private mutating func value(of node: JSONTree.Node) -> JSONQueryValue {
    budget.left -= node.range.count / 4
    return budget.isSpent ? .nothing : JSONQueryValue(node, in: tree)
  }

  /// Returns true if a string matches a pattern (RFC 9485); an invalid pattern matches nothing.
  private mutating func isMatch(_ text: [UInt8], _ source: [UInt8], _ isPart: Bool) -> Bool {
    let key = PatternKey(source: source, isPart: isPart)
    if patterns[key] == nil {
      // A pattern in the document may differ for each value, so compiling it must be counted.
      budget.left -= 1_000 + 16 * source.count
      guard !budget.isSpent else { return false }
      let pattern = try? TextPattern(String(decoding: source, as: UTF8.self), in: .interoperable, ofPart: isPart)
      patterns[key] = .some(pattern)
    }
    guard let pattern = patterns[key] ?? nil else { return false }
    let isMatch = pattern.matches(ConditionText(text), &budget)
    if isMatch == nil { budget.leaveUndecided() }
    return isMatch ?? false
  }
}
