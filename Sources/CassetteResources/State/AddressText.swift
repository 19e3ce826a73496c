/// Text as a step of a path or a value of a query (RFC 3986 §2.3).
enum AddressText {
  /// Appends text with everything but letters, digits and `-._~` escaped.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        bytes += (digits.count == 1 ? "%0" : "%").utf8
        bytes += digits.utf8
      }
    }
  }
}
