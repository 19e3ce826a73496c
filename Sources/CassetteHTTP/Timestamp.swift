internal import CassetteSystem

/// Times in the format of ISO 8601 and RFC 3339.
package enum Timestamp {
  /// Formats nanoseconds since 1970, such as `2026-11-21T01:00:00.123Z`.
  package static func format(nanoseconds: Int) -> String {
    let seconds = nanoseconds.quotient(by: 1_000_000_000)
    let thousandths = (nanoseconds - seconds * 1_000_000_000) / 1_000_000
    return "\(text(seconds)).\(HTTPDate.Moment.padded(thousandths, 3))Z"
  }

  /// Returns the current time in seconds, such as `2026-11-21T01:00:00Z`.
  package static func now() -> String { text(time(nil)) + "Z" }

  private static func text(_ seconds: Int) -> String {
    let moment = HTTPDate.Moment(seconds: seconds)
    return "\(moment.date)T\(moment.clock)"
  }

  /// Converts a time in the format of RFC 3339 or RFC 9110 to RFC 3339; nil if the text is not a time.
  package static func normal(_ text: String) -> String? {
    if let seconds = HTTPDate.parse(text) { return at(Double(seconds)) }
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, isLike(bytes.span.extracting(0..<19), "dddd-dd-ddTdd:dd:dd") else { return nil }
    var rest = bytes[19...]
    var zone = "Z"
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    // Some APIs omit the time zone and mean UTC.
    switch rest.count {
    case 0: break
    case 1 where rest.first == UInt8(ascii: "Z"): break
    case 6: zone = String(decoding: rest, as: UTF8.self)
    case 5:
      zone = String(decoding: rest.prefix(3), as: UTF8.self) + ":" + String(decoding: rest.suffix(2), as: UTF8.self)
    default: return nil
    }
    let time = String(decoding: bytes[..<rest.startIndex], as: UTF8.self) + zone
    return zone.utf8.count == 6 && !(zone.hasPrefix("+") || zone.hasPrefix("-")) ? nil : time
  }

  /// Returns true for text such as `2026-11-21T01:00:00Z`, optionally with a fraction or an offset.
  package static func isOne(_ text: String) -> Bool {
    text.withUTF8Span { text in
      guard text.count > 19, isLike(text.extracting(0..<19), "dddd-dd-ddTdd:dd:dd") else { return false }
      var zone = 19
      if text[zone] == UInt8(ascii: ".") {
        repeat { zone += 1 } while zone < text.count && text[zone].isDigit
        guard zone > 20 else { return false }
      }
      let rest = text.extracting(zone..<text.count)
      return isLike(rest, "Z") || isLike(rest, "+dd:dd") || isLike(rest, "-dd:dd")
    }
  }

  /// Returns true if text matches a pattern, in which `d` matches any digit.
  private static func isLike(_ text: Span<UInt8>, _ pattern: StaticString) -> Bool {
    pattern.withUTF8Buffer { pattern in
      guard text.count == pattern.count else { return false }
      return pattern.indices.allSatisfy { at in
        pattern[at] == UInt8(ascii: "d") ? text[at].isDigit : text[at] == pattern[at]
      }
    }
  }

  /// Formats a time in seconds since 1970; nil if it is out of range.
  package static func at(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    return text(max(Int(seconds), -62_167_219_200)) + "Z"
  }
}
