/// The conditions under which a fault applies, and the length of the body before it.
package struct FaultTerms: Hashable, Sendable {
  /// The probability, from 0 to 1; nil for always.
  package var probability: Double?
  /// The number of times that the fault applies; nil for no limit.
  package var first: Int?
  /// The interval in requests: with 3, the fault applies to every third request; nil for every request.
  package var every: Int?
  /// The number of bytes of the body before the fault; nil for half of them.
  package var after: Int?

  /// Creates terms under which the fault always applies.
  package init() {}

  /// True if the fault always applies, after half of the body.
  package var isEmpty: Bool { self == FaultTerms() }

  /// Returns true if the fault applies to a request by its number, counted from 1; `chance` is a random number from 0
  /// to below 1.
  package func apply(turn: Int, chance: @autoclosure () -> Double) -> Bool {
    if let first, turn > first { return false }
    if let every, every > 0, turn % every != 0 { return false }
    if let probability { return chance() < probability }
    return true
  }
}
