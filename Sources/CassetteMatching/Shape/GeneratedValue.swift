import CassetteHTTP
internal import CassetteSystem

/// Distinguishes values that are generated at each call, such as times and random ids, from meaningful values.
package enum GeneratedValue {
  /// Returns true if a string looks like a random id: a UUID, a ULID, or many hexadecimal digits.
  package static func isRandom(_ text: [UInt8]) -> Bool {
    var text = text[...]
    if text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") { text = text.dropFirst().dropLast() }
    let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.allSatisfy({ $0.allSatisfy { $0.hexadecimalValue != nil } }) else { return isULID(text) }
    if groups.map(\.count) == [8, 4, 4, 4, 12] { return true }
    // Words and numbers may consist of hexadecimal digits, so a long mixture of letters and digits is required.
    return groups.count == 1 && text.count >= 16 && text.contains(where: \.isDigit)
      && text.contains { !$0.isDigit } || isULID(text)
  }

  /// Returns true if a string is a ULID in capital letters.
  private static func isULID(_ text: ArraySlice<UInt8>) -> Bool {
    !text.contains { (0x61...0x7a).contains($0) } && Array(text).searching { RandomToken.isULID($0, 0..<$0.count) }
  }

  /// Parses a time, in seconds since 1970; returns nil if the string is not a time.
  ///
  /// The formats are RFC 3339, those of RFC 9110, or a number of seconds, milliseconds, microseconds or nanoseconds.
  package static func seconds(_ text: [UInt8]) -> Double? {
    guard let first = text.first, text.count <= 40 else { return nil }
    if first.isDigit { return text.count > 10 && text[4] == UInt8(ascii: "-") ? calendar(text) : epoch(text) }
    guard text.count >= 24, let seconds = HTTPDate.parse(String(decoding: text, as: UTF8.self)) else { return nil }
    return Double(seconds)
  }

  /// Parses a number for a time from September 2001 to 2096: smaller or greater numbers have another meaning.
  private static func epoch(_ text: [UInt8]) -> Double? {
    guard text.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
    guard let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
    return [1, 1e3, 1e6, 1e9].map { value / $0 }.first { (1e9..<4e9).contains($0) }
  }

  /// Parses `2026-11-21T01:00:00.123+01:00`; the `T` may be a space, and a time without a zone is in UTC.
  private static func calendar(_ text: [UInt8]) -> Double? {
    guard let time = ISOTime(text[...]), time.isWhole, time.hasSeconds else { return nil }
    return time.exactSeconds
  }
}
