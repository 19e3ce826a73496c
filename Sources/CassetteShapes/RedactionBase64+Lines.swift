package import CassetteSystem

/// Base64 that is broken into lines, as mail and repositories have it (RFC 2045 §6.8).
extension RedactionBase64 {
  /// The lengths of lines that tools write (RFC 2045 §6.8, RFC 7468 §2, `git`, `openssl`).
  private static let widths = [48, 60, 64, 68, 72, 76]

  /// Finds the lines that a run is the first of, all as long but the last; nil when it stands alone.
  package static func lines(from first: Range<Int>, in text: ByteSearch) -> [Range<Int>]? {
    guard widths.contains(first.count), text[first.upperBound - 1] != UInt8(ascii: "=") else { return nil }
    var lines = [first]
    var at = first.upperBound
    while true {
      if text.at(at) == 0x0d { at += 1 }
      guard text.at(at) == 0x0a else { break }
      at += 1
      at = text.end(of: .blank, from: at, atMost: 64)
      let end = endOfPadding(text, from: endOfRun(text, from: at))
      // All of the last line, and whole groups of four: a word below is none of it.
      guard end > at, end - at <= first.count, (end - at) % 4 == 0, ends.contains(text.at(end)) else { break }
      lines.append(at..<end)
      if end - at < first.count || text[end - 1] == UInt8(ascii: "=") { break }
      at = end
    }
    return lines.count > 1 ? lines : nil
  }

  private static let ends = ByteSet(0...0, adding: "\r\n\"'<\\`")

  /// Returns lines of base64, broken where the ones that they replace were.
  package static func encode(_ bytes: [UInt8], _ manner: Manner, width: Int, separator: [UInt8]) -> [UInt8] {
    let encoded = encode(bytes, manner)
    var lines: [UInt8] = []
    for start in stride(from: 0, to: encoded.count, by: width) {
      if start > 0 { lines += separator }
      lines += encoded[start..<min(start + width, encoded.count)]
    }
    return lines
  }
}
