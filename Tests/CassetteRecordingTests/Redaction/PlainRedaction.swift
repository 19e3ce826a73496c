/// A slow reference implementation of the search for secrets, byte by byte and easy to verify.
enum PlainRedaction {
  /// Returns the runs of base64, padding included.
  static func runs(in bytes: [UInt8]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var at = 0
    while at < bytes.count {
      let start = at
      while at < bytes.count, isBase64(bytes[at]) { at += 1 }
      let end = at
      while at < bytes.count, at > start, at - end < 2, bytes[at] == UInt8(ascii: "=") { at += 1 }
      if end - start >= 8 { runs.append(start..<at) }
      if at == start { at += 1 }
    }
    return runs
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isASCII
      && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      || "+/-_".utf8.contains(byte)
  }

  /// Returns the decoded bytes of base64.
  static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bits: [UInt8] = []
    for character in text {
      if character == UInt8(ascii: "=") { break }
      let plain = character == UInt8(ascii: "-") ? 0x2b : character == UInt8(ascii: "_") ? 0x2f : character
      let value = alphabet.firstIndex(of: plain) ?? 0
      bits += (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
  }

  /// Returns the ranges of patterns from left to right; of patterns with the same start, the longest.
  static func places(of patterns: [[UInt8]], in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var at = 0
    while at < bytes.count {
      let found = patterns.filter { bytes[at...].starts(with: $0) }.map(\.count).max()
      if let found { places.append(at..<at + found) }
      at += found ?? 1
    }
    return places
  }
}
