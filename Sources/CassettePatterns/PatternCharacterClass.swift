internal import CassetteSystem

/// A set of characters: ranges of Unicode scalars, or their complement.
package struct CharacterClass: Hashable, Sendable {
  /// The ranges, sorted if there are more than `mostUnordered`.
  package let ranges: [ClosedRange<UInt32>]
  package let isNegated: Bool
  /// The maximum number of ranges for a linear search.
  private static let mostUnordered = 8

  static let digit = CharacterClass(ranges: [0x30...0x39])
  static let word = CharacterClass(ranges: [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
  static let space = CharacterClass(ranges: [0x09...0x0d, 0x20...0x20])
  /// White space and line terminators of ECMA-262 §12.2 and §12.3.
  static let unicodeSpace = CharacterClass(ranges: [
    0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200a, 0x2028...0x2029, 0x202f...0x202f,
    0x205f...0x205f, 0x3000...0x3000, 0xfeff...0xfeff,
  ])
  static let lineEnds = CharacterClass(ranges: [0x0a...0x0a, 0x0d...0x0d, 0x85...0x85, 0x2028...0x2029])
  static let all = CharacterClass(ranges: [0...0x10ffff])

  init(ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
    self.ranges = ranges.count > Self.mostUnordered ? Self.ordered(ranges) : ranges
    self.isNegated = isNegated
  }

  static func one(_ scalar: UInt32) -> CharacterClass { CharacterClass(ranges: [scalar...scalar]) }

  /// The classes of single ASCII characters, which are shared because long lists of words contain them repeatedly.
  static let inASCII = (UInt32(0)..<128).map { one($0) }
  /// The classes of single ASCII characters in both cases.
  static let inEitherCase = inASCII.map { $0.ignoringCase() }

  @inline(__always)
  package func contains(_ scalar: UInt32) -> Bool {
    if ranges.count > Self.mostUnordered { return isInOrdered(scalar) != isNegated }
    for range in ranges where range.contains(scalar) { return !isNegated }
    return isNegated
  }

  private func isInOrdered(_ scalar: UInt32) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound >= scalar }
    return index < ranges.count && ranges[index].contains(scalar)
  }

  /// Sorts ranges and joins adjacent ones.
  private static func ordered(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var ordered: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ordered.last, last.upperBound + 1 >= range.lowerBound {
        ordered[ordered.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        ordered.append(range)
      }
    }
    return ordered
  }

  /// The only character of the set; nil if there are several, or if it is not a valid scalar.
  var single: Unicode.Scalar? {
    guard !isNegated, ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
    return Unicode.Scalar(range.lowerBound)
  }

  /// The characters as ranges, without negation.
  package var positive: [ClosedRange<UInt32>] {
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

  /// Returns the class with both cases of every letter; for long ranges, only of ASCII letters.
  func ignoringCase() -> CharacterClass {
    var both = ranges
    for range in ranges {
      if range.count > 1_000 {
        both += [0x41...0x5a, 0x61...0x7a].filter { $0.overlaps(range) }.map {
          let folded = $0.clamped(to: range)
          return (folded.lowerBound ^ 0x20)...(folded.upperBound ^ 0x20)
        }
        continue
      }
      for case let scalar? in range.map({ Unicode.Scalar($0) }) {
        for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
          let scalars = other.unicodeScalars
          if scalars.count == 1, let first = scalars.first, first != scalar {
            both.append(first.value...first.value)
          }
        }
      }
    }
    return CharacterClass(ranges: both, isNegated: isNegated)
  }
}
