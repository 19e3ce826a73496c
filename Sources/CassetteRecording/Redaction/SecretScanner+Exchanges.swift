internal import CassetteHTTP
internal import CassetteJSON
package import CassetteSecrets
package import Cassettes

extension SecretScanner {
  /// A value that looks like a token and is still in an exchange, and its place.
  package struct Leftover: Hashable, Sendable {
    /// The interaction's id, or its method and URL if it has no id.
    package var interaction: String
    /// The part of the exchange: `response body, $.auth.key`.
    package var part: String
    /// The kind of token: `GitHub token`.
    package var kind: String
    /// The rule that redacts the value: `.redacting(.json("$.auth.key"))`.
    var rule: String
  }

  /// Returns all values in a redacted exchange that look like tokens, in the order of the parts.
  package func findings(in interaction: Interaction) throws(CassetteError) -> [Leftover] {
    let path = "\(interaction.method.rawValue) \(interaction.url.prefix { $0 != "?" })"
    var name = interaction.id.isEmpty ? path : interaction.id
    if holdsToken(Array(name.utf8)) { name = "\(interaction.method.rawValue) …" }
    var findings: [Leftover] = []
    func look(_ text: ExchangeText) {
      if let field = text.field, redaction.keeps(header: field) { return }
      for token in tokens(in: text.bytes, text.context) {
        let (place, rule) = place(of: token.range, in: text)
        findings.append(Leftover(interaction: name, part: text.part + place, kind: token.kind, rule: rule))
      }
    }
    try interaction.eachText(look)
    for text in (interaction.rules?.match).map(RuleTexts.all) ?? [] { look(text) }
    return findings
  }

  /// Returns the place of a token in its part, for messages, and the rule that redacts it.
  private func place(of range: Range<Int>, in text: ExchangeText) -> (place: String, rule: String) {
    if let field = text.field { return ("", ".redacting(.header(\"\(field)\"))") }
    var place: (String, String)?
    switch text.context {
    case .url, .form:
      let isURL = text.context == .url
      let items = QueryItem.parse(isURL ? Array(text.bytes.drop { $0 != UInt8(ascii: "?") }.dropFirst()) : text.bytes)
      if let item = items.first(where: { holdsToken(Array(($0.value ?? "").utf8)) }) {
        place =
          isURL
          ? ("", ".redacting(.query(\"\(item.name)\"))") : (", \(item.name)", ".redacting(.form(\"\(item.name)\"))")
      }
    case .body, .multipart:
      JSONScalars.each(in: text.bytes) { path, scalar in
        guard scalar.contains(range.lowerBound) else { return }
        let path = JSONPath(path).description
        place = (", \(path)", ".redacting(.json(\(String(decoding: JSONString.encode(path), as: UTF8.self))))")
      }
    case .header, .text: break
    }
    return place ?? ("", ".redacting(.value(\"…\"))")
  }

  /// Throws an error if a cassette contains a value that looks like a token, with its place and the rule that redacts it.
  package func check(_ cassette: Cassette) throws(CassetteError) {
    let file = cassette.file ?? "\(cassette.name).json"
    if let origin = cassette.origin, let kind = tokens(in: Array(origin.utf8)).first?.kind {
      throw CassetteError(file: file, message: "not saved: the origin contains a possible \(kind)")
    }
    var findings: [Leftover] = []
    for interaction in cassette.interactions { findings += try self.findings(in: interaction) }
    guard let first = findings.first else { return }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    throw CassetteError(
      file: file,
      message: "not saved: \(first.interaction), \(first.part): a possible \(first.kind) was not removed\(more)",
      suggestion: "remove it with \(first.rule), or keep it with .keeping(.value(\"…\"))")
  }
}
