/// Finds values that look like known tokens, in any encoding, as a final check before recording.
package struct SecretScanner: Sendable {
  package let redaction: CassetteRedaction
  private let finder: SecretFinder

  /// Creates a scanner that ignores the values that a redaction keeps.
  package init(_ redaction: CassetteRedaction = .standard) {
    self.redaction = redaction
    finder = SecretFinder(redaction, readsNames: false)
  }

  /// Returns the tokens in some content, except at places that are kept: their kinds, and the ranges that contain them.
  package func tokens(
    in bytes: [UInt8], _ context: ScannedText.Context = .text
  ) -> [(kind: String, range: Range<Int>)] {
    let text = ScannedText(bytes, context, finder)
    return text.allTokens.filter { token in !text.kept.contains { $0.contains(token.range.lowerBound) } }
      .map { ($0.kind, $0.range) }
  }

  /// True if the bytes contain a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !tokens(in: bytes).isEmpty }
}
