internal import CassetteJSON
package import CassetteSystem

/// The escapes that a view undoes: of URLs, of HTML, of JSON.
extension DecodedView {
  package typealias Step = (length: Int, count: Int, bytes: UInt64)

  /// Undoes `%41`.
  static func percent(_ text: ByteSearch, _ at: Int) -> Step? { hexadecimal(text, at + 1, behind: 1) }

  /// Undoes `=41` and the end of a line that goes on (RFC 2045 §6.7), which may be escaped.
  static func printed(_ text: ByteSearch, _ at: Int) -> Step? {
    for end in lineEnds where text.has(end, at: at + 1) { return (end.count + 1, 0, 0) }
    return hexadecimal(text, at + 1, behind: 1)
  }

  private static let lineEnds = ["\r\n", "\n", "\\r\\n", "\\n"].map { Array($0.utf8) }
  static let printable = Array("quoted-printable".utf8)

  /// Undoes two digits behind a mark of some bytes.
  private static func hexadecimal(_ text: ByteSearch, _ at: Int, behind length: Int) -> Step? {
    guard let high = text.at(at).hexadecimalValue, let low = text.at(at + 1).hexadecimalValue else { return nil }
    return (length + 2, 1, UInt64(high << 4 | low))
  }

  /// Undoes `&quot;`, `&#65;` and `&#x41;`.
  static func character(_ text: ByteSearch, _ at: Int) -> Step? {
    guard text.at(at + 1) == UInt8(ascii: "#") else {
      for (name, byte) in names where text.has(name, at: at) { return (name.count, 1, UInt64(byte)) }
      return nil
    }
    let isHexadecimal = text.at(at + 2) | 0x20 == UInt8(ascii: "x")
    var end = at + (isHexadecimal ? 3 : 2)
    var value: UInt32 = 0
    while end < text.count, end - at < 10, let digit = text[end].hexadecimalValue, isHexadecimal || digit < 10 {
      value = value &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
      end += 1
    }
    guard text.at(end) == UInt8(ascii: ";"), value > 0, let scalar = Unicode.Scalar(value) else { return nil }
    let bytes = Array(String(scalar).utf8)
    return (end + 1 - at, bytes.count, bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  private static let names: [(name: [UInt8], byte: UInt8)] = [
    (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3c), (Array("&gt;".utf8), 0x3e), (Array("&quot;".utf8), 0x22),
    (Array("&apos;".utf8), 0x27),
  ]

  /// Undoes `\n`, `\x41` and `\u0041`.
  package static func backslash(_ text: ByteSearch, _ at: Int, _ bytes: [UInt8]) -> Step? {
    guard at + 1 < text.count else { return nil }
    switch text[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (2, 1, UInt64(text[at + 1]))
    case UInt8(ascii: "b"): return (2, 1, 0x08)
    case UInt8(ascii: "f"): return (2, 1, 0x0c)
    case UInt8(ascii: "n"): return (2, 1, 0x0a)
    case UInt8(ascii: "r"): return (2, 1, 0x0d)
    case UInt8(ascii: "t"): return (2, 1, 0x09)
    case UInt8(ascii: "x"): return hexadecimal(text, at + 2, behind: 2)
    default: break
    }
    guard isUnicodeEscape(text, at) else { return nil }
    var length = 6
    // Half a surrogate pair takes the other half with it.
    if text[at + 2] | 0x20 == UInt8(ascii: "d"), (text[at + 3].hexadecimalValue ?? 0) & 0xc == 8,
      isUnicodeEscape(text, at + 6)
    {
      length = 12
    }
    let decoded = JSONString.decodeLoosely(bytes.span.extracting(at..<at + length))
    guard (1...8).contains(decoded.count) else { return nil }
    return (length, decoded.count, decoded.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  private static func isUnicodeEscape(_ text: ByteSearch, _ at: Int) -> Bool {
    guard at + 6 <= text.count, text[at] == UInt8(ascii: "\\"), text[at + 1] == UInt8(ascii: "u") else { return false }
    for digit in at + 2..<at + 6 where text[digit].hexadecimalValue == nil { return false }
    return true
  }
}
