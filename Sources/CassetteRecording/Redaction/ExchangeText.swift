internal import CassetteHTTP
package import CassetteSecrets
package import Cassettes

/// A string or body of an exchange, with a description of its place.
package struct ExchangeText {
  /// The kind of content, which determines how secrets are found.
  package var context: ScannedText.Context
  /// The bytes of the content, or of a part if the body is in a long file.
  package var bytes: [UInt8]
  /// The name of the part for messages: `request field X-Team`, `response body`.
  package var part: String
  /// The name of the field, or nil.
  package var field: String?
  /// True if the content is included unescaped in the cassette's file, as nested JSON.
  package var isVerbatim = false
}

extension Interaction {
  /// Calls a closure with all content of the exchange and its rules, and with whole bodies in long files.
  ///
  /// - Parameter use: The closure.
  /// - Throws: ``CassetteError`` if a body's file cannot be read.
  package func eachTextWithRules(_ use: (ExchangeText) -> Void) throws(CassetteError) {
    try eachText(inParts: false, use)
    for text in RuleTexts.all(of: match) { use(text) }
  }

  /// Calls a closure with all content of the exchange, without its rules.
  ///
  /// - Parameters:
  ///   - inParts: True if bodies in long files are read in parts, so that they are never in memory as a whole.
  ///   - use: The closure.
  /// - Throws: ``CassetteError`` if a body's file cannot be read.
  package func eachText(inParts: Bool = true, _ use: (ExchangeText) -> Void) throws(CassetteError) {
    func text(_ text: String, _ context: ScannedText.Context, _ part: String) {
      use(ExchangeText(context: context, bytes: Array(text.utf8), part: part))
    }
    func fields(_ headers: HTTPHeaders, _ side: String) {
      for field in headers {
        use(
          ExchangeText(
            context: .header(field.name.lowercased()), bytes: Array(field.value.utf8),
            part: "\(side) field \(field.name)", field: field.name))
        text(field.name, .text, "the name of a \(side) field")
      }
    }
    func body(_ body: Body?, _ headers: HTTPHeaders, _ side: String) throws(CassetteError) {
      guard let body else { return }
      let context = ScannedText.Context(headers)
      guard inParts, let file = try body.openLongFile() else {
        let bytes = try body.bytes()
        // A body with a content coding is searched in decoded form.
        let decoded = try? ContentDecoder(headers)?.decode(bytes, limit: ContentDecoder.longest)
        var text = ExchangeText(context: context, bytes: decoded ?? bytes, part: "\(side) body")
        if case .json = body.form { text.isVerbatim = context == .body }
        return use(text)
      }
      try file.eachPart(overlap: 16 << 10) { part in
        use(ExchangeText(context: .text, bytes: part, part: "\(side) body"))
        return true
      }
    }
    text(id, .text, "id")
    if let note { text(note, .text, "note") }
    text(url, .url, "URL")
    fields(requestHeaders, "request")
    try body(requestBody, requestHeaders, "request")
    switch outcome {
    case .response(let response):
      if let reason = response.reason { text(reason, .text, "reason") }
      fields(response.headers, "response")
      for interim in response.interim { fields(interim.headers, "interim response") }
      fields(response.trailers, "trailer")
      try body(response.body, response.headers, "response")
    case .failure(let failure): text(failure.name, .text, "failure")
    }
  }
}

extension ScannedText.Context {
  /// Chooses the context of a body from its header fields.
  init(_ headers: HTTPHeaders) {
    let type = headers.mediaType
    self =
      switch (type?.type, type?.subtype) {
      case ("application", "x-www-form-urlencoded"): .form
      case ("multipart", _): .multipart(boundary: type?.parameter("boundary") ?? "")
      default: .body
      }
  }
}
