internal import CassetteJSON
internal import CassetteSystem

/// Decodes strings of GraphQL documents (GraphQL, September 2025, §2.9.4).
///
/// The escapes are those of JSON, and additionally `\u{1f600}`, which is converted to JSON escapes.
enum GraphQLString {
  private static let escapes = Array("\"\\/bfnrtu".utf8)

  /// Decodes the content between the quotes; returns nil if an escape is invalid.
  static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    var json: [UInt8] = []
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        json.append(byte)
        continue
      }
      guard let escape = rest.popFirst(), escapes.contains(escape) else { return nil }
      if escape == UInt8(ascii: "u"), rest.first == UInt8(ascii: "{") {
        let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        guard digits.endIndex < rest.endIndex, let scalar = scalar(digits) else { return nil }
        rest = rest[(digits.endIndex + 1)...]
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          json += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
        }
      } else {
        json += [byte, escape]
      }
    }
    var text: [UInt8] = []
    return JSONString.decode(json.span, into: &text) ? text : nil
  }

  /// Parses hexadecimal digits; returns nil for signs, because `UInt32` would accept them.
  private static func scalar(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
  }
}
