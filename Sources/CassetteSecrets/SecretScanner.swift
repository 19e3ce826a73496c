internal import CassetteSystem

/// Finds and reports secrets without replacing them.
package struct SecretScanner: Sendable {
  /// A possible secret.
  package struct Finding: Sendable {
    /// The name of the secret, or the kind of token.
    package var what: String
    /// The notation of the name and the value.
    package var notation = SecretFinder.Notation.member
    /// True if the shape of the value identifies the secret, not its name.
    package var isToken: Bool
    /// The place of the value in the original bytes, or of the encoded text that contains it.
    package var range: Range<Int>
    /// The decoded value.
    package var value: [UInt8]
    /// True if the value itself also looks like a secret: generated values, and passwords with digits.
    package var isLikely = true
    /// True if the search took too many steps, so that there may be secrets that it did not find.
    package var isGivenUp = false
  }

  package let redaction: CassetteRedaction
  private let finder: SecretFinder
  /// Finds only tokens.
  private let shapes: SecretFinder

  /// Creates a scanner that ignores the values that a redaction keeps.
  package init(_ redaction: CassetteRedaction = .standard) {
    self.redaction = redaction
    finder = SecretFinder(redaction)
    shapes = SecretFinder(redaction, readsNames: false)
  }

  /// Returns a scanner that also ignores the given values.
  package func keeping(_ values: Set<[UInt8]>) -> SecretScanner {
    values.isEmpty ? self : SecretScanner(redaction.keeping(values: values))
  }

  /// Returns the tokens in some content, except at places that are kept: their kinds, and the ranges that contain them.
  package func tokens(
    in bytes: [UInt8], _ context: ScannedText.Context = .text
  ) -> [(kind: String, range: Range<Int>)] {
    let text = ScannedText(bytes, context, shapes)
    return text.allTokens.filter { token in !text.kept.contains { $0.contains(token.range.lowerBound) } }
      .map { ($0.kind, $0.range) }
  }

  /// True if the bytes contain a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !tokens(in: bytes).isEmpty }

  /// Finds all possible secrets by name or shape, each value once per place.
  package func findings(in bytes: [UInt8], _ context: ScannedText.Context) -> [Finding] {
    let reading = ScannedText(bytes, context, finder)
    var findings: [Finding] = []
    var seen: [Range<Int>: Int] = [:]
    reading.each { found, range, name in
      // A cookie with a short or plain value is redacted, but not reported. A later finding at the same place may show
      // that the value is likely.
      if let first = seen[range], Self.isLikely(found) { findings[first].isLikely = true }
      guard seen[range] == nil, !SecretAlias.isMost(of: found.value),
        found.isNamed || !SecretTable.isTrivial(found.value, isNamed: false), !redaction.keeps(value: found.value)
      else { return }
      seen[range] = findings.count
      findings.append(
        Finding(
          what: name, notation: found.notation, isToken: false, range: range, value: found.value,
          isLikely: Self.isLikely(found)))
    }
    if reading.isGivenUp {
      let what = "looking for secrets in it took too many steps"
      findings.append(Finding(what: what, isToken: true, range: 0..<0, value: [], isGivenUp: true))
    }
    var places: [[UInt8]: Set<Range<Int>>] = [:]
    for (kind, value, range) in reading.allTokens where places[value, default: []].insert(range).inserted {
      findings.append(Finding(what: kind, isToken: true, range: range, value: value))
    }
    return findings
  }

  /// True if the value itself looks like a secret: the value of a tag or pair, a token, or at least eight characters
  /// with a digit and a letter, and without blanks or brackets.
  private static func isLikely(_ found: SecretFinder.Found) -> Bool {
    if case .pair = found.notation { return true }
    let settings = found.value.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }.map(Array.init)
    return ([found.value] + found.parts + (settings.count > 2 ? settings : [])).contains { value in
      SecretShapes.isToken(value)
        || value.count >= 8 && value.contains(where: \.isDigit) && value.contains(where: ByteSet.letter.contains)
          && !value.contains(where: ofPrograms.contains)
    }
  }

  private static let ofPrograms = ByteSet(0...0x20, adding: "(){}[]<>`\"\\,;")
}
