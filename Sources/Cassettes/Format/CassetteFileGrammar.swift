internal import CassetteHTTP
internal import CassetteSystem

/// Checks the syntax of strings in a cassette: tokens, request targets, origins and field values.
package enum CassetteFileGrammar {
  package static func isToken(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return false }
    for at in 0..<text.count where !ASCII.isToken(text[at]) { return false }
    return true
  }

  /// Returns true if a text is a token, or several tokens separated by commas: `gzip, br`.
  package static func isTokenList(_ text: Span<UInt8>) -> Bool {
    var start = 0
    for at in 0...text.count where at == text.count || text[at] == UInt8(ascii: ",") {
      while start < at, text[start] == 0x20 { start += 1 }
      guard isToken(text.extracting(start..<at)) else { return false }
      start = at + 1
    }
    return true
  }

  /// Returns true if a text is a request target (RFC 9112 §3.2) in origin, absolute or asterisk form, with the
  /// additional characters that clients send.
  package static func isTarget(_ text: Span<UInt8>) -> Bool {
    for at in 0..<text.count where text[at] <= 0x20 || text[at] == 0x7f || text[at] == UInt8(ascii: "#") {
      return false
    }
    guard text.count > 0 else { return false }
    if text[0] == UInt8(ascii: "/") { return true }
    if text[0] == UInt8(ascii: "*") { return text.count == 1 }
    return authorityStart(text) != nil
  }

  /// Returns the offset of the authority in a URL with `http://` or `https://`; nil for any other text.
  static func authorityStart(_ text: Span<UInt8>) -> Int? {
    for scheme in ["http://", "https://"] {
      let count = scheme.utf8.count
      guard text.count > count, text[count] != UInt8(ascii: "/"), text[count] != UInt8(ascii: "?") else { continue }
      // Ignores the case of letters.
      if zip(scheme.utf8, 0...).allSatisfy({ text[$1] | ($0 >= 0x61 ? 0x20 : 0) == $0 }) { return count }
    }
    return nil
  }

  /// Returns true if a text consists of a scheme and an authority without user information.
  package static func isOrigin(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard isTarget(bytes.span), let start = authorityStart(bytes.span) else { return false }
    return !bytes[start...].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
  }

  /// Returns true if a text is a field value.
  ///
  /// CR, LF and NUL are not allowed (RFC 9110 §5.5).
  package static func isFieldValue(_ text: Span<UInt8>) -> Bool {
    for at in 0..<text.count where text[at] == 0 || text[at] == 0x0d || text[at] == 0x0a { return false }
    return true
  }
}
