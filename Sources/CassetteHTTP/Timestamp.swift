internal import CassetteSystem

/// Times in the format of RFC 3339, which is a profile of ISO 8601.
package enum Timestamp {
  /// Formats nanoseconds since 1970, such as `2026-11-21T01:00:00.123Z`.
  package static func format(nanoseconds: Int) -> String {
    let seconds = nanoseconds.quotient(by: 1_000_000_000)
    let thousandths = (nanoseconds - seconds * 1_000_000_000) / 1_000_000
    return "\(text(seconds)).\(HTTPDate.Moment.padded(thousandths, 3))Z"
  }

  /// Returns the current time in seconds, such as `2026-11-21T01:00:00Z`.
  package static func now() -> String { text(time(nil)) + "Z" }

  /// Formats a time in seconds since 1970; nil if it is out of range.
  package static func at(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    return text(max(Int(seconds), -62_167_219_200)) + "Z"
  }

  private static func text(_ seconds: Int) -> String {
    let moment = HTTPDate.Moment(seconds: seconds)
    return "\(moment.date)T\(moment.clock)"
  }

  /// Returns true for text such as `2026-11-21T01:00:00Z`, optionally with a fraction or an offset.
  package static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let time = ISOTime(bytes[...]) else { return false }
    return time.isWhole && time.hasSeconds && time.hasZone && bytes[10] == UInt8(ascii: "T")
      && bytes.last != UInt8(ascii: "z")
  }
}
