internal import CassetteSystem

/// The characters as one pattern tells them apart: those that are in the same classes of it are one symbol.
struct PatternAlphabet: Sendable {
  /// Patterns with more ranges are run without an alphabet.
  private static let mostBounds = 4_000

  /// The first characters of the ranges that are one symbol each, the first at 0.
  private let bounds: [UInt32]
  /// The symbol of each range.
  private let symbols: [UInt8]
  /// The symbols of ASCII's characters, by their bytes.
  let ascii: [UInt8]
  /// The number of symbols.
  let count: Int

  /// Finds the symbols that some classes tell apart; nil when there are too many.
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

  /// The symbol that a character is.
  func symbol(of scalar: UInt32) -> Int { Int(symbols[Self.index(of: scalar, in: bounds)]) }

  /// Tells for each symbol whether it is in a class.
  func members(of set: CharacterClass) -> [Bool] {
    var members = [Bool](repeating: false, count: count)
    for (bound, symbol) in zip(bounds, symbols) where set.contains(bound) { members[Int(symbol)] = true }
    return members
  }

  /// The bytes that a character outside some symbols may begin with, in UTF-8.
  func firstBytes(outside members: [Bool]) -> [UInt8] {
    var isFirst = [Bool](repeating: false, count: 256)
    for (index, bound) in bounds.enumerated() where !members[Int(symbols[index])] {
      let end = min(index + 1 < bounds.count ? bounds[index + 1] : 0x11_0000, 0x11_0000)
      guard bound < end else { continue }
      for byte in Self.firstByte(of: bound)...Self.firstByte(of: end - 1) { isFirst[Int(byte)] = true }
    }
    return (UInt8.min...UInt8.max).filter { isFirst[Int($0)] }
  }

  /// RFC 3629 §3.
  private static func firstByte(of scalar: UInt32) -> UInt8 {
    switch scalar {
    case 0..<0x80: UInt8(scalar)
    case 0x80..<0x800: UInt8(0xc0 | scalar >> 6)
    case 0x800..<0x1_0000: UInt8(0xe0 | scalar >> 12)
    default: UInt8(0xf0 | min(scalar, 0x10_ffff) >> 18)
    }
  }
}
