internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Exports a cassette as HAR 1.2.
package enum HARWriter {
  /// Returns the HAR, indented by two spaces.
  ///
  /// Data that HAR cannot represent (ids, rules, interim responses, trailers, gaps within a body and more) is in an
  /// extension member `_mockserver`, so that an import restores it. A recorded failure has status 0.
  package static func bytes(of cassette: Cassette, version: String) throws(CassetteError) -> [UInt8] {
    var output: [UInt8] = Array("{\n  \"log\": {\n    \"version\": \"1.2\",\n    \"creator\": ".utf8)
    let creator = JSONWriter.object {
      $0.member("name", "mockserver")
      $0.member("version", version)
    }
    JSONStyle.indent2.render(creator.span, into: &output, depth: 2)
    let own = JSONWriter.object { $0.member("origin", cassette.origin ?? "") }
    output += ",\n    \"\(HARExtension.name)\": ".utf8
    JSONStyle.indent2.render(own.span, into: &output, depth: 2)
    output += ",\n    \"entries\": [".utf8
    for (index, interaction) in cassette.interactions.enumerated() {
      let entry = try entry(interaction, cassette.origin)
      output += (index > 0 ? ",\n      " : "\n      ").utf8
      JSONStyle.indent2.render(entry.span, into: &output, depth: 3)
    }
    output += (cassette.interactions.isEmpty ? "]" : "\n    ]").utf8
    output += "\n  }\n}\n".utf8
    return output
  }

  private static func entry(_ interaction: Interaction, _ origin: String?) throws(CassetteError) -> [UInt8] {
    let sent = try interaction.requestBody?.bytes() ?? []
    let received = try interaction.response?.body?.bytes() ?? []
    let (url, target) = HARLink.link(interaction.url, origin)
    let (start, wait, receive) = HARTimes.entry(of: interaction.recorded)
    let own = try HARExtension.member(of: interaction, target: target)
    return JSONWriter.object { entry in
      entry.member("startedDateTime", start)
      number("time", wait + receive, &entry)
      entry.object("request") { request in
        request.member("method", interaction.method.rawValue)
        request.member("url", url)
        request.member("httpVersion", "HTTP/1.1")
        HARCookies.sent(interaction.requestHeaders, &request)
        fields(interaction.requestHeaders, "headers", &request)
        pairs(QueryItem.all(ofTarget: interaction.url), "queryString", &request)
        if !sent.isEmpty { postData(sent, interaction.requestHeaders["Content-Type"], &request) }
        request.member("headersSize", -1)
        request.member("bodySize", sent.count)
      }
      entry.object("response") { write(interaction, received, &$0) }
      entry.object("cache") { _ in }
      entry.object("timings") { timings in
        timings.member("send", 0)
        number("wait", wait, &timings)
        number("receive", receive, &timings)
      }
      entry.member(HARExtension.name, json: own)
    }
  }

  private static func write(_ interaction: Interaction, _ body: [UInt8], _ writer: inout JSONWriter) {
    let response = interaction.response
    let headers = response?.headers ?? []
    writer.member("status", response?.status.code ?? 0)
    writer.member("statusText", response?.reason ?? response?.status.standardPhrase ?? "")
    writer.member("httpVersion", "HTTP/1.1")
    HARCookies.set(headers, &writer)
    // HAR contains decoded bodies with the original header fields.
    let sent = response?.coding.map {
      HTTPHeaders(fields: Array(headers) + [.init(name: "Content-Encoding", value: $0)])
    }
    fields(sent ?? headers, "headers", &writer)
    writer.object("content") { content in
      content.member("size", body.count)
      content.member("mimeType", headers["Content-Type"] ?? "")
      guard !body.isEmpty else { return }
      // An encoded body is not text, even if its bytes are valid UTF-8.
      if headers["Content-Encoding"] == nil, let text = text(body, headers["Content-Type"]) {
        content.member("text", text)
      } else {
        content.member("text", BodyBase64.text(of: body))
        content.member("encoding", "base64")
      }
    }
    writer.member("redirectURL", headers["Location"] ?? "")
    writer.member("headersSize", -1)
    writer.member("bodySize", body.count)
    if let failure = interaction.failure { writer.member("_error", failure.name) }
  }

  /// Returns a body as text; nil if a reader that encodes the text in the charset of the body would get other bytes.
  private static func text(_ body: [UInt8], _ type: String?) -> String? {
    guard Charset.bytes(body, type.flatMap { MediaType($0)?.charset }) == body else { return nil }
    return String(validUTF8: body)
  }

  private static func postData(_ body: [UInt8], _ type: String?, _ writer: inout JSONWriter) {
    writer.object("postData") { data in
      data.member("mimeType", type ?? "")
      if let text = text(body, type) {
        data.member("text", text)
        // Browsers write both. Importers use the text; the parameters are for readers of the file.
        if let type = type.flatMap({ MediaType($0) }), type.subtype == "x-www-form-urlencoded" {
          pairs(QueryItem.parse(text), "params", &data)
        }
      } else {
        data.member("text", BodyBase64.text(of: body))
        data.member("_encoding", "base64")
      }
    }
  }

  private static func pairs(_ items: [QueryItem], _ name: String, _ writer: inout JSONWriter) {
    writer.array(name, of: items) { item, pair in
      pair.member("name", item.name)
      pair.member("value", item.value ?? "")
    }
  }

  static func fields(_ headers: HTTPHeaders, _ name: String, _ writer: inout JSONWriter) {
    writer.array(name, of: headers) { field, item in
      item.member("name", field.name)
      item.member("value", field.value)
    }
  }

  /// Writes a number, an integer without a decimal point: `50`, not `50.0`.
  private static func number(_ name: String, _ value: Double, _ writer: inout JSONWriter) {
    // Rounding removes the error of adding thousandths.
    let value = (value * 1000).rounded() / 1000
    if let whole = Int(exactly: value) { writer.member(name, whole) } else { writer.member(name, value) }
  }
}

