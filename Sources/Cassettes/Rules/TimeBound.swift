internal import CassetteHTTP

/// A time that others are compared with.
package struct TimeBound: Hashable, Sendable {
  /// The side of it on which a time has to be.
  package enum Side: String, Sendable {
    case before, after
  }

  package let side: Side
  /// The time as it is written.
  package let text: String
  private let seconds: Double

  /// Reads a time; nil when the text is neither a time of RFC 3339 nor a date, which is its midnight in UTC.
  package init?(_ side: Side, _ text: String) {
    guard let seconds = Self.seconds(Array(text.utf8)[...]) else { return nil }
    (self.side, self.text, self.seconds) = (side, text, seconds)
  }

  /// Tells whether a text is a time on the right side; header fields have it in the form of RFC 9110 §5.6.7, too.
  package func holds(_ text: [UInt8]) -> Bool {
    let said = Self.seconds(text[...]) ?? HTTPDate.parse(String(decoding: text, as: UTF8.self)).map { Double($0) }
    guard let other = said else { return false }
    return side == .before ? other < seconds : other > seconds
  }

  /// Reads a time, in seconds since 1970.
  private static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    guard let time = ISOTime(text), time.isWhole, time.isDate || time.hasZone else { return nil }
    return time.exactSeconds
  }
}
