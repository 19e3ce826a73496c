import CassetteHTTP
import CassetteJSON
import CassettePatterns
internal import CassetteSystem
internal import CassetteYAML
import Cassettes

/// Reads cassettes of VCR (Ruby), vcrpy and betamax (Python) and go-vcr, in YAML or JSON.
enum VCRReader {
  /// Converts one interaction.
  static func interaction(of interaction: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let url = (request["uri"] ?? request["url"])?.string else { throw Unusable("the request has no \"uri\"") }
    // A Ruby symbol begins with a colon: `:get`.
    let method = (plain(request["method"])?.string ?? "GET").drop { $0 == ":" }
    var exchange = Exchange(method: method.uppercased(), url: url, status: 0)
    exchange.requestHeaders = fields(request["headers"])
    exchange.requestBody = try VCRBody(message: request, side: "request").bytes(&notes)
    notes.asked = exchange
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    // VCR and betamax write status.code, R's vcr status.status_code, older betamax status_code, vcrpy's first format
    // status alone. go-vcr writes code, and "200 OK" as status.
    let said = response["status"]
    let code = said?["code"] ?? said?["status_code"] ?? response["status_code"] ?? response["code"] ?? said
    guard let status = plain(code).flatMap({ $0.integer ?? $0.scalar.flatMap { Int($0) } }) else {
      throw Unusable("the response has no \"status\"")
    }
    exchange.status = status
    notes.asked = exchange
    let line = said?.string?.split(separator: " ", maxSplits: 1)
    let phrase = said?["reason"] ?? said?["message"]
    exchange.reason = phrase?.scalar ?? line?.dropFirst().first.map(String.init)
    // R's vcr keeps the status line as a field: `status: HTTP/2 200`.
    exchange.headers = fields(response["headers"]).filter { $0.0 != "status" || !$0.1.hasPrefix("HTTP/") }
    exchange.body = try VCRBody(message: response, side: "response").bytes(&notes) ?? []
    exchange.coding = .unknown
    exchange.recorded = interaction["recorded_at"]?.string.flatMap(Timestamp.normal).map { RecordedFacts(at: $0) }
    var recorded = try exchange.interaction(&notes)
    let match = Placeholders.match(recorded.pathAndQuery)
    if !match.isEmpty { recorded.match = match }
    return recorded
  }

  /// Returns the value of a member of a Python enumeration such as `http.HTTPStatus`; other values are unchanged.
  private static func plain(_ value: SourceValue?) -> SourceValue? {
    guard let value, value[YAMLReader.tag] != nil else { return value }
    return value[YAMLReader.value]?.elements.first
  }

  /// Reads header fields from an object with one or several values per name, from pairs, or from lines, as old versions
  /// of vcrpy wrote them.
  static func fields(_ headers: SourceValue?) -> [(String, String)] {
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
}

/// The body of a message in a cassette of VCR, vcrpy, betamax or go-vcr.
struct VCRBody {
  let message: SourceValue
  /// `request` or `response`.
  let side: String

  /// Returns the bytes; nil if the cassette does not contain them.
  func bytes(_ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    // vcrpy uses the member "content" for responses of httpx.
    let found = message.last("body") ?? (side == "response" ? message.last("content") : nil)
    let bytes = try found.map { (value) throws(Unusable) in try read(value, &notes) } ?? nil
    guard let parsed = message.last("parsed_body") else { return bytes }
    guard bytes?.isEmpty ?? true else {
      notes.leave("parsed_body in addition to a body", at: parsed)
      return bytes
    }
    // An empty body is written as null.
    guard !parsed.isNull else { return [] }
    notes.mention("parsed_body, which is a value instead of text: imported in the format of Python's json.dumps")
    return Self.dumped(parsed)
  }

