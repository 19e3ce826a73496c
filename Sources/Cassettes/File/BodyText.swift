import JSONText

/// Tells text, which people can review, from other bytes.
enum BodyText {
  /// Whether bytes are UTF-8 without control characters other than TAB, CR and LF.
  static func isText(_ bytes: Span<UInt8>) -> Bool {
    guard UTF8Check.firstInvalid(in: bytes) == nil else { return false }
    for at in 0..<bytes.count {
      switch bytes[at] {
      case 0x09, 0x0a, 0x0d: continue
      case 0..<0x20, 0x7f: return false
      // U+0080 to U+009F are control characters too.
      case 0xc2 where bytes[at + 1] < 0xa0: return false
      default: continue
      }
    }
    return true
  }

  /// Whether bytes are no text, and so many that reading them in every encoding would take long: an image, an archive.
  static func isLongBinary(_ bytes: Span<UInt8>) -> Bool {
    // What is binary nearly always shows it within the first bytes: a NUL, which no text has.
    guard bytes.count > 64 << 10 else { return false }
    for at in 0..<4096 where bytes[at] == 0 { return true }
    return !isText(bytes)
  }

  /// Text split after each line feed.
  static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    while let end = text[start...].firstIndex(of: 0x0a) {
      lines.append(text[start...end])
      start = end + 1
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }
}
