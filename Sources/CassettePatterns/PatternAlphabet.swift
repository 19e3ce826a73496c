internal import CassetteSystem

/// A partition of all characters into symbols: characters in the same classes of a pattern are one symbol.
struct PatternAlphabet: Sendable {
  /// The maximum number of range limits; a pattern with more is run without an automaton.
  private static let mostBounds = 4_000

  /// The first characters of the ranges, in order.
  ///
  /// The first element is 0.
  private let bounds: [UInt32]
  /// The symbol of each range.
  private let symbols: [UInt8]
  /// The symbols of ASCII characters, by byte.
  let ascii: [UInt8]
  /// The number of symbols.
  let count: Int

  /// Creates the symbols that distinguish some classes; fails if there are too many.
  init?(_ classes: [CharacterClass]) {
    let ranges = classes.map(\.positive)
    var bounds: Set<UInt32> = [0]
    for range in ranges.joined() {
      bounds.insert(range.lowerBound)
      bounds.insert(range.upperBound + 1)
    }
    guard bounds.count <= Self.mostBounds else { return nil }
    self.bounds = bounds.sorted()
    var numbers: [[Bool]: UInt8] = [:]
    var symbols: [UInt8] = []
    for bound in self.bounds {
      let kind = classes.map { $0.contains(bound) }
      guard let number = numbers[kind] ?? UInt8(exactly: numbers.count) else { return nil }
      numbers[kind] = number
      symbols.append(number)
    }
    self.symbols = symbols
    count = numbers.count
    var ascii: [UInt8] = []
    for byte in UInt32(0)..<128 { ascii.append(symbols[Self.index(of: byte, in: self.bounds)]) }
    self.ascii = ascii
  }

  private static func index(of scalar: UInt32, in bounds: [UInt32]) -> Int {
    bounds.partitioningIndex { $0 > scalar } - 1
  }

  func symbol(of scalar: UInt32) -> Int { Int(symbols[Self.index(of: scalar, in: bounds)]) }

  /// Returns for each symbol whether it belongs to a class.
  func members(of set: CharacterClass) -> [Bool] {
    var members = [Bool](repeating: false, count: count)
    for (bound, symbol) in zip(bounds, symbols) where set.contains(bound) { members[Int(symbol)] = true }
    return members
  }
}
