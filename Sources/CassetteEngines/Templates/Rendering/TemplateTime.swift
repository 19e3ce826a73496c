import CassetteHTTP

/// Parses the times that template values contain.
enum TemplateTime {
  /// Parses a number of seconds or milliseconds, an RFC 3339 time, or an HTTP date (RFC 9110).
  ///
  /// Returns nil for any other value.
  static func nanoseconds(of value: TemplateValue) -> Int? {
    if let number = value.number {
      let seconds = abs(number) >= 1e11 ? number / 1000 : number
      return abs(seconds) < 9e9 ? Int(seconds * 1e9) : nil
    }
    let text = value.text
    if let seconds = HTTPDate.parse(text) { return seconds * 1_000_000_000 }
    return ISOTime(Array(text.utf8)[...]).flatMap { $0.isWhole ? $0.nanoseconds : nil }
  }
}
