/// What a value of a request must be.
package enum Condition: Hashable, Sendable {
  /// It plays no part.
  case ignore
  /// It is as it was recorded, there or not.
  case recorded
  /// One of the values there are has to meet all of these.
  case all([Term])

  /// One thing to be asked of a value.
  package enum Term: Hashable, Sendable {
    case equals(String)
    case equalsIgnoringCase(String)
    case contains(String)
    case doesNotContain(String)
    case matches(TextPattern)
    case doesNotMatch(TextPattern)
    /// Whether the value must not be there at all; false asks only that it is.
    case absent(Bool)
  }

  /// Whether it is met by the values of one name: none is met by nothing but ``Term/absent(_:)``.
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

  /// Whether it is met by the values of one name, within a budget of its own.
  package func isMet(by values: [String]) -> Bool {
    var budget = MatchingBudget()
    return isMet(by: values.map { ConditionText($0) }, &budget)
  }

  /// Whether it is met by a value, as far as that can be found out.
  package func mayBeMet(by value: String) -> Bool {
    var budget = MatchingBudget()
    return isMet(by: [ConditionText(value)], &budget) || budget.undecided > 0
  }

  /// In words, as a miss says it: `matches "\d+"`.
  package var words: String {
    guard case .all(let terms) = self else { return self == .recorded ? "as recorded" : "anything" }
    return terms.map(\.words).joined(separator: " and ")
  }
}

extension Condition.Term {
  /// The key it has in a cassette.
  package var key: String {
    switch self {
    case .equals: "equals"
    case .equalsIgnoringCase: "equalsIgnoringCase"
    case .contains: "contains"
    case .doesNotContain: "doesNotContain"
    case .matches: "matches"
    case .doesNotMatch: "doesNotMatch"
    case .absent: "absent"
    }
  }

  /// What is written behind the key; nil where that is no text.
  package var text: String? {
    switch self {
    case .equals(let text), .equalsIgnoringCase(let text), .contains(let text), .doesNotContain(let text): text
    case .matches(let pattern), .doesNotMatch(let pattern): pattern.source
    case .absent: nil
    }
  }

  fileprivate func isMet(by value: ConditionText, _ budget: inout MatchingBudget) -> Bool {
    switch self {
    // A secret that was taken out equals any that is sent.
    case .equals(let text):
      value.equals(text) || Self.hasPlaceholder(text) && Matcher.matches(value.string, placeholderIn: text)
    case .equalsIgnoringCase(let text):
      value.lowercased == text.lowercased()
        || Self.hasPlaceholder(text) && Matcher.matches(value.lowercased, placeholderIn: text.lowercased())
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

  fileprivate var words: String {
    switch self {
    case .equals(let text): "\"\(text)\""
    case .equalsIgnoringCase(let text): "\"\(text)\" in any case"
    case .contains(let text): "contains \"\(text)\""
    case .doesNotContain(let text): "does not contain \"\(text)\""
    case .matches(let pattern): "matches \"\(pattern.source)\""
    case .doesNotMatch(let pattern): "does not match \"\(pattern.source)\""
    case .absent(let isAbsent): isAbsent ? "none" : "any"
    }
  }
}

/// A condition for each of several names, in the order they are written.
package struct NamedConditions: Hashable, Sendable {
  /// One name and its condition.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var condition: Condition

    package init(_ name: String, _ condition: Condition) {
      self.name = name
      self.condition = condition
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry] = []) { self.entries = entries }

  package var isEmpty: Bool { entries.isEmpty }

  /// These, and others for names that these do not speak of.
  func over(_ common: NamedConditions, ignoringCase: Bool = false) -> NamedConditions {
    let known = Set(entries.map { ignoringCase ? $0.name.lowercased() : $0.name })
    return NamedConditions(
      entries + common.entries.filter { !known.contains(ignoringCase ? $0.name.lowercased() : $0.name) })
  }
}
