/// The number of steps that all rules of all recordings together may take for one request.
///
/// A shared budget ensures that a hundred slow patterns take no longer than one.
package struct MatchingBudget: Sendable {
  /// The number of steps for one request.
  ///
  /// A position in a pattern and a visited JSON value count as one step each.
  package static let steps = 5_000_000

  /// The remaining steps; if it is not positive, rules remain undecided.
  package var left: Int
  /// The number of undecided rules, because the budget was exceeded or a text was too long for patterns.
  package private(set) var undecided = 0

  /// The maximum number of elements of a body, if the body of this request has more; nil if it has not.
  package var mostElements: Int?

  /// Creates a budget.
  ///
  /// - Parameter steps: The number of steps. Default: ``steps``.
  package init(_ steps: Int = MatchingBudget.steps) { left = steps }

  /// True if the budget is exceeded, so that further rules remain undecided.
  package var isSpent: Bool { left <= 0 }

  /// Counts a rule as undecided.
  package mutating func leaveUndecided() { undecided += 1 }

  /// The reason why rules were undecided, for the report of a miss; nil if all rules were decided.
  package var words: String? {
    guard undecided > 0 else { return nil }
    if let mostElements {
      return "were not applied to a body of more than \(mostElements) elements (--max-elements), so it is unknown "
        + "whether they match"
    }
    return isSpent
      ? "took more than 5,000,000 steps for this request, so it is unknown whether they match"
      : "were not applied to strings longer than \(TextPattern.longestText >> 10) KB, so it is unknown whether they match"
  }
}
