/// The text of a string in a GraphQL document (GraphQL, September 2025, §2.9.4).
enum GraphQLString {
  /// Decodes what stands between the quotes; nil where an escape is none.
  static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case let same? where same == UInt8(ascii: "\"") || same == UInt8(ascii: "\\") || same == UInt8(ascii: "/"):
        text.append(same)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let scalar = scalar(&rest) else { return nil }
        text += String(Character(scalar)).utf8
      default: return nil
      }
    }
    return text
  }

  /// Reads `00e9`, `d83d\ude00` or `{1f600}` behind `\u`.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    if rest.first == UInt8(ascii: "{") {
      let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
      guard digits.endIndex < rest.endIndex, let value = number(digits) else { return nil }
      rest = rest[(digits.endIndex + 1)...]
      return Unicode.Scalar(value)
    }
    guard let unit = unit(&rest) else { return nil }
    guard unit & 0xfc00 == 0xd800 else { return Unicode.Scalar(unit) }
    guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
    rest = rest.dropFirst(2)
    guard let low = Self.unit(&rest), low & 0xfc00 == 0xdc00 else { return nil }
    return Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff)
  }

  /// Reads four digits.
  private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    guard rest.count >= 4, let value = number(rest.prefix(4)) else { return nil }
    rest = rest.dropFirst(4)
    return value
  }

  /// Reads hexadecimal digits; a sign is none.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
