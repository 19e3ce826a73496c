internal import CassetteHTTP
package import CassetteSecrets
package import Cassettes

/// A string or body of an exchange, with a description of its place.
package struct ExchangeText {
  /// The kind of content, which determines how secrets are found.
  package var context: ScannedText.Context
  /// The bytes of the content, or of a part if the body is in a long file.
  package var bytes: [UInt8]
  /// The kind of place: `request`, `URL`, `response body`.
  var side: String
  /// The name of the field, or nil.
  package var field: String?
  /// True if the content is included unescaped in the cassette's file, as nested JSON.
  package var isVerbatim = false
  /// The lengths of the pieces in which a body arrived; empty for other content.
  var pieces: [Int] = []
  /// The name of the place for messages: `request field X-Team`, `response body`.
  var part: String { field.map { "\(side) field \($0)" } ?? side }
}

extension Interaction {
  /// Calls a closure with all content of the exchange and its rules, and with whole bodies in long files.
  package func eachTextWithRules(_ use: (ExchangeText) -> Void) throws(CassetteError) {
    try eachText(inParts: false, use)
    for text in RuleTexts.all(of: match) { use(text) }
  }

  /// Calls a closure with all content of the exchange, without its rules.
  ///
  /// - `inParts`: True if bodies in long files are read in parts, so that they are never in memory as a whole.
  func eachText(inParts: Bool = true, _ use: (ExchangeText) -> Void) throws(CassetteError) {
    func name(_ text: String, _ side: String) {
      use(ExchangeText(context: .text, bytes: Array(text.utf8), side: side))
    }
    name(id, "id")
    if let note { name(note, "note") }
    _ = try mapped { (file, _, side) throws(CassetteError) in
      guard inParts else { return true }
      try file.eachPart(overlap: 16 << 10) { part in
        use(ExchangeText(context: .text, bytes: part, side: side))
        return true
      }
      return false
    } _: { text, headers in
      var text = text
      if let field = text.field { name(field, "the name of a \(text.side) field") }
      // A body with a content coding is searched in decoded form.
      if let decoded = try? headers.flatMap(ContentDecoder.init)?.decode(text.bytes, limit: ContentDecoder.longest) {
        text.bytes = decoded
      }
      use(text)
      return nil
    }
  }

  /// Visits all content of the exchange, and returns the exchange with changed content.
  ///
  /// - `reads`: Returns true if a body in a long file is read and passed to `change` as a whole.
  /// - `change`: Returns the new content in the pieces of the text, or nil if it is unchanged. A body has header fields.
  func mapped(
    _ reads: (_ file: BodyFile, _ body: Body, _ side: String) throws(CassetteError) -> Bool,
    _ change: (_ text: ExchangeText, _ headers: HTTPHeaders?) -> [[UInt8]]?
  ) throws(CassetteError) -> Interaction {
    func string(_ text: String, _ context: ScannedText.Context, _ side: String, _ field: String? = nil) -> String? {
      change(ExchangeText(context: context, bytes: Array(text.utf8), side: side, field: field), nil)
        .map { String(decoding: $0.joined(), as: UTF8.self) }
    }
    func fields(_ headers: HTTPHeaders, _ side: String) -> HTTPHeaders? {
      var changed: [HTTPHeaders.Field]?
      for (index, field) in headers.enumerated() {
        guard let value = string(field.value, .header(field.name.lowercased()), side, field.name) else { continue }
        if changed == nil { changed = Array(headers) }
        changed?[index].value = value
      }
      return changed.map { HTTPHeaders(fields: $0) }
    }
    func content(_ body: Body?, _ headers: HTTPHeaders, _ side: String) throws(CassetteError) -> Body? {
      guard let body else { return nil }
      if let file = try body.openLongFile(), try !reads(file, body, side) { return nil }
      var text = ExchangeText(context: ScannedText.Context(headers.mediaType), bytes: try body.bytes(), side: side)
      if case .json = body.form { text.isVerbatim = text.context == .body }
      guard case .chunks(let chunks, let end) = body.form else {
        return change(text, headers).map { .storing(Array($0.joined())) }
      }
      text.pieces = chunks.map(\.bytes.count)
      return change(text, headers).map { pieces in
        .chunks(zip(chunks, pieces).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
      }
    }
    var result = self
    if let url = string(url, .url, "URL") {
      // The shape of a token may include the leading slash of the path, which must be kept.
      result.url = self.url.hasPrefix("/") && !url.hasPrefix("/") ? "/" + url : url
    }
    if let headers = fields(requestHeaders, "request") { result.requestHeaders = headers }
    if let body = try content(requestBody, requestHeaders, "request body") { result.requestBody = body }
    switch outcome {
    case .response(var response):
      var hasChanged = false
      func set<T>(_ part: WritableKeyPath<RecordedResponse, T>, _ value: T?) {
        guard let value else { return }
        response[keyPath: part] = value
        hasChanged = true
      }
      if let reason = response.reason.flatMap({ string($0, .text, "reason") }) { set(\.reason, reason) }
      set(\.headers, fields(response.headers, "response"))
      for index in response.interim.indices {
        set(\.interim[index].headers, fields(response.interim[index].headers, "interim response"))
      }
      set(\.trailers, fields(response.trailers, "trailer"))
      if let body = try content(response.body, response.headers, "response body") { set(\.body, body) }
      if hasChanged { result.outcome = .response(response) }
    case .failure(var failure):
      if let name = string(failure.name, .text, "failure") {
        failure.name = name
        result.outcome = .failure(failure)
      }
    }
    return result
  }
}
