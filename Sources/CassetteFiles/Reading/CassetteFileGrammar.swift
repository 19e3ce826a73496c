internal import CassetteHTTP
internal import CassetteSystem

/// The grammar of the strings of a cassette.
package enum CassetteFileGrammar {
  static func isToken(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return false }
    for at in 0..<text.count where !ASCII.isToken(text[at]) { return false }
    return true
  }

  /// Tells if a text is a token, or several with commas between them: `gzip, br`.
  static func isTokenList(_ text: Span<UInt8>) -> Bool {
    var start = 0
    for at in 0...text.count where at == text.count || text[at] == UInt8(ascii: ",") {
      while start < at, text[start] == 0x20 { start += 1 }
      guard isToken(text.extracting(start..<at)) else { return false }
      start = at + 1
    }
    return true
  }

  /// RFC 9112 §3.2 in origin, absolute and asterisk form, with the characters beyond it that clients send.
  static func isTarget(_ text: Span<UInt8>) -> Bool {
    for at in 0..<text.count where text[at] <= 0x20 || text[at] == 0x7f || text[at] == UInt8(ascii: "#") {
      return false
    }
    guard text.count > 0 else { return false }
    if text[0] == UInt8(ascii: "/") { return true }
    if text[0] == UInt8(ascii: "*") { return text.count == 1 }
    return authorityStart(text) != nil
  }

  /// Finds the authority of `http://` or `https://`; nil when there is none.
  static func authorityStart(_ text: Span<UInt8>) -> Int? {
    start(text, behind: "http://") ?? start(text, behind: "https://")
  }

  private static func start(_ text: Span<UInt8>, behind scheme: StaticString) -> Int? {
    let count = scheme.utf8CodeUnitCount
    guard text.count > count, text[count] != UInt8(ascii: "/"), text[count] != UInt8(ascii: "?") else { return nil }
    return scheme.withUTF8Buffer { scheme in
      for at in scheme.indices where text[at] | (scheme[at] >= 0x61 ? 0x20 : 0) != scheme[at] { return nil }
      return count
    }
  }

  /// Tells if a text is a scheme and an authority, with nothing after it and no user.
  package static func isOrigin(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard isTarget(bytes.span), let start = authorityStart(bytes.span) else { return false }
    return !bytes[start...].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
  }

  /// RFC 9110 §5.5: CR, LF and NUL are dangerous within a field.
  static func isFieldValue(_ text: Span<UInt8>) -> Bool {
    for at in 0..<text.count where text[at] == 0 || text[at] == 0x0d || text[at] == 0x0a { return false }
    return true
  }

  /// `2026-11-21T01:00:00Z`, with a fraction or an offset if need be.
  package static func isTimestamp(_ text: String) -> Bool {
    text.withUTF8Span { text in
      guard text.count > 19, fits(text.extracting(0..<19), "dddd-dd-ddTdd:dd:dd") else { return false }
      var zone = 19
      if text[zone] == UInt8(ascii: ".") {
        repeat { zone += 1 } while zone < text.count && (0x30...0x39).contains(text[zone])
        guard zone > 20 else { return false }
      }
      let rest = text.extracting(zone..<text.count)
      return fits(rest, "Z") || fits(rest, "+dd:dd") || fits(rest, "-dd:dd")
    }
  }

  private static func fits(_ text: Span<UInt8>, _ pattern: StaticString) -> Bool {
    pattern.withUTF8Buffer { pattern in
      guard text.count == pattern.count else { return false }
      return pattern.indices.allSatisfy { at in
        pattern[at] == UInt8(ascii: "d") ? (0x30...0x39).contains(text[at]) : text[at] == pattern[at]
      }
    }
  }
}
