import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
import Cassettes

/// VCR (Ruby), vcrpy and betamax (Python) and go-vcr, written as YAML or JSON.
enum VCRReader {
  /// The recording of one of `http_interactions`.
  static func interactions(of interaction: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    guard let url = (request["uri"] ?? request["url"])?.string else { throw Unusable("the request has no \"uri\"") }
    // VCR and betamax write status.code, older betamax status_code, vcrpy's first format status alone.
    // go-vcr writes code, and "200 OK" as status.
    let code = response["status"]?["code"] ?? response["status_code"] ?? response["code"] ?? response["status"]
    guard let status = code?.integer else { throw Unusable("the response has no \"status\"") }
    // A symbol of Ruby is `:get`.
    let method = (request["method"]?.string ?? "GET").drop { $0 == ":" }
    var exchange = Exchange(method: method.uppercased(), url: url, status: status)
    exchange.requestHeaders = fields(request["headers"])
    exchange.requestBody = try content(of: request, "request", &notes)
    let line = response["status"]?.string?.split(separator: " ", maxSplits: 1)
    exchange.reason = response["status"]?["message"]?.string ?? line?.dropFirst().first.map(String.init)
    exchange.headers = fields(response["headers"])
    exchange.body = try content(of: response, "response", &notes) ?? []
    exchange.coding = .unknown
    exchange.recorded = interaction["recorded_at"]?.string.flatMap(Timestamp.normal).map { RecordedFacts(at: $0) }
    var recorded = try exchange.interaction(&notes)
    let match = Placeholders.match(recorded.pathAndQuery)
    if !match.isEmpty { recorded.match = match }
    return [recorded]
  }

  /// Names with a value each, or with several; pairs of them, and lines, which vcrpy wrote at first.
  static func fields(_ headers: JSONValue?) -> [(String, String)] {
    (headers?.elements ?? []).flatMap { element -> [(String, String)] in
      if let line = element.string, let colon = line.firstIndex(of: ":") {
        let value = line[colon...].dropFirst().trimmingPrefix { $0.isWhitespace }
        return [(String(line[..<colon]), String(value.prefix { !$0.isNewline }))]
      }
      let pair = element.elements
      guard pair.count == 2, let name = pair[0].string else { return [] }
      return pair[1].strings.map { (name, $0) }
    } + (headers?.members ?? []).flatMap { member in member.value.strings.map { (member.name, $0) } }
  }

  /// The body of a message; nil when nothing is said of it.
  private static func content(
    of message: JSONValue, _ side: String, _ notes: inout ImportNotes
  ) throws(Unusable) -> [UInt8]? {
    func member(_ name: String) -> JSONValue? { message.members.last { $0.name == name }?.value }
    // vcrpy's recordings of httpx have "content".
    let found = member("body") ?? (side == "response" ? member("content") : nil)
    let bytes = try found.map { (value) throws(Unusable) in try body(value, side, &notes) }
    guard let parsed = member("parsed_body") else { return bytes }
    guard bytes?.isEmpty ?? true else {
      notes.leave("parsed_body beside a body", at: parsed)
      return bytes
    }
    // Where nothing was sent, or came, the value is null.
    guard !parsed.isNull else { return [] }
    notes.mention("parsed_body, of which the value was saved and not the text: written as Python's json.dumps does")
    var text: [UInt8] = []
    JSONStyle.spaced.render(parsed.bytes.span, into: &text)
    return text
  }

  /// A string, or an object of one: `string`, or `base64_string`, which counts when both are there.
  ///
  /// For an empty body VCR writes an empty string and vcrpy null.
  private static func body(_ body: JSONValue, _ side: String, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8] {
    if body.isNull { return [] }
    if let bytes = try bytes(of: body, side) { return bytes }
    let isSaid = body.members.contains { $0.name == "string" || $0.name == "base64_string" }
    if isSaid {
      for (name, value) in body.members where !["string", "base64_string", "encoding"].contains(name) {
        notes.leave("\(side).body.\(name.prefix(100)), which is not known", at: value)
      }
    }
    if let base64 = body["base64_string"]?.stringBytes, !base64.isEmpty {
      let bytes = try Exchange.body(base64: base64, of: side)
      if let text = body["string"]?.stringBytes, !text.isEmpty, text != bytes,
        BodyCoding.unwrapping(bytes, charset: nil)?.content != text
      {
        notes.leave("\(side).body.string beside another base64_string", at: body["string"])
      }
      return bytes
    }
    guard let text = body["string"] else {
      // vcrpy keeps what a client sent as JSON.
      if isSaid || body.isObject && body.members.allSatisfy({ $0.name == "encoding" }) { return [] }
      if body.isObject, body["encoding"] == nil, side == "request" { return body.bytes }
      notes.leave("bodies of \(side)s in a form that is not known", at: body)
      return []
    }
    if text[YAMLReader.binary] != nil, let bytes = try bytes(of: text, side) { return bytes }
    if !text.isString { notes.leave("\(side).body.string in a form that is not known", at: text) }
    let encoding = body["encoding"]?.string
    guard let bytes = Charset.bytes(text.stringBytes, encoding) else {
      notes.leave("bodies in \(encoding?.prefix(40) ?? ""), written as UTF-8", at: body)
      return text.stringBytes
    }
    return bytes
  }

  /// The bytes of a text, or of what YAML calls binary.
  private static func bytes(of value: JSONValue, _ side: String) throws(Unusable) -> [UInt8]? {
    guard let base64 = value[YAMLReader.binary] else { return value.isString ? value.stringBytes : nil }
    return try Exchange.body(base64: base64.stringBytes, of: side)
  }
}
