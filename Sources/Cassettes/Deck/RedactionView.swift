import HTTP
import JSONText

/// Bytes as they read once an encoding is undone, and where each of them stood before.
struct RedactionView {
  let bytes: [UInt8]
  /// Where each byte begins in the original, and after the last its end; nil when nothing was undone.
  private let starts: [Int32]?
  private let ends: [Int32]?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = nil
    ends = nil
  }

  private init(bytes: [UInt8], starts: [Int32], ends: [Int32]) {
    self.bytes = bytes
    self.starts = starts
    self.ends = ends
  }

  /// The bytes of the original that these were made of.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard let starts, let ends, !range.isEmpty else { return range }
    return Int(starts[range.lowerBound])..<Int(ends[range.upperBound - 1])
  }

  /// The bytes and every way to read them: escapes of URLs and of JSON undone, one inside the other up to three deep.
  static func all(of bytes: [UInt8]) -> [RedactionView] {
    var views = [RedactionView(bytes)]
    guard bytes.count < Int(Int32.max) else { return views }
    var level = views
    for _ in 0..<3 {
      level = level.flatMap { [$0.withoutPercent(), $0.withoutBackslashes()].compactMap(\.self) }
      // Undone in either order, most texts read the same.
      level = level.filter { view in !views.contains { $0.bytes == view.bytes } }
      if level.isEmpty { break }
      views += level
    }
    return views
  }

  private func withoutPercent() -> RedactionView? {
    guard bytes.contains(UInt8(ascii: "%")) else { return nil }
    return undoing { bytes, at, output in
      guard bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = Self.hexadecimal(bytes[at + 1]),
        let low = Self.hexadecimal(bytes[at + 2])
      else { return 1 }
      output.append(high << 4 | low)
      return 3
    }
  }

  private func withoutBackslashes() -> RedactionView? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
    return undoing { bytes, at, output in
      guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else { return 1 }
      var length = 2
      if bytes[at + 1] == UInt8(ascii: "u") {
        guard Self.isUnicodeEscape(bytes, at) else { return 1 }
        length = 6
        // Half a surrogate pair takes the other half with it.
        if bytes[at + 2] | 0x20 == UInt8(ascii: "d"), (Self.hexadecimal(bytes[at + 3]) ?? 0) & 0xc == 8,
          Self.isUnicodeEscape(bytes, at + 6)
        {
          length = 12
        }
      } else {
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
          UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          break
        default: return 1
        }
      }
      output += JSONString.decodeLoosely(bytes[at..<at + length].span)
      return length
    }
  }

  private static func isUnicodeEscape(_ bytes: [UInt8], _ at: Int) -> Bool {
    at + 6 <= bytes.count && bytes[at] == UInt8(ascii: "\\") && bytes[at + 1] == UInt8(ascii: "u")
      && (at + 2..<at + 6).allSatisfy { hexadecimal(bytes[$0]) != nil }
  }

  /// Decodes step by step; a step says how many bytes it took, and appends nothing to leave one byte as it is.
  private func undoing(_ step: (_ bytes: [UInt8], _ at: Int, _ output: inout [UInt8]) -> Int) -> RedactionView? {
    var output: [UInt8] = []
    var starts: [Int32] = []
    var ends: [Int32] = []
    output.reserveCapacity(bytes.count)
    starts.reserveCapacity(bytes.count)
    ends.reserveCapacity(bytes.count)
    var at = 0
    var hasChanged = false
    while at < bytes.count {
      let before = output.count
      let length = step(bytes, at, &output)
      if output.count == before { output.append(bytes[at]) } else { hasChanged = true }
      let place = original(at..<at + length)
      for _ in before..<output.count {
        starts.append(Int32(place.lowerBound))
        ends.append(Int32(place.upperBound))
      }
      at += length
    }
    return hasChanged ? RedactionView(bytes: output, starts: starts, ends: ends) : nil
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
