/// When a fault applies, and how far an answer gets.
package struct FaultTerms: Hashable, Sendable {
  /// How likely it is, from 0 to 1; nil for always.
  package var probability: Double?
  /// Only so many times.
  package var first: Int?
  /// Only each time that this number has been reached.
  package var every: Int?
  /// How many bytes of the body come before it; nil for half of them.
  package var after: Int?

  /// Creates terms under which it always applies.
  package init() {}

  /// Whether it always applies, after half of a body.
  package var isEmpty: Bool { self == FaultTerms() }

  /// Tells whether it applies.
  ///
  /// - Parameters:
  ///   - turn: Which time it is, from 1.
  ///   - chance: A number from 0 to below 1.
  /// - Returns: Whether it does.
  package func apply(turn: Int, chance: @autoclosure () -> Double) -> Bool {
    if let first, turn > first { return false }
    if let every, every > 0, turn % every != 0 { return false }
    if let probability { return chance() < probability }
    return true
  }
}
