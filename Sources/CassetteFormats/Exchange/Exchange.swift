import CassetteEngines
import CassetteHTTP
internal import CassetteSystem
import Cassettes

/// The reason why a recording cannot be imported.
struct Unusable: Error {
  var reason: String
  /// True if the whole file must be refused because its data is damaged.
  var refusesFile = false
  /// True if only the body is missing: a recording of the same request and status can replace this one.
  var isUncaptured = false
  /// The part of the reason that only the report shows: advice, or a value from the file.
  var advice = ""

  init(_ reason: String, refusesFile: Bool = false, isUncaptured: Bool = false, advice: String = "") {
    (self.reason, self.refusesFile, self.isUncaptured, self.advice) = (reason, refusesFile, isUncaptured, advice)
  }
}

/// A recording of another tool, before it is converted to an interaction.
struct Exchange {
  /// The content coding of a response body in the recording.
  enum Coding {
    /// The body is decoded, even if there is a `Content-Encoding` field.
    case decoded
    /// The body may be decoded or not, depending on the recorder; its first bytes decide.
    case unknown
    /// The body is encoded as `Content-Encoding` says, and stays encoded.
    case kept
  }

  var id = ""
  var method: String
  var url: String
  var requestHeaders: [(String, String)] = []
  /// The content of the request; nil if the recording does not contain it.
  var requestBody: [UInt8]?
  var status: Int
  var reason: String?
  /// True if the server is known to have sent no reason phrase, as opposed to an unknown reason phrase.
  var hasNoReason = false
  var headers: [(String, String)] = []
  var body: [UInt8] = []
  var chunks: [BodyChunk]?
  /// The way in which the stream of `chunks` ended.
  var end = BodyEnd.complete
  var interim: [(status: Int, headers: [(String, String)])] = []
  var trailers: [(String, String)] = []
  /// True if the cassette lists no fields for the response; nil if the format does not say it.
  var hasEmptyHeaders: Bool?
  /// True if the header fields and the body are templates.
  var isTemplate = false
  /// The failure that was recorded instead of a response.
  var failure: RecordedFailure?
  var coding = Coding.decoded
  var recorded: RecordedFacts?
  var repeatPolicy = RepeatPolicy.last
  var match = MatchRules()
  var note: String?
  var replay = ReplayRules()

  /// Returns the recording in the form of a cassette, and notes the parts that are lost.
  func interaction(_ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard failure != nil || (200...999).contains(status) else { throw Unusable(Self.refusal(ofStatus: status)) }
    guard FieldSyntax.isToken(method) else { throw Unusable("\"\(method.prefix(40))\" is not a method") }
    // Methods are case-sensitive (RFC 9110 §9.1). Some tools write standard methods in lowercase, but sent them in
    // uppercase.
    let method = Self.methods.contains(method.uppercased()) ? method.uppercased() : method
    let url = try Self.target(url)
    var fields = Self.fields(headers, &notes)
    var bytes = body
    let isBodiless = method == "HEAD" || status == 204 || status == 304
    if isBodiless, !bytes.isEmpty {
      notes.leave("bodies of HEAD, 204 and 304, which have none")
      bytes = []
    }
    let sent = fields["Content-Encoding"]
    decode(&bytes, &fields)
    let type = fields.mediaType
    if !bytes.isEmpty, type?.subtype == "grpc" { notes.leave("gRPC trailers") }
    // An incomplete body keeps the length that the origin announced.
    let keepsLength = method == "HEAD" || status == 304 || chunks != nil && end != .complete
    if let reason, !FieldSyntax.isValue(reason) { notes.leave("reason phrases with invalid characters") }
    var response = RecordedResponse(
      status: HTTPStatus(status), reason: phrase, headers: Self.unframed(fields, keepsLength: keepsLength, origin: nil),
      body: chunks.map { isBodiless ? nil : Body.chunks($0, end: end) } ?? (bytes.isEmpty ? nil : .storing(bytes)))
    response.isTemplate = isTemplate
    response.hasEmptyHeaders =
      hasEmptyHeaders ?? (response.headers.isEmpty && response.body?.impliedType != nil && recorded == nil)
    // The content coding that was removed is stored, so that the response can be encoded again.
    let names = ContentCoding.names(in: sent ?? "")
    if !bytes.isEmpty, !names.isEmpty, names.allSatisfy(FieldSyntax.isToken), !fields.contains("Content-Encoding") {
      response.coding = names.joined(separator: ", ")
    }
    response.interim = interim.map {
      InterimResponse(status: HTTPStatus($0.status), headers: Self.fields($0.headers, &notes))
    }
    response.trailers = Self.fields(trailers, &notes)
    var asked = Self.unframed(
      Self.fields(requestHeaders, &notes), keepsLength: false, origin: RecordedTarget.origin(of: url))
    let sentBody = Self.decoded(requestBody, &asked)
    var interaction = Interaction(
      id: id, method: HTTPMethod(method), url: url, requestHeaders: asked,
      // Without the facts of a recording, a missing body matches any body.
      requestBody: sentBody.flatMap { recorded == nil ? .storing($0) : .sent($0, with: HTTPMethod(method)) },
      outcome: failure.map { .failure($0) } ?? .response(response), recorded: recorded, repeatPolicy: repeatPolicy)
    if !match.isEmpty { interaction.match = match }
    if let note { interaction.note = note }
    if !replay.isEmpty { interaction.replay = replay }
    return interaction
  }

