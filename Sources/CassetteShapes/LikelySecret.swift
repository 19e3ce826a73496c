internal import CassetteSystem

/// Tells what looks like a secret by itself, in any text: thresholds near those of gitleaks' generic-api-key.
package enum LikelySecret {
  /// Tells whether a value looks like a secret; under a name that people choose for, one with a digit does.
  package static func isLikely(_ value: [UInt8], isChosen: Bool) -> Bool {
    if value.searching({ said.isFound(in: $0, 0..<$0.count) }) { return false }
    if SecretShapes.isToken(value) || isMade(value) { return true }
    return isChosen && value.count >= 6 && value.contains(where: \.isDigit)
      && value.contains(where: ByteSet.letter.contains) && !value.contains(where: ofPrograms.contains)
      && value[0] != UInt8(ascii: "$")
  }

  /// Tells whether a generator made a value: random, with digits among its letters, and no long word in it.
  private static func isMade(_ value: [UInt8]) -> Bool {
    if value.count >= 12, RandomText.isLetters(value) { return true }
    let text = value[..<(value.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0)]
    // Base64 has slashes, and no hyphen beside them: a path has.
    guard value.count >= 10, text.contains(where: \.isDigit), text.allSatisfy(made.contains),
      !text.contains(UInt8(ascii: "/")) || RandomText.isSecret(value) && !text.contains(UInt8(ascii: "-"))
    else { return false }
    let entropy = RandomText.entropy(of: text)
    let letters = text.filter { $0 != UInt8(ascii: "-") }
    if letters.allSatisfy({ $0.hexadecimalValue != nil }) {
      return letters.count >= 16 && entropy >= 3 && letters.contains(where: ByteSet.letter.contains)
    }
    let kinds = text.lazy.filter(ByteSet.word.contains).map(kind)
    return entropy >= (text.count < 16 ? 3 : 3.2)
      && zip(kinds, kinds.dropFirst()).count { $0 != $1 && ($0, $1) != (2, 1) } > 2
      && !text.split(whereSeparator: { !ByteSet.letter.contains($0) })
        .contains { $0.count >= 8 && ReadableText.isOfWords($0) }
  }

  /// The kind of a letter or digit: 0 for digits, 1 for small letters, 2 for capitals.
  private static func kind(_ byte: UInt8) -> Int { byte.isDigit ? 0 : byte & 0x20 == 0 ? 2 : 1 }

  private static let made = ByteSet.word.adding("_.+/~!*$@:-")
  private static let ofPrograms = ByteSet(0...0x20, adding: "(){}[]<>`\"\\,;/")
  /// The words of values that say that they are none.
  private static let said = KeywordAutomaton(
    [
      "example", "sample", "dummy", "redact", "your", "xxxx", "placeholder", "changeme", "change_me", "change-me",
      "fake",
      "...", "0000", "123456", "abcdef", "aaaa",
    ].map { Array($0.utf8) })
}
