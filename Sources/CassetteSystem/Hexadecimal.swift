extension UInt8 {
  /// True for the digits of ASCII.
  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of an ASCII character as a hexadecimal digit, in either case; nil for any other.
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
  /// Returns the two digits of a byte, in lower case.
  package static func digits(of byte: UInt8) -> [UInt8] { [digit(byte >> 4), digit(byte & 15)] }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
