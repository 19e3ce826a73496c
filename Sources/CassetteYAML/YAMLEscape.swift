internal import CassetteSystem

/// Reads an escape sequence of a double-quoted scalar (YAML 1.2.2 §5.7).
struct YAMLEscape {
  private let text: [UInt8]
  private let start: Int
  /// The offset of the first byte after the sequence.
  private(set) var at: Int

  /// Creates a reader of the sequence whose backslash is at an offset.
  init(_ text: [UInt8], at start: Int) { (self.text, self.start, at) = (text, start, start + 1) }

  /// Returns the character of the sequence.
  ///
  /// - Throws: ``YAMLError`` if the sequence is unknown, incomplete, or not a valid character.
  mutating func scalar() throws(YAMLError) -> Unicode.Scalar {
    let letter = at < text.count ? text[at] : 0
    at += 1
    let digits: Int
    switch letter {
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default:
      guard let scalar = Self.escapes[letter] else { throw YAMLError("unknown escape sequence", at: start) }
      return scalar
    }
    var value = try number(digits)
    // JSON generators write characters beyond 16 bits as surrogate pairs.
    if letter == UInt8(ascii: "u"), value & 0xfc00 == 0xd800, text[at...].starts(with: Array("\\u".utf8)) {
      at += 2
      let low = try number(4)
      guard low & 0xfc00 == 0xdc00 else { throw YAMLError("half of a surrogate pair", at: start) }
      value = 0x10000 + (value & 0x3ff) << 10 + low & 0x3ff
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw YAMLError("an escape sequence is not a valid character", at: start)
    }
    return scalar
  }

  private mutating func number(_ digits: Int) throws(YAMLError) -> UInt32 {
    let end = min(at + digits, text.count)
    guard end - at == digits, text[at..<end].allSatisfy({ $0.hexadecimalValue != nil }),
      let value = UInt32(String(decoding: text[at..<end], as: UTF8.self), radix: 16)
    else { throw YAMLError("an escape sequence needs \(digits) hexadecimal digits", at: start) }
    at = end
    return value
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
    0x09: "\t",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{b}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1b}", 0x20: " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
    UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{a0}", UInt8(ascii: "L"): "\u{2028}",
    UInt8(ascii: "P"): "\u{2029}",
  ]
}