  private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

  static func refusal(ofStatus status: Int) -> String {
    switch status {
    case 0: "status 0: there was no response"
    case 100...199: "status \(status) is not a final status"
    default: "status \(status) is not one of 200 to 999"
    }
  }

  /// The reason phrase, if it differs from the standard phrase of the status.
  private var phrase: String? {
    if hasNoReason { return "" }
    guard let reason, !reason.isEmpty, FieldSyntax.isValue(reason) else { return nil }
    return reason == HTTPStatus(status).standardPhrase ? nil : reason
  }

  // MARK: Converts header fields and request targets

  /// Returns the valid header fields.
  ///
  /// Values that a browser joined with line breaks are separated.
  private static func fields(_ pairs: [(String, String)], _ notes: inout ImportNotes) -> HTTPHeaders {
    var fields = HTTPHeaders()
    for (name, value) in pairs {
      // RFC 9113 §8.3: pseudo-header fields of HTTP/2 replace the request line.
      if name.hasPrefix(":") { continue }
      guard FieldSyntax.isToken(name) else {
        notes.leave("header fields with an invalid name")
        continue
      }
      for line in value.utf8.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d || $0 == 0 }) {
        fields.append(name, trimmed(Substring(line)))
      }
      if value.isEmpty { fields.append(name, "") }
    }
    return fields
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.utf8.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
    while let last = text.utf8.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return String(text)
  }

  /// Removes the fields that describe the framing on a connection, and a `Host` field that equals the URL's host.
  private static func unframed(_ fields: HTTPHeaders, keepsLength: Bool, origin: String?) -> HTTPHeaders {
    var hasLength = false
    return HTTPHeaders(
      fields: fields.filter { field in
        switch field.name.lowercased() {
        case "content-length":
          guard keepsLength, !hasLength, Int(field.value) != nil else { return false }
          hasLength = true
          return true
        case "transfer-encoding", "connection", "keep-alive", "trailer", "proxy-connection": return false
        case "host":
          return origin.map { origin in
            let host = RecordedTarget.canonicalOrigin(origin.prefix { $0 != "/" } + "//" + field.value)
            return host != origin
          } ?? true
        default: return true
        }
      })
  }

  /// Returns a URL in the form of a request target: without the fragment, and with control characters escaped.
  static func target(_ url: String) throws(Unusable) -> String {
    var text = ""
    text.reserveCapacity(url.utf8.count)
    for scalar in url.unicodeScalars {
      if scalar == "#" { break }
      if scalar.value <= 0x20 || scalar.value == 0x7f {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += scalar.value < 0x10 ? "%0\(digits)" : "%\(digits)"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    if text.isEmpty { throw Unusable("there is no URL") }
    // The target `*` refers to the server as a whole (RFC 9112 §3.2.4).
    if text.hasPrefix("/") || text == "*" { return text }
    // A placeholder can replace the scheme and host: `<<HOSTNAME>>staff/jobs`.
    if text.hasPrefix("<"), let end = text.lastIndex(of: ">"), !text.contains("://") {
      let rest = text[text.index(after: end)...]
      return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    }
    guard let colon = text.firstRange(of: "://") else {
      let scheme = text.prefix { $0 != ":" }
      if scheme.count < text.count, scheme.count < 20 { throw Unusable("a \(scheme): URL is not asked over HTTP") }
      throw Unusable("\"\(text.prefix(60))\" is not a URL")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Unusable("a \(scheme.prefix(20)): URL is not asked over HTTP")
    }
    let rest = text[colon.upperBound...]
    guard let first = rest.first, first != "/", first != "?" else {
      throw Unusable("\"\(text.prefix(60))\" has no host")
    }
    return "\(scheme)://\(rest)"
  }

  /// Returns the path and query of a URL.
  static func withoutOrigin(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }

  /// Decodes a Base64 body, with or without line breaks.
  ///
  /// If it is damaged, the whole file is refused.
  static func body(base64 text: [UInt8], of side: String) throws(Unusable) -> [UInt8] {
    guard let bytes = BodyBase64.decode(lines: text) else {
      throw Unusable("the base64 of the \(side)'s body is invalid or truncated", refusesFile: true)
    }
    return bytes
  }

  /// Decodes hexadecimal digits; returns nil if a digit is missing or invalid.
  static func bytes(hexadecimal text: [UInt8]) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for at in stride(from: 0, to: text.count, by: 2) {
      guard let high = text[at].hexadecimalValue, let low = text[at + 1].hexadecimalValue else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns names and values as `application/x-www-form-urlencoded`.
  static func form(_ items: [(name: String, value: String)]) -> [UInt8] {
    Array(items.map { parameter($0.name, $0.value) }.joined(separator: "&").utf8)
  }

  /// Returns an encoded name and value for a query or a form.
  static func parameter(_ name: String, _ value: String) -> String {
    "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
  }

  /// Returns the media type of a message, or nil if it is missing or invalid.
  static func mediaType(of headers: [(String, String)]) -> MediaType? {
    headers.first { $0.0.lowercased() == "content-type" }.flatMap { MediaType($0.1) }
  }

  /// Decodes the body if it is encoded, and removes the `Content-Encoding` field of a decoded body.
  ///
  /// A body that appears to be encoded but cannot be decoded remains unchanged with its field, and is reported as
  /// opaque later.
  func decode(_ bytes: inout [UInt8], _ fields: inout HTTPHeaders) {
    let names = ContentDecoder.names(of: fields)
    guard let outer = names.last, coding != .kept else { return }
    let type = fields.mediaType
    // An archive file starts with a signature, which does not mean that its bytes were compressed a second time.
    let isFile = type.map { $0.subtype.hasSuffix("gzip") || $0.subtype == "zstd" } ?? false
    let hasMark = BodyCoding.compression(of: bytes) != nil
    // Some recorders that decode bodies nevertheless export the encoded bytes.
    // Brotli has no signature, so bytes that are not UTF-8 are decoded on trial.
    let mayBeBrotli = ContentCoding(name: outer) == .brotli && String(validUTF8: bytes) == nil
    let isTried = coding == .unknown || hasMark && !isFile || mayBeBrotli
    if isTried, let content = try? ContentDecoder(fields)?.whole(bytes) {
      bytes = content
      return fields.remove("Content-Encoding")
    }
    // Data in gzip, deflate and zstd has a signature. For other codings, text and media files are taken for decoded.
    let isPlain: Bool =
      switch ContentCoding(name: outer) {
      case .gzip, .deflate, .zstd: !hasMark
      case .brotli, nil:
        bytes.isEmpty || String(validUTF8: bytes) != nil
          || type.map { ["image", "audio", "video", "font"].contains($0.type) } ?? false
      }
    if coding == .decoded || isPlain { fields.remove("Content-Encoding") }
  }

  /// Returns the content of a request without its content codings, and removes the `Content-Encoding` field.
  static func decoded(_ content: [UInt8]?, _ fields: inout HTTPHeaders) -> [UInt8]? {
    guard let content, let whole = try? ContentDecoder(fields)?.whole(content) else { return content }
    fields.remove("Content-Encoding")
    return whole
  }
}

extension ContentDecoder {
  /// Decodes a complete content; returns nil if it is truncated.
  fileprivate func whole(_ bytes: [UInt8]) throws(Failure) -> [UInt8]? {
    let content = try decode(bytes, limit: Self.longest)
    return isComplete ? content : nil
  }
}

extension Exchange {
  /// True if the body or a field of the response contains the braces of a template.
  var hasExpressions: Bool {
    ([body] + headers.map { Array($0.1.utf8) }).contains { $0.firstIndex(of: Array("{{".utf8)) != nil }
  }

  /// Translates the template of another tool in a response to a template of this project.
  mutating func translate(_ tool: ForeignTemplate) throws(Unusable) {
    guard hasExpressions else { return }
    do throws(TemplateError) {
      body = try tool.translated(body, as: ResponseTemplate.content(of: Self.mediaType(of: headers), body))
      var fields: [(String, String)] = []
      for (name, value) in headers {
        let text = try tool.translated(Array(value.utf8), as: ResponseTemplate.content(ofField: name))
        fields.append((name, String(decoding: text, as: UTF8.self)))
      }
      headers = fields
      isTemplate = true
    } catch {
      throw Unusable("its response is a template: \(error.message)")
    }
  }
}
