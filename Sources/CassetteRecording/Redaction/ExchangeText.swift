internal import CassetteHTTP
package import CassetteSecrets
package import Cassettes

/// A text that is part of an exchange, with its place there.
package struct ExchangeText {
  /// The way in which the text is read.
  package var context: ScannedText.Context
  /// The bytes of the text; a part of them, where it is in a long file.
  package var bytes: [UInt8]
  /// The name of the part for messages: `request field X-Team`, `response body`.
  package var part: String
  /// The name of the field, where it is one.
  package var field: String?
  /// True if a cassette's file has the text as it is: JSON within its JSON.
  package var isVerbatim = false
}

extension Interaction {
  /// Calls back with every text of the exchange and of its rules, bodies in long files as a whole.
  ///
  /// - Parameter use: Takes each text.
  /// - Throws: When a body is in a file that cannot be read.
  package func eachTextWithRules(_ use: (ExchangeText) -> Void) throws(CassetteError) {
    try eachText(inParts: false, use)
    for text in RuleTexts.all(of: match) { use(text) }
  }

  /// Calls back with every text of the exchange; its rules are not looked at.
  ///
  /// - Parameters:
  ///   - inParts: Whether bodies in long files come in parts, so that they are never in memory as a whole.
  ///   - use: Takes each text.
  /// - Throws: When a body is in a file that cannot be read.
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
        // What stays coded is looked at as what it says.
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
  /// Chooses the way to read a body that comes with some fields.
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
