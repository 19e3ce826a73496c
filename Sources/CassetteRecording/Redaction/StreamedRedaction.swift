package import CassetteSecrets
package import Cassettes

/// A redaction of exchanges that are never in memory together: all are looked through, then each is redacted.
package struct StreamedRedaction: Sendable {
  private var pass: RedactionPass

  /// Begins with the secrets of a journal.
  init(_ pass: RedactionPass) { self.pass = pass }

  /// Begins with no secret known.
  package init(_ redaction: CassetteRedaction, keepsReadings: Bool = false) {
    pass = RedactionPass(redaction, keepsReadings: keepsReadings)
  }

  /// Creates a redaction that knows the secrets of cassettes, so that nothing that is said of them shows one.
  ///
  /// - Parameter paths: The paths of the cassettes.
  /// - Throws: ``CassetteError`` if a cassette cannot be read, because its secrets would not be redacted.
  package init(knowing paths: [String]) throws(CassetteError) {
    self.init(.standard)
    for path in paths {
      for interaction in try CassetteFile.read(path: path).interactions { try collect(interaction) }
    }
  }

  /// The texts that look like tokens and are under no secret's name, in the order they were met.
  package var tokens: [(kind: String, value: [UInt8])] { pass.tokens }

  /// Looks for secrets, so that they are found everywhere.
  package mutating func collect(_ interaction: Interaction) throws(CassetteError) { try pass.collect(interaction) }

  /// Returns the exchange with aliases in the place of secrets; all others were looked through before.
  package mutating func redacting(_ interaction: Interaction) throws(CassetteError) -> Interaction {
    try pass.redacting(interaction)
  }

  /// Looks for secrets in a text that is part of no exchange.
  package mutating func collect(_ text: ExchangeText) {
    pass.collecting { _ = $0.replacing(in: text.bytes, text.context) }
  }

  /// Returns a text that is part of no exchange with aliases in the place of secrets.
  package mutating func redacting(_ text: String, as context: ScannedText.Context) -> String {
    pass.redacting(text, as: context)
  }

  /// Masks a text for those who read on a screen: all secrets look the same.
  package mutating func masking(_ text: String) -> String { pass.masking(text) }
}
