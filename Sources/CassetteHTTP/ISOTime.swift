/// A time in a text, as ISO 8601 and RFC 3339 write it: `2026-11-21T01:00:00.123Z`, `2026-11-21 01:00`, `2026-11-21`.
package struct ISOTime {
  private let bytes: ArraySlice<UInt8>
  /// The offset at which the time ends.
  package private(set) var end: Int
  /// The seconds since 1970 of the calendar and the clock that are written, without the zone.
  private var local = 0
  /// The offsets of the fraction behind the seconds, with its point.
  private var fraction: Range<Int>
  /// The offset at which the clock begins; nil for a date alone.
  private var clock: Int?
  /// True if the clock says seconds.
  package private(set) var hasSeconds = false
  /// True if there is a zone in the form of RFC 3339: `Z`, `+01:00`.
  package private(set) var hasZone = false
  /// The number of seconds that the zone is ahead of UTC.
  private var zone = 0

  /// Reads a time at the beginning of some bytes; nil when there is none.
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

  /// True if nothing stands behind the time.
  package var isWhole: Bool { end == bytes.endIndex }

  /// True if it is a date alone.
  package var isDate: Bool { clock == nil }

  /// The time in nanoseconds since 1970; nil where there are too many.
  package var nanoseconds: Int? {
    var parts = 0
    for (place, byte) in bytes[fraction].dropFirst().prefix(9).enumerated() {
      parts += Int(byte - 0x30) * [100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1][place]
    }
    let (product, isTooLarge) = (local - zone).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? nil : product + parts
  }

  /// The year that is written.
  package var year: Int { HTTPDate.Moment(seconds: local).year }

  /// The time in seconds since 1970.
  package var seconds: Int { local - zone }

  /// The time in seconds since 1970, with the fraction that is written.
  package var exactSeconds: Double {
    Double(seconds) + (Double("0" + String(decoding: bytes[fraction], as: UTF8.self)) ?? 0)
  }

  /// Returns the time that is a number of seconds later, written as this was.
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
      guard let hours = number(end + 1, 2), let minutes = number(end + (hasColon ? 4 : 3), 2), hours <= 14, minutes < 60
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
