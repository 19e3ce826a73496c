internal import HTTP
import JSONText

/// The tripwire: finds what looks like a known token, in whatever encoding, before it is kept.
package struct SecretScanner: Sendable {
  /// What looks like a token, and where.
  package struct Finding: Hashable, Sendable {
    /// The interaction's id, or its method and URL when it has none.
    package var interaction: String
    /// The part of it: `response body, $.auth.key`.
    package var part: String
    /// What it looks like: `GitHub token`.
    package var kind: String
    /// The rule that takes it out: `.redacting(.json("$.auth.key"))`.
    package var rule: String
  }

  private let redaction: Redaction

  /// A scanner that lets pass what a redaction keeps.
  package init(_ redaction: Redaction = .standard) {
    self.redaction = redaction
  }

  /// Whether bytes as a whole are of a known token's shape.
  static func isToken(_ value: [UInt8]) -> Bool {
    SecretShape.all.contains { $0.match(value.span, 0) == value.count }
  }

  /// Everything in an exchange that looks like a token.
  ///
  /// - Parameter interaction: The exchange, redacted.
  /// - Returns: What was found, in the order of its parts.
  /// - Throws: When a body is in a file that cannot be read.
  package func findings(in interaction: Interaction) throws(CassetteError) -> [Finding] {
    var findings: [Finding] = []
    let name = name(of: interaction)
    func look(_ text: String, _ part: String, _ rule: @autoclosure () -> String) {
      for kind in kinds(in: Array(text.utf8)) {
        findings.append(Finding(interaction: name, part: part, kind: kind, rule: rule()))
      }
    }
    func look(_ headers: HTTPHeaders, _ side: String) {
      for field in headers where !redaction.keeps(header: field.name) {
        look(field.value, "\(side) field \(field.name)", ".redacting(.header(\"\(field.name)\"))")
        look(field.name, "the name of a \(side) field", Self.valueRule)
      }
    }
    func look(_ body: Body?, _ headers: HTTPHeaders, _ side: String) throws(CassetteError) {
      guard let bytes = try body?.bytes() else { return }
      let isForm = headers["Content-Type"]?.lowercased().contains("x-www-form-urlencoded") ?? false
      for place in places(in: bytes, isForm: isForm) {
        for kind in place.kinds {
          let part = "\(side) body" + (place.name.map { ", \($0)" } ?? "")
          findings.append(Finding(interaction: name, part: part, kind: kind, rule: place.rule))
        }
      }
    }
    look(interaction.id, "id", Self.valueRule)
    look(interaction.url, "URL", urlRule(interaction.url))
    look(interaction.requestHeaders, "request")
    try look(interaction.requestBody, interaction.requestHeaders, "request")
    switch interaction.outcome {
    case .response(let response):
      if let reason = response.reason { look(reason, "reason", Self.valueRule) }
      look(response.headers, "response")
      for interim in response.interim { look(interim.headers, "interim response") }
      look(response.trailers, "trailer")
      try look(response.body, response.headers, "response")
    case .failure(let failure):
      look(failure.name, "failure", Self.valueRule)
    }
    return findings
  }

  /// The values in an exchange that look like tokens, as they are without their encoding.
  ///
  /// - Parameter interaction: The exchange, redacted.
  /// - Returns: Each value once.
  /// - Throws: When a body is in a file that cannot be read.
  package func tokens(in interaction: Interaction) throws(CassetteError) -> Set<String> {
    guard try !findings(in: interaction).isEmpty else { return [] }
    var tokens: Set<String> = []
    func look(_ bytes: [UInt8]) {
      if BodyText.isLongBinary(bytes.span) { return collect(from: bytes, &tokens) }
      for view in RedactionView.all(of: bytes) {
        collect(from: view.bytes, &tokens)
        RedactionBase64.eachRun(in: view.bytes) { run in
          for shift in 0..<4 {
            if let decoded = RedactionBase64.decode(view.bytes[run].dropFirst(shift)) {
              collect(from: decoded, &tokens)
            }
          }
        }
      }
    }
    look(Array(interaction.url.utf8))
    for field in Array(interaction.requestHeaders) + Array(interaction.response?.headers ?? []) {
      look(Array(field.value.utf8))
    }
    for fields in (interaction.response?.interim.map(\.headers) ?? []) + [interaction.response?.trailers ?? []] {
      for field in fields { look(Array(field.value.utf8)) }
    }
    if let reason = interaction.response?.reason { look(Array(reason.utf8)) }
    for body in [interaction.requestBody, interaction.responseBody] {
      if let bytes = try body?.bytes() { look(bytes) }
    }
    return tokens
  }

  private func collect(from bytes: [UInt8], _ tokens: inout Set<String>) {
    let span = bytes.span
    for at in 0..<span.count where at == 0 || !SecretShape.isWord(span[at - 1]) {
      for index in SecretShape.beginning(with: span[at]) {
        guard let length = SecretShape.all[index].match(span, at) else { continue }
        let value = String(decoding: bytes[at..<at + length], as: UTF8.self)
        if !redaction.kept.contains(.value(value)) { tokens.insert(value) }
      }
    }
  }

  /// Refuses a cassette with something in it that looks like a token.
  ///
  /// - Parameter cassette: The cassette as it is to be written.
  /// - Throws: What was found first, its place, and what to type.
  package func check(_ cassette: Cassette) throws(CassetteError) {
    let file = cassette.file ?? "\(cassette.name).json"
    if let origin = cassette.origin, let kind = kinds(in: Array(origin.utf8)).first {
      throw CassetteError(file: file, message: "not saved: the origin holds what looks like a \(kind)")
    }
    var findings: [Finding] = []
    for interaction in cassette.interactions { findings += try self.findings(in: interaction) }
    guard let first = findings.first else { return }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    throw CassetteError(
      file: file,
      message: "not saved: \(first.interaction), \(first.part): what looks like a \(first.kind) would be kept\(more)",
      suggestion: "take it out with \(first.rule), or let it pass with .keeping(.value(\"…\"))")
  }

  /// What to call an exchange, without what the URL may hold.
  private func name(of interaction: Interaction) -> String {
    let path = "\(interaction.method.rawValue) \(interaction.url.prefix { $0 != "?" })"
    let name = interaction.id.isEmpty ? path : interaction.id
    return kinds(in: Array(name.utf8)).isEmpty ? name : "\(interaction.method.rawValue) …"
  }

  /// The kinds of tokens that bytes hold, in any encoding.
  package func kinds(in bytes: [UInt8]) -> [String] {
    var kinds: [String] = []
    if BodyText.isLongBinary(bytes.span) {
      look(at: bytes, &kinds)
      return kinds
    }
    for view in RedactionView.all(of: bytes) {
      look(at: view.bytes, &kinds)
      RedactionBase64.eachRun(in: view.bytes) { run in
        guard run.count >= 20 else { return }
        for shift in 0..<4 {
          if let decoded = RedactionBase64.decode(view.bytes[run].dropFirst(shift)) { look(at: decoded, &kinds) }
        }
      }
    }
    return kinds
  }

  private func look(at bytes: [UInt8], _ kinds: inout [String]) {
    let span = bytes.span
    for at in 0..<span.count {
      guard at == 0 || !SecretShape.isWord(span[at - 1]) else { continue }
      for index in SecretShape.beginning(with: span[at]) {
        let shape = SecretShape.all[index]
        if kinds.contains(shape.kind) { continue }
        guard let length = shape.match(span, at) else { continue }
        let value = String(decoding: bytes[at..<at + length], as: UTF8.self)
        if !redaction.kept.contains(.value(value)) { kinds.append(shape.kind) }
      }
    }
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
      let kept = redaction.kept.compactMap { if case .json(let path) = $0 { RedactionPath(path) } else { nil } }
      var isKept = false
      RedactionJSON.eachScalar(in: bytes) { path, range in
        let kinds = kinds(in: Array(bytes[range]))
        guard !kinds.isEmpty else { return }
        if kept.contains(where: { $0.covers(path) }) {
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
