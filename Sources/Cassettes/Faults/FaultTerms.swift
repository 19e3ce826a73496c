/// The conditions under which a fault applies, and the part of the answer before it.
package struct FaultTerms: Hashable, Sendable {
  /// The probability, from 0 to 1; nil for always.
  package var probability: Double?
  /// The number of times that it applies; nil for no limit.
  package var first: Int?
  /// The interval in turns: the fault applies to the last of each so many; nil for every one.
  package var every: Int?
  /// The number of bytes of the body before the fault; nil for half of them.
  package var after: Int?

  /// Creates terms under which it always applies.
  package init() {}

  /// True if the fault always applies, after half of a body.
  package var isEmpty: Bool { self == FaultTerms() }

  /// Tells whether it applies at a turn, counted from 1; the chance is a number from 0 to below 1.
  package func apply(turn: Int, chance: @autoclosure () -> Double) -> Bool {
    if let first, turn > first { return false }
    if let every, every > 0, turn % every != 0 { return false }
    if let probability { return chance() < probability }
    return true
  }
}
