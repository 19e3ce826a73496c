internal import CassetteSystem

/// A private key as a text: from BEGIN to END (RFC 7468 §2).
enum SecretKeyBlock {
  /// The words that begin a private key, or something else.
  static let begin = "-----begin"
  private static let longest = 64 << 10
  private static let dash = UInt8(ascii: "-")
  private static let label = SecretText.under.adding(" -+")
  private static let keyText = ByteSet.word.adding("+/=- \t\r\n\\:,.()%&#;")

  /// The whole block whose `-----BEGIN` ends at an offset; nil when it is not of a private key.
  ///
  /// One that is never closed reaches as far as there can be a key.
  static func range(in text: ByteSearch, behind begin: Int) -> Range<Int>? {
    guard
      let head = lineEnd(in: text, from: begin, "private key") ?? lineEnd(in: text, from: begin, "static key v1")
    else { return nil }
    let start = begin - Self.begin.utf8.count
    let reach = min(text.count, head + longest)
    // As far as the next line of dashes: every byte is looked at once, however many blocks are never closed.
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

  /// Tells whether the same letter stands in all lines, as nobody's key has it: `XXXX`.
  private static func isMadeUp(_ text: ByteSearch, _ body: Range<Int>) -> Bool {
    let letters = body.lazy.filter { ByteSet.word.contains(text[$0]) && text[$0 - 1] != UInt8(ascii: "\\") }
    guard let first = letters.first else { return true }
    return letters.allSatisfy { text[$0] == text[first] }
  }

  /// Finds the end of the line of dashes, when a label that ends in some words leads to it.
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

  /// Finds the end of some words at an offset; a form has a plus between them.
  private static func has(_ words: String, _ text: ByteSearch, _ at: Int) -> Int? {
    func end(_ words: [UInt8]) -> Int? {
      SecretPattern.Piece(literal: words, folds: true).literalEnd(in: text, from: at)
    }
    let words = Array(words.utf8)
    return end(words) ?? (words.contains(0x20) ? end(words.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }) : nil)
  }
}
