/// The work that the rules of all recordings may do for one request.
///
/// One budget for all of them, not one for each: a hundred slow patterns cost no more than one.
package struct MatchingBudget: Sendable {
  /// The number of steps for one request: places in patterns and values of JSON texts that are looked at.
  package static let steps = 5_000_000

  /// The steps that are left; nothing is decided any more when it is not above zero.
  package var left: Int
  /// The number of rules left undecided: the budget was spent, or a text was too long for patterns.
  package private(set) var undecided = 0

  /// Creates a budget of ``steps``, or of fewer.
  package init(_ steps: Int = MatchingBudget.steps) { left = steps }

  /// True if rules wanted more steps than there were: what they asked then was not decided.
  package var isSpent: Bool { left <= 0 }

  /// Notes that a rule could not be decided.
  package mutating func leaveUndecided() { undecided += 1 }

  /// The reason why rules were not decided, in words, for a miss; nil when all were.
  package var words: String? {
    guard undecided > 0 else { return nil }
    return isSpent
      ? "took more than 5,000,000 steps for this request; what they ask was not decided"
      : "are not tried on texts of more than \(TextPattern.longestText >> 10) KB; what they ask was not decided"
  }
}