/// Writes the `cookies` members of HAR, which repeat header fields.
///
/// The reader uses the header fields only.
enum HARCookies {
  /// Writes the cookies of the `Cookie` field (RFC 6265 §4.2.1).
  static func sent(_ headers: HTTPHeaders, _ writer: inout JSONWriter) {
    writer.array("cookies", of: headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }) { pair, cookie in
      let (name, value) = parts(pair)
      cookie.member("name", name)
      cookie.member("value", value ?? "")
    }
  }

  /// Writes the cookies of `Set-Cookie` fields with their attributes (RFC 6265 §4.1.1).
  static func set(_ headers: HTTPHeaders, _ writer: inout JSONWriter) {
    writer.array("cookies", of: headers.values(of: "Set-Cookie")) { field, cookie in
      let pieces = field.split(separator: ";", omittingEmptySubsequences: false)
      let (name, value) = parts(pieces.first ?? "")
      cookie.member("name", name)
      cookie.member("value", value ?? "")
      var seen: Set<String> = []
      for piece in pieces.dropFirst() {
        let (attribute, value) = parts(piece)
        guard seen.insert(attribute.lowercased()).inserted else { continue }
        switch attribute.lowercased() {
        case "path": cookie.member("path", value ?? "")
        case "domain": cookie.member("domain", value ?? "")
        case "expires":
          if let value, let date = Timestamp.normal(value) { cookie.member("expires", date) }
        case "httponly": cookie.member("httpOnly", true)
        case "secure": cookie.member("secure", true)
        default: break
        }
      }
    }
  }

  private static func parts(_ piece: Substring) -> (name: String, value: String?) {
    let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let texts = pair.map { String($0.drop { $0 == " " || $0 == "\t" }) }
    return (texts.first ?? "", texts.count > 1 ? texts[1] : nil)
  }
}

/// Converts request targets to the absolute URLs that HAR requires, with only the characters of a URI (RFC 3986 §2).
///
/// Square brackets are not escaped, because browsers do not escape them either.
enum HARLink {
  /// The origin for cassettes without one.
  private static let nobody = "http://localhost"

  /// Returns the URL for a HAR entry, and the original target if it cannot be derived from the URL.
  static func link(_ target: String, _ origin: String?) -> (url: String, target: String?) {
    if target == "*" { return ("\(origin ?? nobody)/", target) }
    let isRelative = target.hasPrefix("/")
    let whole = isRelative ? (origin ?? nobody) + target : target
    let url = escaped(whole)
    if isRelative, origin == nil { return (url, target) }
    return (url, url == whole ? nil : whole)
  }

  /// Escapes characters that are not allowed in a URI, such as the braces of templates, except in the authority.
  private static func escaped(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let path = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let bytes = Array(url[path...].utf8)
    var escaped = Array(url[..<path].utf8)
    for (index, byte) in bytes.enumerated() {
      let isRight =
        byte == UInt8(ascii: "%")
        ? index + 2 < bytes.count && bytes[index + 1...index + 2].allSatisfy { $0.hexadecimalValue != nil }
        : allowed.contains(byte)
      escaped += isRight ? [byte] : PercentEncoding.encode([byte])
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The bytes that are not escaped: letters, digits, punctuation of paths and queries, and square brackets.
  private static let allowed = ByteSet.word.adding("-._~!$&'()*+,;=:@/?[]")
}
