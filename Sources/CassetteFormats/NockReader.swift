import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads recorded definitions of nock, with `rawHeaders` or with `headers`.
enum NockReader {
  /// Converts one definition.
  static func interaction(of definition: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let scope = definition["scope"]?.string else { throw Unusable("there is no \"scope\"") }
    guard let path = definition["path"]?.string else {
      throw Unusable(definition["path"] == nil ? "there is no \"path\"" : "\"path\" is a pattern")
    }
    // Older versions of nock write the status as text in `reply`, which takes precedence over `status`.
    let (reply, plain) = (definition["reply"]?.integer, definition["status"]?.integer)
    let status = reply ?? plain ?? 200
    // Some versions write the port separately from the scope.
    let port = definition["port"]?.scalar.map { scope.dropFirst(8).contains(":") ? "" : ":\($0)" } ?? ""
    var exchange = Exchange(
      method: (definition["method"]?.string ?? "GET").uppercased(),
      url: (RecordedTarget.origin(of: scope + port) ?? scope + port)
        + (path.hasPrefix("/") ? path : "/" + path), status: status)
    exchange.requestHeaders = VCRReader.fields(definition["reqheaders"])
    // In nock, `*` matches any body.
    if definition["body"]?.string == "*" {
      exchange.match.ignoresBody = true
    } else if let sent = definition["body"] {
      // Without this member, nock matches any body.
      exchange.requestBody = try body(sent, isHex: false)
    }
    notes.asked = exchange
    exchange.headers = fields(definition["rawHeaders"] ?? definition["headers"])
    exchange.body = try body(definition["response"], isHex: definition["responseIsBinary"]?.isTrue ?? false)
    exchange.coding = .unknown
    if let body = definition["response"], body.isArray { try encoded(body, &exchange) }
    return try exchange.interaction(&notes)
  }

  /// Reads header fields from a flat list of names and values, or from an object.
  private static func fields(_ headers: SourceValue?) -> [(String, String)] {
    guard let headers else { return [] }
    guard headers.isArray else { return VCRReader.fields(headers) }
    let texts = headers.elements.map { $0.scalar ?? "" }
    return stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
  }

  /// Returns a string unchanged, and JSON in compact form, as most servers send it.
  private static func body(_ body: SourceValue?, isHex: Bool) throws(Unusable) -> [UInt8] {
    guard let body else { return [] }
    guard body.isString else { return body.compact }
    return isHex ? try hex(body.stringBytes) : body.stringBytes
  }

  /// Reads a compressed response, which is a list of pieces in hexadecimal.
  private static func encoded(_ body: SourceValue, _ exchange: inout Exchange) throws(Unusable) {
    let isCoded = exchange.headers.contains {
      $0.0.lowercased() == "content-encoding" && $0.1.lowercased() != "identity"
    }
    let pieces = body.elements
    guard isCoded, !pieces.isEmpty, pieces.allSatisfy(\.isString) else { return }
    var bytes: [UInt8] = []
    for piece in pieces { bytes += try hex(piece.stringBytes) }
    exchange.body = bytes
  }

  private static func hex(_ text: [UInt8]) throws(Unusable) -> [UInt8] {
    guard let bytes = Exchange.bytes(hexadecimal: text) else {
      throw Unusable("the hexadecimal body is invalid", refusesFile: true)
    }
    return bytes
  }
}

/// Reads the cassettes of venmo/DVR, and those of Vinyl, which consist of the list of interactions.
enum DVRReader {
  /// Converts one interaction.
  static func interaction(of interaction: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let url = request["url"]?.string else { throw Unusable("the request has no \"url\"") }
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    if let error = response["error"], response["status"] == nil {
      // Cassettes also store failures as codes of `URLError`, so the code needs no translation.
      if error["domain"]?.string == "NSURLErrorDomain", let code = error["code"]?.integer {
        var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: 0)
        exchange.requestHeaders = VCRReader.fields(request["headers"])
        if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
        exchange.failure = RecordedFailure(code: code)
        return try exchange.interaction(&notes)
      }
      throw Unusable("it failed: \(error["domain"]?.string ?? "error") \(error["code"]?.scalar ?? "")")
    }
    if let error = response["error"] { notes.leave("response.error in addition to a response", at: error) }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: status)
    exchange.requestHeaders = VCRReader.fields(request["headers"])
    // DVR omits the member for requests without `httpBody`, which includes uploads.
    if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.body = body(response["body"], exchange.headers, &notes)
    exchange.recorded = interaction["recorded_at"]?.number.flatMap(Timestamp.at).map { RecordedFacts(at: $0) }
    return try exchange.interaction(&notes)
  }

  /// Decodes a body by its media type: JSON is a value, text is a string, and other types are Base64.
  private static func body(_ body: SourceValue?, _ headers: [(String, String)], _ notes: inout ImportNotes) -> [UInt8] {
    guard let body else { return [] }
    guard body.isString else { return body.compact }
    // If the parameters of a media type are invalid, the type is used without them.
    let type = headers.first { $0.0.lowercased() == "content-type" }
      .flatMap { MediaType($0.1) ?? MediaType(String($0.1.prefix { $0 != ";" })) }
    let bytes = body.stringBytes
    // Without a media type, DVR writes the body as a string if it is text.
    guard let type, type.type != "text", !type.isJSON else { return bytes }
    if let decoded = BodyBase64.decode(lines: bytes) { return decoded }
    notes.leave("bodies with invalid base64, imported as text", at: body)
    return bytes
  }
}
