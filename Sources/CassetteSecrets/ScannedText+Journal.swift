internal import CassetteShapes

/// Texts as a journal has them: with aliases that get other numbers, and with what was in base64 as it says.
extension ScannedText {
  /// The aliases of a journal's own, and the texts that were in base64.
  func journaled(_ rules: RedactionRules) -> (aliases: [SecretAlias], inner: [Inner]) {
    var aliases: [SecretAlias] = []
    SecretAlias.each(in: bytes) { if $0.number > SecretAlias.firstOfJournal { aliases.append($0) } }
    var inner: [Inner] = []
    JournaledBase64.each(in: bytes) { range, manner, content in
      let reading = ScannedText(content, .text, rules, depth: 1)
      inner.append(Inner(ranges: [range], wrapping: manner.map { .base64($0) } ?? .none, reading: reading))
    }
    return (aliases, inner)
  }
}

extension ScannedText.Wrapping {
  /// Writes a text into a journal.
  func journaled(_ content: [UInt8]) -> [UInt8] {
    switch self {
    case .base64(let manner): JournaledBase64.text(content, manner)
    case .none: JournaledBase64.text(content, nil)
    // Told by the bytes, whatever is replaced in them.
    case .hexadecimal, .coded: wrap(content)
    }
  }
}
