internal import CassettePatterns
internal import Cassettes

extension Condition {
  /// Returns true if one value of a name meets every term within the budget; without values, if no term requires one.
  func isMet(by values: [ConditionText], _ budget: inout MatchingBudget) -> Bool {
    verdict(on: values, &budget) == true
  }

  /// Returns true if the values of one name meet the condition, with a new budget.
  package func isMet(by values: [String]) -> Bool {
    var budget = MatchingBudget()
    return isMet(by: values.map { ConditionText($0) }, &budget)
  }

  /// The bytes that every matching value begins with; empty if unknown.
  package var beginning: [UInt8] {
    guard case .all(let terms) = self else { return [] }
    return terms.lazy.map { if case .matches(let pattern) = $0 { pattern.beginning } else { [] } }
      .max { $0.count < $1.count } ?? []
  }

  /// Returns true if the condition is met; nil if the budget was exceeded.
  fileprivate func verdict(on values: [ConditionText], _ budget: inout MatchingBudget) -> Bool? {
    guard case .all(let terms) = self else { return true }
    let wholly = Self.all(terms.filter(\.concernsAll)) { $0.verdict(onAll: values, &budget) }
    let others = terms.filter { !$0.concernsAll }
    guard wholly != false, !others.isEmpty else { return wholly }
    // The absence of a value is checked once, rather than for each value.
    let candidates = values.isEmpty || others.contains(.absent(true)) ? [values.first] : values.map(Optional.some)
    let found = Self.any(candidates) { value in Self.all(others) { $0.verdict(on: value, &budget) } }
    return found == true ? wholly : found
  }

  /// Returns true if all items are met; nil if that is undecided.
  fileprivate static func all<Item>(_ items: [Item], _ verdict: (Item) -> Bool?) -> Bool? {
    var met: Bool? = true
    for item in items {
      let one = verdict(item)
      if one == false { return false }
      if one == nil { met = nil }
    }
    return met
  }

  /// Returns true if any item is met; nil if that is undecided.
  fileprivate static func any<Item>(_ items: [Item], _ verdict: (Item) -> Bool?) -> Bool? {
    all(items) { item in verdict(item).map { !$0 } }.map { !$0 }
  }
}

extension Condition.Term {
  /// Returns true if a value, or its absence, meets the term; nil if that is undecided.
  fileprivate func verdict(on value: ConditionText?, _ budget: inout MatchingBudget) -> Bool? {
    switch self {
    case .absent(let isAbsent): return (value == nil) == isAbsent
    case .not(let condition): return condition.verdict(on: [value].compactMap(\.self), &budget).map { !$0 }
    case .and(let conditions):
      return Condition.all(conditions) { $0.verdict(on: [value].compactMap(\.self), &budget) }
    case .or(let conditions):
      return Condition.any(conditions) { $0.verdict(on: [value].compactMap(\.self), &budget) }
    default: return value.map { isMet(by: $0, &budget) } ?? false
    }
  }

  private func isMet(by value: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    switch self {
    // A redacted secret equals any value.
    case .equals(let text): Self.equals(value, text)
    case .oneOf(let texts): texts.contains { Self.equals(value, $0) }
    case .equalsIgnoringCase(let text):
      value.lowercased == text.lowercased()
        || Self.hasPlaceholder(text) && SecretPlaceholders.matches(value.lowercased, placeholderIn: text.lowercased())
    case .contains(let text): value.contains(Array(text.utf8))
    case .doesNotContain(let text): !value.contains(Array(text.utf8))
    case .matches(let pattern): Self.isMatch(pattern, value, &budget)
    case .doesNotMatch(let pattern): Self.isMatch(pattern, value, &budget).map { !$0 }
    case .number(let bound): bound.holds(Array(value.string.utf8))
    case .time(let bound): bound.holds(Array(value.string.utf8))
    case .absent, .not, .and, .or, .includes, .hasExactly: false
    }
  }

  /// Returns true if all values of a name together meet the term; nil if that is undecided.
  fileprivate func verdict(onAll values: [ConditionText], _ budget: inout MatchingBudget) -> Bool? {
    let conditions: [Condition]
    switch self {
    case .includes(let wanted): conditions = wanted
    case .hasExactly(let wanted):
      guard wanted.count == values.count else { return false }
      conditions = wanted
    default: return true
    }
    let met = Condition.all(conditions) { $0.verdict(on: values, &budget) }
    guard case .hasExactly = self, met != false else { return met }
    // Every value must meet one of the conditions.
    let none = Condition.all(values) { Condition.Term.or(conditions).verdict(on: $0, &budget) }
    return none == true ? met : none
  }

  private static func equals(_ value: ConditionText, _ text: String) -> Bool {
    value.equals(text) || hasPlaceholder(text) && SecretPlaceholders.matches(value.string, placeholderIn: text)
  }

  private static func isMatch(_ pattern: TextPattern, _ value: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    let isMatch = pattern.matches(value, &budget)
    if isMatch == nil { budget.leaveUndecided() }
    return isMatch
  }

  private static func hasPlaceholder(_ text: String) -> Bool { text.contains("{{") }
}
