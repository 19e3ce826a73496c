/// Finds values that look like known tokens, in any encoding, as a final check before recording.
package struct SecretScanner: Sendable {
  package let redaction: CassetteRedaction
  private let finder: SecretFinder

  /// Creates a scanner that ignores the values that a redaction keeps.
  package init(_ redaction: CassetteRedaction = .standard) {
    self.redaction = redaction
    var finder = SecretFinder(redaction)
    finder.readsNames = false
    self.finder = finder
  }

  /// Returns the tokens in some content, except at places that are kept: their kinds, and the ranges that contain them.
  package func tokens(in bytes: [UInt8], _ context: ScannedText.Context) -> [(kind: String, range: Range<Int>)] {
    let text = ScannedText(bytes, context, finder)
    return text.allTokens.filter { token in !text.kept.contains { $0.contains(token.range.lowerBound) } }
      .map { ($0.kind, $0.range) }
  }

  /// Returns the kinds of tokens in the bytes, in any encoding.
  package func kinds(in bytes: [UInt8]) -> [String] {
    tokens(in: bytes, .text).reduce(into: []) { kinds, token in
      if !kinds.contains(token.kind) { kinds.append(token.kind) }
    }
  }

  /// True if the bytes contain a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !tokens(in: bytes, .text).isEmpty }
}
