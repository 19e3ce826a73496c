internal import CassetteSystem

/// Distinguishes readable text from binary data.
package enum BodyText {
  /// Returns true if bytes are UTF-8 without control characters other than TAB, CR and LF.
  package static func isText(_ bytes: [UInt8]) -> Bool {
    let text = bytes.span
    var at = 0
    while at < text.count {
      // Most text is ASCII with few line breaks.
      if at + 8 <= text.count, isPlain(text.word(at)) {
        at += 8
        continue
      }
      let byte = text[at]
      if byte < 0x80 {
        guard isPlain(byte) || isLayout(byte) else { return false }
        at += 1
      } else {
        // U+0080 to U+009F are control characters as well.
        let length = UTF8Check.sequenceLength(in: text, at: at)
        guard length > 0, byte != 0xc2 || text[at + 1] >= 0xa0 else { return false }
        at += length
      }
    }
    return true
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f }

  private static func isLayout(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0a || byte == 0x0d }

  /// Returns true if eight bytes are ASCII without control characters.
  private static func isPlain(_ word: UInt64) -> Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    return word & high == 0
      && (word &+ 0x6060_6060_6060_6060) & ~(word &+ 0x0101_0101_0101_0101) & high == high
  }

  /// Splits a text after each line feed.
  package static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    text.searching { bytes in
      while let end = bytes.first(0x0a, from: start) {
        lines.append(text[start...end])
        start = end + 1
      }
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }
}