  /// Reads a string, or an object with `string` or `base64_string`; the latter takes precedence.
  ///
  /// VCR writes an empty body as an empty string, and vcrpy as null.
  private func read(_ body: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    if body.isNull { return [] }
    if let type = body[YAMLReader.tag]?.string {
      if let bytes = try Self.bytes(of: body[YAMLReader.value], ofType: type, side) { return bytes }
      return try leave("of the unsupported type \(type.prefix(60))", body, &notes)
    }
    if let bytes = try Self.bytes(of: body, side) ?? body.scalar.map({ Array($0.utf8) }) { return bytes }
    let isSaid = body.json.members.contains { ["string", "base64_string", "raw_gzip"].contains($0.name) }
    guard isSaid else {
      if body.isObject, body.json.members.allSatisfy({ $0.name == "encoding" }) { return [] }
      // vcrpy writes a JSON request body as a parsed value.
      if side == "request", body.isObject || body.isArray { return Self.dumped(body) }
      return try leave("in an unknown form", body, &notes)
    }
    if let base64 = (body["base64_string"] ?? body["raw_gzip"])?.scalar, !base64.isEmpty {
      var bytes = try Exchange.body(base64: base64.utf8.filter { $0 != 0x20 }, of: side)
      if body["base64_string"] == nil {
        guard let content = BodyCoding.unwrapping(bytes, charset: nil)?.content else {
          throw Unusable("raw_gzip of the \(side)'s body is damaged", refusesFile: true)
        }
        bytes = content
      }
      if let text = body["string"]?.stringBytes, !text.isEmpty, text != bytes,
        BodyCoding.unwrapping(bytes, charset: nil)?.content != text
      {
        notes.leave("\(side).body.string, which differs from base64_string", at: body["string"])
      }
      return bytes
    }
    guard let text = body["string"] else { return [] }
    guard text.isString else {
      if let inner = try readInner(text, &notes) { return inner }
      return side == "request" ? nil : []
    }
    if side == "response", let bytes = media(text.stringBytes) {
      notes.mention("media stored as Base64, as by old versions of R's vcr: decoded", at: text)
      return bytes
    }
    let encoding = body["encoding"]?.string
    guard let bytes = Charset.bytes(text.stringBytes, encoding) else {
      notes.leave("bodies in \(encoding?.prefix(40) ?? ""), converted to UTF-8", in: body)
      return text.stringBytes
    }
    return bytes
  }

  /// Returns the media file that a text contains in Base64; nil for other types, and for text that may be an example.
  private func media(_ text: [UInt8]) -> [UInt8]? {
    let type = Exchange.mediaType(of: VCRReader.fields(message["headers"]))
    let isMedia = ["image", "audio", "video", "font"].contains(type?.type) || type?.subtype == "pdf"
    return isMedia && text.count > 40 ? BodyBase64.decode(lines: text) : nil
  }

  /// Reads a value of `string` that is not a string: bytes, pieces, a Python object, or text that YAML parses as a
  /// number.
  private func readInner(_ value: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    if let scalar = value.scalar { return Array(scalar.utf8) }
    if value[YAMLReader.tag] != nil || value[YAMLReader.binary] != nil { return try read(value, &notes) }
    // Ruby writes a string that has instance variables as a mapping (`!ruby/string`).
    if let bytes = try Self.bytes(of: value["str"] ?? value, side) {
      value.use()
      return bytes
    }
    return try leave("whose string is in an unknown form", value, &notes)
  }

  /// Notes a missing request body; throws for a response, which is useless without its body.
  private func leave(
    _ reason: String, _ value: SourceValue, _ notes: inout ImportNotes
  ) throws(Unusable) -> [UInt8]? {
    guard side == "request" else { throw Unusable("the response has a body \(reason)", isUncaptured: true) }
    notes.leave("bodies of requests \(reason)", at: value)
    return nil
  }

  // MARK: Values

  /// Returns the bytes of a string, of `!!binary`, or of a list of these; nil for any other value.
  private static func bytes(of value: SourceValue, _ side: String) throws(Unusable) -> [UInt8]? {
    if value.isString { return value.stringBytes }
    if let base64 = value[YAMLReader.binary] { return try Exchange.body(base64: base64.stringBytes, of: side) }
    // A client that sends a body in pieces is recorded with a list or tuple of the pieces.
    let pieces = value.elements
    guard !pieces.isEmpty else { return value.isArray ? [] : nil }
    var bytes: [UInt8] = []
    for piece in pieces {
      guard !piece.isArray, let read = try self.bytes(of: piece, side) else { return nil }
      bytes += read
    }
    return bytes
  }

