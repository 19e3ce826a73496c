internal import CassetteSystem

/// Finds private keys in PEM format, from BEGIN to END (RFC 7468 §2).
enum SecretKeyBlock {
  /// The text that starts a PEM block.
  static let begin = "-----begin"
  private static let dashes = Array("-----".utf8)
  private static let labels = ["private key", "static key v1"].map { Array($0.utf8) }
  private static let longest = 64 << 10
  private static let keyText = ByteSet.word.adding("+/=- \t\r\n\\:,.()%&#;")

  /// Returns the PEM block whose `-----BEGIN` ends at an offset, or nil if it does not contain a private key.
  ///
  /// A block without an end extends over all following characters that may belong to a key.
  static func range(in text: ByteSearch, behind begin: Int) -> Range<Int>? {
    guard let (label, head) = Self.label(in: text, from: begin),
      labels.contains(where: { label.firstIndex(of: $0) != nil })
    else { return nil }
    let start = begin - Self.begin.utf8.count
    let reach = min(text.count, head + longest)
    // Stopping at the next line of dashes means that each byte is examined once, however many blocks are never closed.
    if let next = dashes.searching({ text.first($0, from: head) }), next < reach,
      let (label, end) = Self.label(in: text, from: next + dashes.count), label.starts(with: "end ".utf8)
    {
      let body = text.bytes(head..<next).enumerated().filter { index, byte in
        ByteSet.word.contains(byte) && text[head + index - 1] != UInt8(ascii: "\\")
      }
      // A body of one repeated character occurs only in placeholders: `XXXX`.
      return body.allSatisfy { $0.element == body[0].element } ? nil : start..<end
    }
    var at = head
    while at < reach, keyText.contains(text[at]), text[at] != dashes[0] || !text.has("---", at: at) { at += 1 }
    return start..<at
  }

  /// Returns the text before the next five dashes, in lower case and with spaces, and the end of the dashes.
  private static func label(in text: ByteSearch, from start: Int) -> (text: [UInt8], end: Int)? {
    let end = text.end(of: labelBytes, from: start, atMost: 120)
    let bytes = text.bytes(start..<end)
    guard let count = bytes.firstIndex(of: dashes) else { return nil }
    // A form has plus signs between words.
    let label = bytes[..<count].map { $0 == UInt8(ascii: "+") ? 0x20 : SecretPattern.folded($0) }
    return (label, start + count + dashes.count)
  }

  private static let labelBytes = SecretText.under.adding(" -+")
}
