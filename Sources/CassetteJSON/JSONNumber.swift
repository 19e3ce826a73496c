/// The exact value of a number: digits without leading and trailing zeros, and a power of ten.
package struct JSONNumber: Hashable, Sendable {
  /// True if the number is less than zero.
  package private(set) var isNegative = false
  /// The decimal digits in ASCII; empty for zero.
  package private(set) var digits: [UInt8] = []
  /// The power of ten that the digits are multiplied by.
  package private(set) var exponent = 0

  /// Parses a number; fails if the token is not a number, or if its exponent exceeds 32 bits.
  package init?(_ token: ArraySlice<UInt8>) {
    var rest = token
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest = rest.dropFirst()
    }
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    var isFraction = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."):
        isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        if rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard let power = Int32(String(decoding: rest, as: UTF8.self)) else { return nil }
        exponent += Int(power)
        rest = []
      default:
        digits.append(byte)
        if isFraction { exponent -= 1 }
      }
    }
    let significant = digits.drop { $0 == 0x30 }
    let trailing = significant.reversed().prefix { $0 == 0x30 }.count
    digits = Array(significant.dropLast(trailing))
    exponent += trailing
    // Negative zero equals zero.
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}

extension JSONNumber: Comparable {
  package static func < (one: JSONNumber, other: JSONNumber) -> Bool {
    if one.isNegative != other.isNegative { return one.isNegative }
    return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
  }

  /// True if the number is an integer.
  package var isInteger: Bool { exponent >= 0 }

  /// Compares absolute values.
  private func isSmaller(than other: JSONNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    let (size, wanted) = (exponent + digits.count, other.exponent + other.digits.count)
    // Numbers of the same magnitude compare like strings of digits.
    return size == wanted ? digits.lexicographicallyPrecedes(other.digits) : size < wanted
  }
}
