internal import CassetteSystem

/// Finds private keys in PEM format, from BEGIN to END (RFC 7468 §2).
enum SecretKeyBlock {
  /// The text that starts a PEM block.
  static let begin = "-----begin"
  private static let longest = 64 << 10
  private static let dash = UInt8(ascii: "-")
  private static let label = SecretText.under.adding(" -+")
  private static let keyText = ByteSet.word.adding("+/=- \t\r\n\\:,.()%&#;")

  /// Returns the PEM block whose `-----BEGIN` ends at an offset, or nil if it does not contain a private key.
  ///
  /// A block without an end extends over all following characters that may belong to a key.
  static func range(in text: ByteSearch, behind begin: Int) -> Range<Int>? {
    guard
      let head = lineEnd(in: text, from: begin, "private key") ?? lineEnd(in: text, from: begin, "static key v1")
    else { return nil }
    let start = begin - Self.begin.utf8.count
    let reach = min(text.count, head + longest)
    // Stopping at the next line of dashes means that each byte is examined once, however many blocks are never closed.
    var at = head
    while at < reach, let dashes = text.first(dash, in: at..<reach) {
      if has("-----end", text, dashes) != nil {
        guard let end = lineEnd(in: text, from: dashes + 8, "key") else { break }
        return isMadeUp(text, head..<dashes) ? nil : start..<end
      }
      if has(Self.begin, text, dashes) != nil { break }
      at = dashes + 1
    }
    at = head
    while at < reach, keyText.contains(text[at]), text[at] != dash || has("---", text, at) == nil { at += 1 }
    return start..<at
  }

  /// True if the body repeats a single character, which occurs only in placeholders: `XXXX`.
  private static func isMadeUp(_ text: ByteSearch, _ body: Range<Int>) -> Bool {
    let letters = body.lazy.filter { ByteSet.word.contains(text[$0]) && text[$0 - 1] != UInt8(ascii: "\\") }
    guard let first = letters.first else { return true }
    return letters.allSatisfy { text[$0] == text[first] }
  }

  /// Returns the end of the line of dashes if its label ends with the given words.
  private static func lineEnd(in text: ByteSearch, from start: Int, _ words: String) -> Int? {
    var at = start
    while at < text.count, at - start < 120, label.contains(text[at]) {
      if let end = has(words, text, at) {
        if let end = has("-----", text, has(" block", text, end) ?? end) { return end }
      }
      at += 1
    }
    return nil
  }

  /// Returns the end of the given words at an offset; a form has plus signs between them.
  private static func has(_ words: String, _ text: ByteSearch, _ at: Int) -> Int? {
    func end(_ words: [UInt8]) -> Int? {
      SecretPattern.Piece(literal: words, folds: true).literalEnd(in: text, from: at)
    }
    let words = Array(words.utf8)
    return end(words) ?? (words.contains(0x20) ? end(words.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }) : nil)
  }
}
