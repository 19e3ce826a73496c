package import CassettePatterns
internal import Cassettes

extension Condition {
  /// Tells whether it is met by the values of one name: none is met by nothing but ``Term/absent(_:)``.
  ///
  /// - Parameters:
  ///   - values: What there is.
  ///   - budget: What patterns may cost; one that is not decided within it is not met.
  /// - Returns: Whether one value meets every term.
  package func isMet(by values: [ConditionText], _ budget: inout MatchingBudget) -> Bool {
    guard case .all(let terms) = self else { return true }
    if terms.contains(.absent(true)) { return values.isEmpty }
    for value in values {
      var isMet = true
      for term in terms where isMet { isMet = term.isMet(by: value, &budget) }
      if isMet { return true }
    }
    return false
  }

  /// Tells whether it is met by the values of one name, within a budget of its own.
  package func isMet(by values: [String]) -> Bool {
    var budget = MatchingBudget()
    return isMet(by: values.map { ConditionText($0) }, &budget)
  }

  /// Tells whether it is met by a value, as far as that can be found out.
  package func mayBeMet(by value: String) -> Bool {
    var budget = MatchingBudget()
    return isMet(by: [ConditionText(value)], &budget) || budget.undecided > 0
  }
}

extension Condition.Term {
  fileprivate func isMet(by value: ConditionText, _ budget: inout MatchingBudget) -> Bool {
    switch self {
    // A secret that was taken out equals any that is sent.
    case .equals(let text):
      value.equals(text) || Self.hasPlaceholder(text) && SecretPlaceholders.matches(value.string, placeholderIn: text)
    case .equalsIgnoringCase(let text):
      value.lowercased == text.lowercased()
        || Self.hasPlaceholder(text) && SecretPlaceholders.matches(value.lowercased, placeholderIn: text.lowercased())
    case .contains(let text): value.contains(Array(text.utf8))
    case .doesNotContain(let text): !value.contains(Array(text.utf8))
    case .matches(let pattern): Self.isMatch(pattern, value, &budget) == true
    case .doesNotMatch(let pattern): Self.isMatch(pattern, value, &budget) == false
    case .absent(let isAbsent): !isAbsent
    }
  }

  private static func isMatch(_ pattern: TextPattern, _ value: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    let isMatch = pattern.matches(value, &budget)
    if isMatch == nil { budget.leaveUndecided() }
    return isMatch
  }

  private static func hasPlaceholder(_ text: String) -> Bool { text.contains("{{") }
}
