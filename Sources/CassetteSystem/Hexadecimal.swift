extension UInt8 {
  /// True for an ASCII digit.
  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of a hexadecimal digit in ASCII, in either case; nil for other bytes.
  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}

/// Writes bytes as hexadecimal digits.
package enum Hexadecimal {
  /// Returns the two hexadecimal digits of a byte, in lower case by default.
  package static func digits(of byte: UInt8, isUpper: Bool = false) -> [UInt8] {
    let letters: UInt8 = isUpper ? 0x37 : 0x57
    return [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : letters + $0 }
  }
}
