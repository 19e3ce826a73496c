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
    var rest = text
    func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    func take(_ marks: String) -> UInt8? {
      guard let first = rest.first, marks.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil, let day = number(2),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var seconds = Double(HTTPDate.days(year: year, month: month, day: day)) * 86_400
    if rest.isEmpty { return seconds }
    guard take("Tt ") != nil, let hour = number(2), take(":") != nil, let minute = number(2), hour < 24, minute < 60
    else { return nil }
    seconds += Double(hour * 3_600 + minute * 60)
    if take(":") != nil {
      guard let second = number(2), second <= 60 else { return nil }
      seconds += Double(second)
      if take(".") != nil {
        var unit = 0.1
        while let digit = number(1) {
          seconds += Double(digit) * unit
          unit /= 10
        }
      }
    }
    if take("Zz") == nil {
      guard let sign = take("+-"), let hours = number(2), take(":") != nil, let minutes = number(2) else { return nil }
      seconds += Double(hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "+") ? -1 : 1)
    }
    return rest.isEmpty ? seconds : nil
  }
}