  /// Returns the bytes of a Python object that contains a body: an in-memory file, or a `bytearray`.
  private static func bytes(
    of value: SourceValue?, ofType type: String, _ side: String
  ) throws(Unusable) -> [UInt8]? {
    guard let value else { return nil }
    let name = type.split(whereSeparator: { $0 == ":" || $0 == "." }).last.map(String.init) ?? type
    switch name {
    case "BytesIO", "StringIO":
      value.use()
      // The pickled state starts with the whole content; the read position and other values follow.
      if let content = value["state"]?.elements.first { return try bytes(of: content, side) }
      return try (value["buf"] ?? value.elements.first).flatMap { (text) throws(Unusable) in try bytes(of: text, side) }
    case "bytearray", "bytes", "encode", "str", "unicode":
      guard let first = value.elements.first ?? (value.isArray || value.isObject ? nil : value) else {
        return value.isArray ? [] : nil
      }
      guard first.isString else { return try bytes(of: first, side) }
      let charset = value.elements.dropFirst().first?.string
      return Charset.bytes(first.stringBytes, charset)
    default: return nil
    }
  }

  /// Returns a value as Python's `json.dumps` writes it.
  private static func dumped(_ value: SourceValue) -> [UInt8] {
    var text: [UInt8] = []
    JSONStyle.spaced.render(value.bytes.span, into: &text)
    return text
  }
}

/// Finds the placeholders that VCR and betamax write for hidden values: `<AUTH_TOKEN>`, `<<ACCESS_TOKEN>>`.
enum Placeholders {
  /// Returns the placeholders in recordings, which are not secrets, and which users know.
  static func all(in interactions: [Interaction]) throws(CassetteError) -> [String] {
    var found: Set<String> = []
    for interaction in interactions {
      let fields = Array(interaction.requestHeaders) + Array(interaction.response?.headers ?? [])
      let texts = [Array(interaction.url.utf8)] + fields.map { Array($0.value.utf8) }
      let bodies = [try interaction.requestBody?.bytes() ?? [], try interaction.response?.body?.bytes() ?? []]
      for text in texts + bodies {
        for range in ranges(in: text) { found.insert(String(decoding: text[range], as: UTF8.self)) }
      }
    }
    return found.sorted()
  }

  private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      var end = start + 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "<") { end += 1 }
      let isDouble = end - start == 2
      let word = bytes[end...].prefix { isPart($0) }
      end = word.endIndex
      at = max(end, start + 1)
      guard word.count >= 3, word.count <= 60, end < bytes.count, bytes[end] == UInt8(ascii: ">") else { continue }
      if isDouble, end + 1 >= bytes.count || bytes[end + 1] != UInt8(ascii: ">") { continue }
      found.append(start..<end + (isDouble ? 2 : 1))
    }
    return found
  }

  /// Returns rules that match any value in place of a placeholder in the recorded path or query.
  static func match(_ target: String) -> MatchRules {
    var rules = MatchRules()
    let path = target.prefix { $0 != "?" }
    var names: [String] = []
    for item in QueryItem.parse(String(target.dropFirst(path.count + 1))) {
      guard let value = item.value, !names.contains(item.name), !ranges(in: Array(value.utf8)).isEmpty else { continue }
      names.append(item.name)
    }
    rules.query = NamedConditions(names.map { NamedConditions.Entry($0, .ignore) })
    let bytes = Array(path.utf8)
    let hidden = ranges(in: bytes)
    guard !hidden.isEmpty else { return rules }
    var (pattern, at) = ("", 0)
    for range in hidden {
      pattern += TextPattern.escaped(String(decoding: bytes[at..<range.lowerBound], as: UTF8.self)) + "[^/]+"
      at = range.upperBound
    }
    pattern += TextPattern.escaped(String(decoding: bytes[at...], as: UTF8.self))
    if let pattern = try? TextPattern(pattern) { rules.path = .condition(.all([.matches(pattern)])) }
    return rules
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
