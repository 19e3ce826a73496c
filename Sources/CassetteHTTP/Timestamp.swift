internal import CassetteSystem

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Instants as ISO 8601 and RFC 3339 write them.
package enum Timestamp {
  /// `2026-11-21T01:00:00.123Z`.
  ///
  /// - Parameter nanoseconds: Since 1970.
  /// - Returns: the instant in UTC, to the millisecond.
  package static func format(nanoseconds: Int) -> String {
    let seconds = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let thousandths = String(1_000 + seconds.remainder / 1_000_000).dropFirst()
    return latest.withLock { latest in
      if latest.second != seconds.quotient {
        // To ask the platform each time took 1.5% of a recorder's time.
        let text = Date(timeIntervalSince1970: Double(seconds.quotient)).formatted(.iso8601)
        latest = (seconds.quotient, String(text.dropLast()))
      }
      return "\(latest.text).\(thousandths)Z"
    }
  }

  /// The second that was written last: many exchanges end in one.
  private static let latest = Locked((second: Int.min, text: ""))

  /// Returns the present time, to the second: `2026-11-21T01:00:00Z`.
  package static func now() -> String { Date().formatted(.iso8601) }

  /// Returns a text in RFC 3339 for one in that or RFC 9110's form; nil for anything else.
  package static func normal(_ text: String) -> String? {
    if let seconds = HTTPDate.parse(text) { return at(Double(seconds)) }
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: "T") else { return nil }
    for (at, byte) in bytes.prefix(19).enumerated() {
      let isRight =
        switch at {
        case 4, 7: byte == UInt8(ascii: "-")
        case 10: true
        case 13, 16: byte == UInt8(ascii: ":")
        default: (0x30...0x39).contains(byte)
        }
      guard isRight else { return nil }
    }
    var rest = bytes[19...]
    var zone = "Z"
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    // Some leave the zone out, and mean UTC.
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

  /// Writes a time, given in seconds since 1970; nil for one that is out of range.
  package static func at(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    // Sun, 06 Nov 1994 08:49:37 GMT
    let parts = HTTPDate.format(Int(seconds)).split(separator: " ")
    guard parts.count == 6, let month = HTTPDate.months.firstIndex(of: String(parts[2])) else { return nil }
    return "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z"
  }
}
