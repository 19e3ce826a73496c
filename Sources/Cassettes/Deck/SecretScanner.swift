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
    value.searching { text in SecretShape.all.contains { $0.match(text, 0) == value.count } }
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
      if let file = try body?.openLongFile() {
        var found: [String] = []
        try file.eachPart(overlap: 16 << 10) { part in
          found += kinds(in: part)
          return found.isEmpty
        }
        findings += found.map { Finding(interaction: name, part: "\(side) body", kind: $0, rule: Self.valueRule) }
        return
      }
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
    guard let rules = interaction.rules?.match else { return findings }
    for request in RuleTexts.requests(of: rules) {
      findings += try self.findings(in: request).map {
        Finding(interaction: name, part: "match", kind: $0.kind, rule: $0.rule)
      }
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
    func look(_ bytes: [UInt8]) { eachToken(in: bytes) { _, value in tokens.insert(value) } }
    look(Array(interaction.url.utf8))
    for field in Array(interaction.requestHeaders) + Array(interaction.response?.headers ?? []) {
      look(Array(field.value.utf8))
    }
    for fields in (interaction.response?.interim.map(\.headers) ?? []) + [interaction.response?.trailers ?? []] {
      for field in fields { look(Array(field.value.utf8)) }
    }
    if let reason = interaction.response?.reason { look(Array(reason.utf8)) }
    for body in [interaction.requestBody, interaction.responseBody] {
      if let file = try body?.openLongFile() {
        try file.eachPart(overlap: 16 << 10) { part in
          look(part)
          return true
        }
      } else if let bytes = try body?.bytes() {
        look(bytes)
      }
    }
    return tokens
  }

  /// The values in some bytes that look like tokens, as they are without their encoding.
  func tokens(in bytes: [UInt8]) -> Set<String> {
    var tokens: Set<String> = []
    eachToken(in: bytes) { _, value in tokens.insert(value) }
    return tokens
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
    eachToken(in: bytes) { shape, _ in if !kinds.contains(shape.kind) { kinds.append(shape.kind) } }
    return kinds
  }

  /// Whether bytes hold a token, in any encoding.
  func holdsToken(_ bytes: [UInt8]) -> Bool { !kinds(in: bytes).isEmpty }

  /// Calls back with each token that bytes hold, in any encoding.
  private func eachToken(in bytes: [UInt8], _ found: (SecretShape, String) -> Void) {
    RedactionView.each(of: bytes) { view in
      view.bytes.searching { text in
        let isOriginal = view.edits.isEmpty
        if isOriginal {
          SecretShape.eachCandidate(in: text, 0..<text.count) { look(at: text, $0, $1, found) }
        } else {
          // What is elsewhere was looked at as it was before.
          eachPart(of: text, view.edits) { look(at: text, $0, found) }
        }
        RedactionBase64.eachRun(in: text, of: view) { run in
          guard run.count >= 20 else { return }
          if isOriginal { SecretShape.eachCandidate(in: text, run: run) { look(at: text, $0, $1, found) } }
          RedactionBase64.eachText(in: text, run) { decoded in
            decoded.searching { look(at: $0, 0..<$0.count, found) }
          }
        }
      }
    }
  }

  /// Where tokens may stand that have an edit in them, or before them what names them.
  private func eachPart(
    of text: ByteSearch, _ edits: [RedactionView.Edit], _ use: (Range<Int>) -> Void
  ) {
    var part: Range<Int>?
    // The bytes that tokens are made of end here.
    var done = 0
    for edit in edits where Int(edit.start) + Int(edit.count) >= done {
      let first = max(done, Int(edit.start))
      let last = min(text.count, Int(edit.start) + Int(edit.count))
      var start = first
      while start > done, SecretShape.partBytes.contains(text[start - 1]) { start -= 1 }
      var end = max(first, last)
      while end < text.count, SecretShape.partBytes.contains(text[end]) { end += 1 }
      done = end
      start = max(0, start - 96)
      end = min(text.count, end + 96)
      if let before = part, before.upperBound >= start {
        part = before.lowerBound..<end
      } else {
        if let part { use(part) }
        part = start..<end
      }
    }
    if let part { use(part) }
  }

  /// Looks for tokens that begin in a part of a text.
  private func look(at text: ByteSearch, _ part: Range<Int>, _ found: (SecretShape, String) -> Void) {
    SecretShape.eachCandidate(in: text, part) { look(at: text, $0, $1, found) }
    RedactionBase64.eachRun(in: text, part) { run in
      SecretShape.eachCandidate(in: text, run: run) { look(at: text, $0, $1, found) }
    }
  }

  private func look(at text: ByteSearch, _ shape: Int, _ at: Int, _ found: (SecretShape, String) -> Void) {
    let shape = SecretShape.all[shape]
    guard at == 0 || !ByteSet.word.contains(text[at - 1]), let length = shape.match(text, at) else { return }
    let value = String(decoding: (at..<at + length).map { text[$0] }, as: UTF8.self)
    if !redaction.kept.contains(.value(value)) { found(shape, value) }
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
