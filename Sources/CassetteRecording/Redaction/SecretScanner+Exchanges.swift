internal import CassetteHTTP
internal import CassetteJSON
package import CassetteSecrets
package import Cassettes

extension SecretScanner {
  /// A value that looks like a token, and its place.
  package struct Finding: Hashable, Sendable {
    /// The interaction's id, or its method and URL if it has no id.
    package var interaction: String
    /// The part of the exchange: `response body, $.auth.key`.
    package var part: String
    /// The kind of token: `GitHub token`.
    package var kind: String
    /// The rule that redacts the value: `.redacting(.json("$.auth.key"))`.
    package var rule: String
  }

  /// Returns all values in an exchange that look like tokens.
  ///
  /// - Parameter interaction: The redacted exchange.
  /// - Returns: The findings, in the order of the parts.
  /// - Throws: ``CassetteError`` if a body's file cannot be read.
  package func findings(in interaction: Interaction) throws(CassetteError) -> [Finding] {
    var findings: [Finding] = []
    let name = name(of: interaction)
    try interaction.eachText { findings += self.findings(in: $0, of: name, interaction.url) }
    for text in (interaction.rules?.match).map(RuleTexts.all) ?? [] {
      findings += self.findings(in: text, of: name, String(decoding: text.bytes, as: UTF8.self)).map {
        Finding(interaction: name, part: text.part, kind: $0.kind, rule: $0.rule)
      }
    }
    return findings
  }

  private func findings(in text: ExchangeText, of name: String, _ url: String) -> [Finding] {
    if let field = text.field, redaction.keeps(header: field) { return [] }
    switch text.context {
    case .body, .form, .multipart:
      return places(in: text.bytes, isForm: text.context == .form).flatMap { place in
        let part = text.part + (place.name.map { ", \($0)" } ?? "")
        return place.kinds.map { Finding(interaction: name, part: part, kind: $0, rule: place.rule) }
      }
    default:
      let kinds = kinds(in: text.bytes)
      guard !kinds.isEmpty else { return [] }
      let rule =
        text.field.map { ".redacting(.header(\"\($0)\"))" } ?? (text.context == .url ? urlRule(url) : Self.valueRule)
      return kinds.map { Finding(interaction: name, part: text.part, kind: $0, rule: rule) }
    }
  }

  /// Throws an error if a cassette contains a value that looks like a token.
  ///
  /// - Parameter cassette: The cassette to be written.
  /// - Throws: ``CassetteError`` with the first finding, its place, and the rule that redacts it.
  package func check(_ cassette: Cassette) throws(CassetteError) {
    let file = cassette.file ?? "\(cassette.name).json"
    if let origin = cassette.origin, let kind = kinds(in: Array(origin.utf8)).first {
      throw CassetteError(file: file, message: "not saved: the origin contains a possible \(kind)")
    }
    var findings: [Finding] = []
    for interaction in cassette.interactions { findings += try self.findings(in: interaction) }
    guard let first = findings.first else { return }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    throw CassetteError(
      file: file,
      message: "not saved: \(first.interaction), \(first.part): a possible \(first.kind) was not removed\(more)",
      suggestion: "remove it with \(first.rule), or keep it with .keeping(.value(\"…\"))")
  }

  /// Returns a name for an exchange that contains no token.
  private func name(of interaction: Interaction) -> String {
    let path = "\(interaction.method.rawValue) \(interaction.url.prefix { $0 != "?" })"
    let name = interaction.id.isEmpty ? path : interaction.id
    return kinds(in: Array(name.utf8)).isEmpty ? name : "\(interaction.method.rawValue) …"
  }

  private static let valueRule = ".redacting(.value(\"…\"))"

  private func urlRule(_ url: String) -> String {
    guard let question = url.firstIndex(of: "?") else { return Self.valueRule }
    let query = url[url.index(after: question)...].utf8
    let item = QueryItem.parse(query).first { !kinds(in: Array(($0.value ?? "").utf8)).isEmpty }
    return item.map { ".redacting(.query(\"\($0.name)\"))" } ?? Self.valueRule
  }

  private struct Place {
    var name: String?
    var kinds: [String]
    var rule: String
  }

  private func places(in bytes: [UInt8], isForm: Bool) -> [Place] {
    let all = kinds(in: bytes)
    guard !all.isEmpty else { return [] }
    var places: [Place] = []
    if isForm {
      for item in QueryItem.parse(bytes) {
        let kinds = kinds(in: Array((item.value ?? "").utf8))
        if !kinds.isEmpty {
          places.append(Place(name: item.name, kinds: kinds, rule: ".redacting(.form(\"\(item.name)\"))"))
        }
      }
    } else {
      let paths = CassetteRedaction.paths(in: redaction.kept)
      let tree = paths.isEmpty ? nil : JSONTree(bytes)
      let kept = tree.map { JSONCoverage(paths, of: $0, undecidedIsAll: false) }
      var isKept = false
      JSONScalars.each(in: bytes) { path, range in
        let kinds = kinds(in: Array(bytes[range]))
        guard !kinds.isEmpty else { return }
        if kept?.query(covering: range.lowerBound) != nil {
          isKept = true
          return
        }
        let path = JSONPath(path).description
        places.append(
          Place(
            name: path, kinds: kinds,
            rule: ".redacting(.json(\(String(decoding: JSONString.encode(path), as: UTF8.self))))"
          ))
      }
      if isKept { return places }
    }
    return places.isEmpty ? [Place(name: nil, kinds: all, rule: Self.valueRule)] : places
  }
}
