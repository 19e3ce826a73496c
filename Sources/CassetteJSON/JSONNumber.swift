/// A number token's value, exactly: digits without zeros at either end, and a power of ten.
package struct JSONNumber: Hashable, Sendable {
  /// True if the number is less than zero.
  package private(set) var isNegative = false
  /// The decimal digits, as text; empty for zero.
  package private(set) var digits: [UInt8] = []
  /// The power of ten that the digits are multiplied by.
  package private(set) var exponent = 0

  /// Reads a token; nil when it is not a number or its exponent is absurd.
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
    // Zero is zero, whatever its sign.
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}

extension JSONNumber: Comparable {
  package static func < (one: JSONNumber, other: JSONNumber) -> Bool {
    if one.isNegative != other.isNegative { return one.isNegative }
    return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
  }

  /// True if the number is whole.
  package var isInteger: Bool { exponent >= 0 }

  /// Compares the sizes, whatever the signs.
  private func isSmaller(than other: JSONNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    let (size, wanted) = (exponent + digits.count, other.exponent + other.digits.count)
    // With points in one place, digits compare as text does.
    return size == wanted ? digits.lexicographicallyPrecedes(other.digits) : size < wanted
  }
}
