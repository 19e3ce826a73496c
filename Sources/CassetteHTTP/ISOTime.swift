/// A time in ISO 8601 or RFC 3339 format, such as `2026-11-21T01:00:00.123Z`, `2026-11-21 01:00` or `2026-11-21`.
package struct ISOTime {
  private let bytes: ArraySlice<UInt8>
  /// The offset of the end of the time.
  package private(set) var end: Int
  /// The written date and time in seconds since 1970, ignoring the time zone.
  private var local = 0
  /// The offsets of the fractional seconds, with the decimal point.
  private var fraction: Range<Int>
  /// The offset of the start of the time of day; nil for a date without a time.
  private var clock: Int?
  /// True if the time includes seconds.
  package private(set) var hasSeconds = false
  /// True if the time includes a zone in RFC 3339 format, such as `Z` or `+01:00`.
  package private(set) var hasZone = false
  /// The offset of the time zone from UTC in seconds.
  private var zone = 0

  /// Parses a time at the start of some bytes; nil if the bytes do not start with a time.
  package init?(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    let start = bytes.startIndex
    (end, fraction) = (start, start..<start)
    guard bytes.count >= 10, let year = number(start, 4), let month = number(start + 5, 2),
      let day = number(start + 8, 2),
      bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"), (1...12).contains(month), day >= 1
    else { return nil }
    let days = HTTPDate.days(year: year, month: month, day: day)
    guard HTTPDate.Moment(seconds: days * 86_400).day == day else { return nil }
    local = days * 86_400
    end = start + 10
    readClock()
  }

  /// True if no bytes follow the time.
  package var isWhole: Bool { end == bytes.endIndex }

  /// True if there is a date but no time of day.
  package var isDate: Bool { clock == nil }

  /// The time in nanoseconds since 1970; nil if the number is too large for an integer.
  package var nanoseconds: Int? {
    var parts = 0
    for (place, byte) in bytes[fraction].dropFirst().prefix(9).enumerated() {
      parts += Int(byte - 0x30) * [100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1][place]
    }
    let (product, isTooLarge) = (local - zone).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? nil : product + parts
  }

  /// The year as written.
  package var year: Int { HTTPDate.Moment(seconds: local).year }

  /// The time in seconds since 1970.
  package var seconds: Int { local - zone }

  /// The time in seconds since 1970, with the fraction.
  package var exactSeconds: Double {
    Double(seconds) + (Double("0" + String(decoding: bytes[fraction], as: UTF8.self)) ?? 0)
  }

  /// Returns the time moved by a number of seconds, in the same format.
  package func moved(by seconds: Int) -> [UInt8] {
    let moment = HTTPDate.Moment(seconds: local + seconds)
    guard (1000...9999).contains(moment.year) else { return Array(bytes[..<end]) }
    guard let clock else { return Array(moment.date.utf8) }
    let length = hasSeconds ? 8 : 5
    var text = Array(moment.date.utf8)
    text.append(bytes[clock - 1])
    text += moment.clock.utf8.prefix(length)
    return text + bytes[clock + length..<end]
  }

  private mutating func readClock() {
    guard end + 6 <= bytes.endIndex, [UInt8(ascii: "T"), 0x20, UInt8(ascii: "t")].contains(bytes[end]),
      let hour = number(end + 1, 2), let minute = number(end + 4, 2), bytes[end + 3] == UInt8(ascii: ":"), hour < 24,
      minute < 60
    else { return }
    clock = end + 1
    local += hour * 3600 + minute * 60
    end += 6
    if end + 3 <= bytes.endIndex, bytes[end] == UInt8(ascii: ":"), let second = number(end + 1, 2), second <= 60 {
      hasSeconds = true
      local += second
      end += 3
      if end + 1 < bytes.endIndex, bytes[end] == UInt8(ascii: "."), bytes[end + 1] &- 0x30 < 10 {
        let start = end
        end += 1
        while end < bytes.endIndex, bytes[end] &- 0x30 < 10 { end += 1 }
        fraction = start..<end
      }
    }
    guard end < bytes.endIndex else { return }
    switch bytes[end] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      hasZone = true
      end += 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let hasColon = end + 3 < bytes.endIndex && bytes[end + 3] == UInt8(ascii: ":")
      guard let hours = number(end + 1, 2), let minutes = number(end + (hasColon ? 4 : 3), 2), hours < 24, minutes < 60
      else { return }
      zone = (bytes[end] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
      hasZone = hasColon
      end += hasColon ? 6 : 5
    default: break
    }
  }

  private func number(_ start: Int, _ count: Int) -> Int? {
    guard start + count <= bytes.endIndex else { return nil }
    var value = 0
    for index in start..<start + count {
      guard bytes[index] &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(bytes[index] - 0x30)
    }
    return value
  }
}
