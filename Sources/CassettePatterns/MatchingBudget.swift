/// The work that the rules of all recordings may do for one request.
///
/// One budget for all of them, not one for each: a hundred slow patterns cost no more than one.
package struct MatchingBudget: Sendable {
  /// How many places of patterns, and values of JSON texts, are looked at for a request.
  package static let steps = 5_000_000

  /// The steps that are left; nothing is decided any more when it is not above zero.
  package var left: Int
  /// How often a rule could not be decided: the budget was spent, or a text was longer than patterns are tried on.
  package private(set) var undecided = 0

  /// Creates a budget of ``steps``, or of fewer.
  package init(_ steps: Int = MatchingBudget.steps) { left = steps }

  /// Whether rules wanted more than there was: what they asked then was not decided.
  package var isSpent: Bool { left <= 0 }

  /// Notes that a rule could not be decided.
  package mutating func leaveUndecided() { undecided += 1 }

  /// Why rules were not decided, in words, for a miss; nil when all were.
  package var words: String? {
    guard undecided > 0 else { return nil }
    return isSpent
      ? "took more than 5,000,000 steps for this request; what they ask was not decided"
      : "are not tried on texts of more than \(TextPattern.longestText >> 10) KB; what they ask was not decided"
  }
}
