import CassetteFiles
import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// HAR 1.1 and 1.2, as browsers, Charles, Proxyman and mitmproxy write it.
enum HARReader {
  /// The recording of one entry of `log.entries`.
  static func interactions(of entry: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = entry["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = entry["response"] else { throw Unusable("there is no \"response\"") }
    guard let method = request["method"]?.string else { throw Unusable("the request has no \"method\"") }
    guard let url = request["url"]?.string else { throw Unusable("the request has no \"url\"") }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    let own = entry[HARExtension.name]
    if status == 0, own?["failure"] == nil {
      let error = response["_error"] ?? entry["_error"] ?? response["statusText"]
      let words = error?.string.map { $0.isEmpty ? "" : " (\($0.prefix(80)))" } ?? ""
      throw Unusable(Exchange.refusal(ofStatus: 0) + words)
    }
    var exchange = Exchange(method: method, url: url, status: status)
    exchange.requestHeaders = pairs(request["headers"])
    exchange.requestBody = try body(of: request, &notes)
    // Where a tool left the fields out, the body still says what it is.
    if exchange.requestBody?.isEmpty == false, let type = request["postData"]?["mimeType"]?.string, !type.isEmpty,
      !exchange.requestHeaders.contains(where: { $0.0.lowercased() == "content-type" })
    {
      exchange.requestHeaders.append(("Content-Type", type))
    }
    exchange.reason = response["statusText"]?.string
    exchange.headers = pairs(response["headers"])
    exchange.body = try content(of: response, method, status, &notes)
    exchange.recorded = recorded(entry)
    if let own { HARExtension.read(own, into: &exchange, &notes) }
    if let messages = entry["_webSocketMessages"], !messages.elements.isEmpty {
      notes.leave("WebSocket messages", at: messages)
    }
    compare(request, response, exchange, &notes)
    return [try exchange.interaction(&notes)]
  }

  /// `[{"name", "value"}]`, in order; an object of names and values is what some write by hand.
  static func pairs(_ list: JSONValue?) -> [(String, String)] {
    if let list, list.isObject { return VCRReader.fields(list) }
    return (list?.elements ?? []).compactMap { field in
      field["name"]?.string.map { ($0, field["value"]?.scalar ?? "") }
    }
  }

  /// Returns the content of a request; nil when it is known that there was some, and not which.
  private static func body(of request: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    guard let data = request["postData"], data.isObject else {
      guard let size = request["bodySize"]?.integer, size > 0 else { return [] }
      notes.leave("request bodies the HAR does not hold", at: request)
      return nil
    }
    if let bytes = try attached(data, &notes) { return bytes }
    if let text = data["text"] {
      let bytes = written(text, &notes)
      // HAR has no word for a binary request body; some write the response's.
      let encoding = (data["_encoding"] ?? data["encoding"])?.string ?? ""
      guard encoding.lowercased() == "base64" else {
        if !encoding.isEmpty { notes.leave("bodies in the encoding \(encoding.prefix(40)), taken as text", at: data) }
        if !bytes.isEmpty { return bytes }
        return try form(data, &notes)
      }
      guard let decoded = BodyBase64.decode(lines: bytes) else {
        throw Unusable("the base64 of the request's body is broken")
      }
      return decoded
    }
    return try form(data, &notes)
  }

  private static func form(_ data: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    let params = data["params"]?.elements ?? []
    guard !params.isEmpty else { return [] }
    let type = data["mimeType"]?.string ?? ""
    guard type.isEmpty || type.lowercased().contains("x-www-form-urlencoded") else {
      notes.leave("request bodies of which only the parameters were saved", at: data)
      return nil
    }
    for file in params.compactMap({ $0["fileName"] }) { notes.leave("files of a form's parameters", at: file) }
    return Exchange.form(params.map { ($0["name"]?.scalar ?? "", $0["value"]?.scalar ?? "") })
  }

  /// Text; JSON that was written as a value and not as text is what it most often was on the wire.
  private static func written(_ text: JSONValue, _ notes: inout ImportNotes) -> [UInt8] {
    guard text.isString else {
      notes.mention("bodies that were saved as values and not as text: written without spaces", at: text)
      return text.compact
    }
    return text.stringBytes
  }

  /// A body that Playwright keeps in a file beside the HAR; nil for one that is not in a file.
  private static func attached(_ data: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    guard data["text"] == nil, let name = data["_file"]?.string else { return nil }
    do {
      return try CassetteFile.bodyBytes(of: name, in: Folder.parent(of: notes.place.file))
    } catch {
      throw Unusable("_file: \(error.message)")
    }
  }

  private static func content(
    of response: JSONValue, _ method: String, _ status: Int, _ notes: inout ImportNotes
  ) throws(Unusable) -> [UInt8] {
    guard let content = response["content"] else { return [] }
    if let bytes = try attached(content, &notes) { return bytes }
    guard let text = content["text"] else {
      if let size = content["size"]?.integer, size > 0, method != "HEAD", status != 204, status != 304 {
        notes.leave("response bodies the HAR does not hold", at: content)
      }
      return []
    }
    let bytes = written(text, &notes)
    let encoding = content["encoding"]?.string ?? ""
    guard encoding.lowercased() == "base64" else {
      if !encoding.isEmpty { notes.leave("bodies in the encoding \(encoding.prefix(40)), taken as text", at: content) }
      if content["_isBinary"]?.isTrue == true {
        notes.leave("bodies as pieces in hexadecimal (_isBinary), taken as text", at: content)
      }
      return bytes
    }
    guard let decoded = BodyBase64.decode(lines: bytes) else {
      throw Unusable("the base64 of the response's body is broken")
    }
    return decoded
  }

  /// Names what should stand a second time in the fields and the URL, and does not: some tools leave those out.
  private static func compare(
    _ request: JSONValue, _ response: JSONValue, _ exchange: Exchange, _ notes: inout ImportNotes
  ) {
    func values(_ name: String, _ fields: [(String, String)]) -> String {
      fields.filter { $0.0.lowercased() == name }.map(\.1).joined(separator: "; ")
    }
    let query = QueryItem.all(ofTarget: String(exchange.url.prefix { $0 != "#" }))
    for (name, value) in pairs(request["queryString"]) where !query.contains(where: { $0.name == name }) {
      if !name.isEmpty || !value.isEmpty { notes.leave("queryString that is not in the URL", at: request) }
    }
    let (sent, set) = (values("cookie", exchange.requestHeaders), values("set-cookie", exchange.headers))
    for (name, _) in pairs(request["cookies"]) where !sent.contains(name) {
      notes.leave("request.cookies that are in no field Cookie", at: request)
    }
    for (name, _) in pairs(response["cookies"]) where !set.contains(name) {
      notes.leave("response.cookies that are in no field Set-Cookie", at: response)
    }
    if response["redirectURL"]?.string?.isEmpty == false, values("location", exchange.headers).isEmpty {
      notes.leave("redirectURL without a field Location", at: response)
    }
    for (side, list) in [("request", request["headers"]), ("response", response["headers"])] {
      for field in list?.elements ?? [] where field["name"]?.string == nil {
        notes.leave("\(side).headers[] without a name", at: field)
      }
    }
  }

  /// -1 stands for what does not apply.
  private static func recorded(_ entry: JSONValue) -> RecordedFacts? {
    let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { entry["timings"]?[$0]?.number }
    return HARTimes.facts(
      start: entry["startedDateTime"]?.string, firstByte: parts.filter { $0 > 0 }.reduce(0, +),
      total: entry["time"]?.number)
  }
}
