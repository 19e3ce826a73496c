import CassetteHTTP
internal import CassetteSystem

/// Tells values that servers make anew each time, such as times and random ids, from those that say something.
package enum GeneratedValue {
  /// Tells whether a text looks like a random id: a UUID, or many hexadecimal digits.
  package static func isRandom(_ text: [UInt8]) -> Bool {
    var text = text[...]
    if text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") { text = text.dropFirst().dropLast() }
    let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.allSatisfy({ $0.allSatisfy { $0.hexadecimalValue != nil } }) else { return isULID(text) }
    if groups.map(\.count) == [8, 4, 4, 4, 12] { return true }
    // Words and numbers are made of these digits, too: only a mixture of both, and a long one.
    return groups.count == 1 && text.count >= 16 && text.contains(where: \.isDigit)
      && text.contains { !$0.isDigit } || isULID(text)
  }

  /// Tells whether a text is a ULID in capital letters.
  private static func isULID(_ text: ArraySlice<UInt8>) -> Bool {
    !text.contains { (0x61...0x7a).contains($0) } && Array(text).searching { RandomToken.isULID($0, 0..<$0.count) }
  }

  /// Reads an instant, in seconds since 1970; nil when the text is none.
  ///
  /// RFC 3339 and RFC 9110's forms, or a number of seconds, milli-, micro- or nanoseconds of our time.
  package static func seconds(_ text: [UInt8]) -> Double? {
    guard let first = text.first, text.count <= 40 else { return nil }
    if first.isDigit { return text.count > 10 && text[4] == UInt8(ascii: "-") ? calendar(text) : epoch(text) }
    guard text.count >= 24, let seconds = HTTPDate.parse(String(decoding: text, as: UTF8.self)) else { return nil }
    return Double(seconds)
  }

  /// Reads a time from September 2001 to 2096: a lesser or greater number counts something else.
  private static func epoch(_ text: [UInt8]) -> Double? {
    guard text.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
    guard let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
    return [1, 1e3, 1e6, 1e9].map { value / $0 }.first { (1e9..<4e9).contains($0) }
  }

  /// `2026-11-21T01:00:00.123+01:00`, with a space in place of the `T`, too; without a zone it is UTC.
  private static func calendar(_ text: [UInt8]) -> Double? {
    guard let time = ISOTime(text[...]), time.isWhole, time.hasSeconds else { return nil }
    return time.exactSeconds
  }
}
