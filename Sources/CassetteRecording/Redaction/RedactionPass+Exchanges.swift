internal import CassetteHTTP
package import CassetteSecrets
package import Cassettes

extension CassetteRedaction {
  /// Redacts exchanges that belong together, such as those of a cassette or a session, and their rules.
  package func redacting(_ interactions: [Interaction]) throws(CassetteError) -> [Interaction] {
    guard isOn else { return interactions }
    var pass = RedactionPass(self, keepsReadings: true)
    for interaction in interactions {
      try pass.collect(interaction)
      for text in RuleTexts.all(of: interaction.match) { pass.collect(text) }
    }
    var redacted: [Interaction] = []
    for interaction in interactions {
      var exchange = try pass.redacting(interaction)
      exchange.match = RuleTexts.redacting(interaction.match, &pass)
      redacted.append(exchange)
    }
    return redacted
  }
}

/// Redacts the fields, URL and bodies of an exchange.
extension RedactionPass {
  /// Creates a redaction with the secrets of existing cassettes, to redact messages about these cassettes.
  ///
  /// A copy of a cassette may be without its body files, which the messages do not show.
  package init(knowing paths: [String]) throws(CassetteError) {
    self.init(.standard)
    for path in paths {
      if let cassette = try? CassetteFile.read(path: path) {
        for interaction in cassette.interactions { try collect(interaction) }
      } else {
        let bytes = try CassetteFile.bytes(of: path)
        for var interaction in try CassetteFile.read(bytes: bytes, name: path, file: nil).interactions {
          if case .file = interaction.requestBody?.form { interaction.requestBody = nil }
          if var response = interaction.response, case .file = response.body?.form {
            response.body = nil
            interaction.outcome = .response(response)
          }
          try collect(interaction)
        }
      }
    }
  }

  /// Collects the secrets of content outside of exchanges.
  package mutating func collect(_ text: ExchangeText) { if isOn { collect(text.bytes, text.context) } }

  /// Collects the secrets of an exchange, so that all their occurrences are found.
  package mutating func collect(_ interaction: Interaction) throws(CassetteError) { collect(try scan(interaction)) }

  /// Scans an exchange; the result does not depend on the secrets of this pass.
  package mutating func scan(_ interaction: Interaction) throws(CassetteError) -> Readings {
    var readings = Readings()
    guard isOn else { return readings }
    _ = try interaction.mapped { (file, body, _) throws(CassetteError) in
      if try readsWhole(file, body) { return true }
      try file.eachPart(overlap: 16 << 10) { part in
        readings.addNumbers(in: part)
        return true
      }
      return false
    } _: { text, _ in
      scan(text.bytes, text.context, into: &readings)
      return nil
    }
    return readings
  }

  /// Returns the exchange with secrets replaced by aliases; `onlyKnown` limits this to known secrets, for exchanges
  /// that a person may have written or that were redacted before.
  package mutating func redacting(
    _ interaction: Interaction, onlyKnown: Bool = false
  ) throws(CassetteError) -> Interaction {
    guard isOn, !onlyKnown || table.hasPatterns else { return interaction }
    beginReplacing()
    return try interaction.mapped { (file, body, _) throws(CassetteError) in
      if !onlyKnown, try readsWhole(file, body) { return true }
      var isFound = false
      try file.eachPart(overlap: 16 << 10) { part in
        isFound = holdsKnown(part)
        return !isFound
      }
      return isFound
    } _: { text, headers in
      let check = RedactionCheck(text: text, headers: headers)
      return replacing(in: text.bytes, text.context, part: text.part, pieces: text.pieces, onlyKnown: onlyKnown) {
        onlyKnown || check.accepts($0)
      }
    }
  }

  /// Messages about the parts of the last exchange that are not usable without their secrets.
  package var warnings: [String] {
    let remedy = "; to keep a value: --keep PLACE, in a test .keeping(PLACE)"
    var warnings = unusable.map { part in
      part == "response body"
        ? "without its secrets, the response body can no longer be parsed\(remedy)"
        : "without the secrets in its \(part), the recording no longer answers its own request\(remedy)"
    }
    if !keptGuesses.isEmpty {
      warnings.append(
        "a value that looks like a token is kept, because the exchange is not usable without it; to remove it: "
          + "--redact value:TEXT, in a test .redacting(.value(TEXT))")
    }
    return warnings
  }

  /// The maximum length of a body in which JSON paths are followed, because it is in memory several times.
  static let longestWithPaths = ContentDecoder.longest
  static let tooLongForPaths =
    "its body is longer than \(longestWithPaths >> 20) MB, the limit for json: places; omit these places, or exclude "
    + "this exchange"

  /// True if a long body must be read as a whole to follow JSON paths.
  private func readsWhole(_ file: BodyFile, _ body: Body) throws(CassetteError) -> Bool {
    guard followsPaths else { return false }
    guard file.size <= Self.longestWithPaths else {
      var path = "a body"
      if case .file(let place) = body.form { path = place }
      throw CassetteError(file: path, message: Self.tooLongForPaths)
    }
    return true
  }
}
