/// A set of characters: ranges of scalars, or all but them.
struct CharacterClass: Hashable {
  var ranges: [ClosedRange<UInt32>] = []
  var isNegated = false

  static let digit = CharacterClass(ranges: [0x30...0x39])
  static let word = CharacterClass(ranges: [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
  static let space = CharacterClass(ranges: [0x09...0x0d, 0x20...0x20])
  static let lineEnds = CharacterClass(ranges: [0x0a...0x0a, 0x0d...0x0d, 0x85...0x85, 0x2028...0x2029])
  static let all = CharacterClass(ranges: [0...0x10ffff])

  static func one(_ scalar: UInt32) -> CharacterClass { CharacterClass(ranges: [scalar...scalar]) }

  @inline(__always)
  func contains(_ scalar: UInt32) -> Bool {
    for range in ranges where range.contains(scalar) { return !isNegated }
    return isNegated
  }

  /// The only character of the set; nil when there are several, or none that a text can have.
  var single: Unicode.Scalar? {
    guard !isNegated, ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
    return Unicode.Scalar(range.lowerBound)
  }

  /// The same characters as ranges, none of them excluded.
  var positive: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var free: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { free.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10ffff { free.append(next...0x10ffff) }
    return free
  }

  /// With both cases of every letter; of long ranges those of ASCII only.
  func ignoringCase() -> CharacterClass {
    var both = self
    for range in ranges {
      if range.count > 1_000 {
        both.ranges += [0x41...0x5a, 0x61...0x7a].filter { $0.overlaps(range) }.map {
          let folded = $0.clamped(to: range)
          return (folded.lowerBound ^ 0x20)...(folded.upperBound ^ 0x20)
        }
        continue
      }
      for case let scalar? in range.map({ Unicode.Scalar($0) }) {
        for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
          let scalars = other.unicodeScalars
          if scalars.count == 1, let first = scalars.first, first != scalar {
            both.ranges.append(first.value...first.value)
          }
        }
      }
    }
    return both
  }

  /// A plain character of the set, a digit or a letter if there is one.
  var sample: Unicode.Scalar? {
    let plain: [ClosedRange<UInt32>] = [0x61...0x7a, 0x41...0x5a, 0x31...0x39, 0x30...0x30, 0x2d...0x2e, 0x5f...0x5f]
    // A class of digits, or a single character: what it says first is what is meant.
    if !isNegated, let first = ranges.first, ranges.count == 1, first.upperBound <= 0x7e, first.lowerBound > 0x20 {
      return Unicode.Scalar(first == 0x30...0x39 ? 0x31 : first.lowerBound)
    }
    for range in plain {
      for scalar in range where contains(scalar) { return Unicode.Scalar(scalar) }
    }
    for scalar in UInt32(0x21)...0x7e where contains(scalar) { return Unicode.Scalar(scalar) }
    return positive.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first
  }
}
