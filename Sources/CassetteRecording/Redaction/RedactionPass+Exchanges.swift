internal import CassetteHTTP
package import CassetteSecrets
package import Cassettes

extension CassetteRedaction {
  /// Redacts exchanges that belong together, such as those of a cassette or a session.
  ///
  /// - Parameter interactions: The original exchanges, in order.
  /// - Returns: The exchanges with aliases, also in their rules.
  /// - Throws: ``CassetteError`` if a body's file cannot be read.
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
  /// - Parameter paths: The paths of the cassettes.
  /// - Throws: ``CassetteError`` if a cassette cannot be read, because its secrets would not be redacted.
  package init(knowing paths: [String]) throws(CassetteError) {
    self.init(.standard)
    for path in paths {
      for interaction in try CassetteFile.read(path: path).interactions { try collect(interaction) }
    }
  }

  /// Collects the secrets of content outside of exchanges.
  package mutating func collect(_ text: ExchangeText) { collecting { _ = $0.replacing(in: text.bytes, text.context) } }

  /// Collects the secrets of an exchange, so that all their occurrences are found.
  package mutating func collect(_ interaction: Interaction) throws(CassetteError) {
    try collecting { pass throws(CassetteError) in _ = try pass.replacing(in: interaction) }
  }

  /// Returns the exchange with secrets replaced by aliases; `onlyKnown` limits this to known secrets, for exchanges
  /// that a person may have written or that were redacted before.
  package mutating func redacting(
    _ interaction: Interaction, onlyKnown: Bool = false
  ) throws(CassetteError) -> Interaction {
    guard beginReplacing(onlyKnown: onlyKnown) else { return interaction }
    defer { endReplacing() }
    return try replacing(in: interaction)
  }

  /// Returns a string outside of exchanges with secrets replaced by aliases.
  package mutating func redacting(_ text: String, as context: ScannedText.Context) -> String {
    guard beginReplacing(onlyKnown: false) else { return text }
    defer { endReplacing() }
    return replacing(in: text, context) ?? text
  }

  private mutating func replacing(in interaction: Interaction) throws(CassetteError) -> Interaction {
    var result = interaction
    if let url = replacing(in: interaction.url, .url) {
      // The shape of a token may include the leading slash of the path, which must be kept.
      result.url = interaction.url.hasPrefix("/") && !url.hasPrefix("/") ? "/" + url : url
    }
    if let headers = replacing(in: interaction.requestHeaders) { result.requestHeaders = headers }
    if let body = try replacing(in: interaction.requestBody, interaction.requestHeaders) { result.requestBody = body }
    switch interaction.outcome {
    case .response(var response):
      var hasChanged = false
      func change(_ headers: WritableKeyPath<RecordedResponse, HTTPHeaders>) {
        guard let fields = replacing(in: response[keyPath: headers]) else { return }
        response[keyPath: headers] = fields
        hasChanged = true
      }
      if let reason = response.reason.flatMap({ replacing(in: $0, .text) }) {
        response.reason = reason
        hasChanged = true
      }
      change(\.headers)
      for index in response.interim.indices { change(\.interim[index].headers) }
      change(\.trailers)
      if let body = try replacing(in: response.body, response.headers) {
        response.body = body
        hasChanged = true
      }
      if hasChanged { result.outcome = .response(response) }
    case .failure(var failure):
      if let name = replacing(in: failure.name, .text) {
        failure.name = name
        result.outcome = .failure(failure)
      }
    }
    return result
  }

  private mutating func replacing(in headers: HTTPHeaders) -> HTTPHeaders? {
    var changed: [HTTPHeaders.Field]?
    for (index, field) in headers.enumerated() {
      guard let value = replacing(in: field.value, .header(field.name.lowercased())) else { continue }
      if changed == nil { changed = Array(headers) }
      changed?[index].value = value
    }
    return changed.map { HTTPHeaders(fields: $0) }
  }

  private mutating func replacing(in body: Body?, _ headers: HTTPHeaders) throws(CassetteError) -> Body? {
    guard let body else { return nil }
    if let file = try body.openLongFile(), try !isToBeRead(file, body), try !holdsSecret(file) { return nil }
    let context = ScannedText.Context(headers)
    guard case .chunks(let chunks, let end) = body.form else {
      return replacing(in: try body.bytes(), context).map { .storing($0) }
    }
    guard let pieces = replacing(inPieces: chunks.map(\.bytes), context) else { return nil }
    return .chunks(zip(chunks, pieces).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
  }

  /// The maximum length of a body in which JSON paths are followed, because it is in memory several times.
  static let longestWithPaths = ContentDecoder.longest
  static let tooLongForPaths =
    "its body is longer than \(longestWithPaths >> 20) MB, the limit for json: places; omit these places, or exclude "
    + "this exchange"

  /// True if a long body must be read as a whole to follow JSON paths.
  private func isToBeRead(_ file: BodyFile, _ body: Body) throws(CassetteError) -> Bool {
    guard followsPaths else { return false }
    guard file.size <= Self.longestWithPaths else {
      var path = "a body"
      if case .file(let place) = body.form { path = place }
      throw CassetteError(file: path, message: Self.tooLongForPaths)
    }
    return true
  }

  /// True if a file contains a known secret; the file was redacted before the secret was known.
  private mutating func holdsSecret(_ file: BodyFile) throws(CassetteError) -> Bool {
    guard isCollecting || table.hasPatterns else { return false }
    var isFound = false
    try file.eachPart(overlap: 16 << 10) { part in
      isFound = holdsKnown(part)
      return !isFound
    }
    return isFound
  }
}
