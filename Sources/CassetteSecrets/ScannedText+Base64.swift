internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Text that stands in base64 within a text.
extension ScannedText {
  /// Reads what several lines of base64 decode to together, where that is text.
  func lined(
    _ lines: [Range<Int>], in text: ByteSearch, _ view: DecodedView, _ rules: RedactionRules, _ depth: Int
  ) -> Inner? {
    let joined = lines.flatMap { text.bytes($0) }
    guard let decoded = RedactionBase64.decode(joined[...]), decoded.count >= SecretTable.shortest,
      BodyText.isText(decoded) || BodyCoding.compression(of: decoded) != nil
    else {
      // A word of four letters below a full line may be none of it.
      let isWord = lines.count > 2 && lines[lines.count - 1].count < lines[0].count && joined.last != UInt8(ascii: "=")
      return isWord ? lined(lines.dropLast(), in: text, view, rules, depth) : nil
    }
    var manner = joined.searching { RedactionBase64.Manner(of: $0, 0..<$0.count) }
    let separator = view.originals(lines[0].upperBound..<lines[1].lowerBound)
    manner.lines = (lines[0].count, separator.flatMap { bytes[$0] })
    return Inner(
      ranges: view.originals(lines[0].lowerBound..<lines[lines.count - 1].upperBound),
      wrapping: .base64(manner), reading: ScannedText(decoded, .text, rules, depth: depth + 1))
  }

  /// Reads what a run of base64 decodes to, where that is text; true if all of it was read.
  static func read(
    _ run: Range<Int>, in text: ByteSearch, _ view: DecodedView, _ rules: RedactionRules, _ depth: Int,
    _ inner: inout [Inner]
  ) -> Bool {
    func read(_ range: Range<Int>) -> Bool {
      guard range.count >= RedactionBase64.shortest, RedactionBase64.mayBeRead(text, range),
        let decoded = RedactionBase64.decode(text, range), decoded.count >= SecretTable.shortest,
        BodyText.isText(decoded) || BodyCoding.compression(of: decoded) != nil
          || decoded.count > 15 && decoded[1] == 0 && decoded[3] == 0
      else { return false }
      let reading = ScannedText(decoded, .text, rules, depth: depth + 1)
      let manner = RedactionBase64.Manner(of: text, range)
      inner.append(Inner(ranges: view.originals(range), wrapping: .base64(manner), reading: reading))
      return true
    }
    if let decoded = hexadecimal(run, in: text) {
      let reading = ScannedText(decoded, .text, rules, depth: depth + 1)
      let isUpper = run.contains { (0x41...0x46).contains(text[$0]) }
      inner.append(Inner(ranges: view.originals(run), wrapping: .hexadecimal(isUpper: isUpper), reading: reading))
      return true
    }
    let isRead = read(run)
    // A slash is a character of base64, and what stands between two segments of a path.
    var start = run.lowerBound
    while start < run.upperBound, let slash = text.first(UInt8(ascii: "/"), in: start..<run.upperBound) {
      _ = read(start..<slash)
      start = slash + 1
    }
    if start > run.lowerBound { _ = read(start..<run.upperBound) }
    return isRead
  }

  /// The text that a run of hexadecimal digits stands for; nil where it is none, as a digest is.
  private static func hexadecimal(_ run: Range<Int>, in text: ByteSearch) -> [UInt8]? {
    guard run.count >= 24, run.count % 2 == 0, (0x32...0x37).contains(text[run.lowerBound]) else { return nil }
    var decoded: [UInt8] = []
    for at in stride(from: run.lowerBound, to: run.upperBound, by: 2) {
      guard let high = text[at].hexadecimalValue, let low = text[at + 1].hexadecimalValue else { return nil }
      let byte = high << 4 | low
      guard (0x20...0x7e).contains(byte) || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return nil }
      decoded.append(byte)
    }
    return decoded
  }
}
