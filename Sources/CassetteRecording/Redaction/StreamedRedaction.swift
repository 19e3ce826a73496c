package import CassetteSecrets
package import Cassettes

/// Redacts exchanges that are never in memory together: first all are scanned, then each is redacted.
package struct StreamedRedaction: Sendable {
  private var pass: RedactionPass

  /// Creates a redaction with the secrets of a journal.
  init(_ pass: RedactionPass) { self.pass = pass }

  /// Creates a redaction without known secrets.
  package init(_ redaction: CassetteRedaction, keepsReadings: Bool = false) {
    pass = RedactionPass(redaction, keepsReadings: keepsReadings)
  }

  /// Creates a redaction with the secrets of existing cassettes, to redact messages about these cassettes.
  ///
  /// - Parameter paths: The paths of the cassettes.
  /// - Throws: ``CassetteError`` if a cassette cannot be read, because its secrets would not be redacted.
  package init(knowing paths: [String]) throws(CassetteError) {
    self.init(.standard)
    for path in paths {
      for interaction in try CassetteFile.read(path: path).interactions { try collect(interaction) }
    }
  }

  /// The values that look like tokens and have no secret's name, in the order they were found.
  package var tokens: [(kind: String, value: [UInt8])] { pass.tokens }

  /// Collects the secrets of an exchange, so that all their occurrences are found.
  package mutating func collect(_ interaction: Interaction) throws(CassetteError) { try pass.collect(interaction) }

  /// Returns the exchange with secrets replaced by aliases; all exchanges must have been collected before.
  package mutating func redacting(_ interaction: Interaction) throws(CassetteError) -> Interaction {
    try pass.redacting(interaction)
  }

  /// Collects the secrets of content outside of exchanges.
  package mutating func collect(_ text: ExchangeText) {
    pass.collecting { _ = $0.replacing(in: text.bytes, text.context) }
  }

  /// Returns a string outside of exchanges with secrets replaced by aliases.
  package mutating func redacting(_ text: String, as context: ScannedText.Context) -> String {
    pass.redacting(text, as: context)
  }

  /// Masks a string for display; all secrets get the same mask.
  package mutating func masking(_ text: String) -> String { pass.masking(text) }
}
