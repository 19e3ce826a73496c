internal import CassetteHTTP

/// A bound for comparison with times.
package struct TimeBound: Hashable, Sendable {
  /// The side of the bound on which a time must be.
  package enum Side: String, Sendable {
    case before, after
  }

  package let side: Side
  /// The time as text.
  package let text: String
  private let seconds: Double

  /// Creates a bound; returns nil if the text is neither a time of RFC 3339 nor a date, which means its midnight in
  /// UTC.
  package init?(_ side: Side, _ text: String) {
    guard let seconds = Self.seconds(Array(text.utf8)[...]) else { return nil }
    (self.side, self.text, self.seconds) = (side, text, seconds)
  }

  /// Returns true if a text is a time that satisfies the bound; dates of header fields (RFC 9110 §5.6.7) are accepted,
  /// too.
  package func holds(_ text: [UInt8]) -> Bool {
    let said = Self.seconds(text[...]) ?? HTTPDate.parse(String(decoding: text, as: UTF8.self)).map { Double($0) }
    guard let other = said else { return false }
    return side == .before ? other < seconds : other > seconds
  }

  /// Parses a time; returns seconds since 1970.
  private static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    guard let time = ISOTime(text), time.isWhole, time.isDate || time.hasZone else { return nil }
    return time.exactSeconds
  }
}
