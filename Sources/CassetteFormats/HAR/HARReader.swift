import Cassettes
import HTTP

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
    if let messages = entry["_webSocketMessages"], !messages.elements.isEmpty { notes.leave("WebSocket messages") }
    return [try exchange.interaction(&notes)]
  }

  /// `[{"name", "value"}]`, in order; an object of names and values is what some write by hand.
  static func pairs(_ list: JSONValue?) -> [(String, String)] {
    if let list, list.isObject { return VCRReader.fields(list) }
    return (list?.elements ?? []).compactMap { field in
      field["name"]?.string.map { ($0, field["value"]?.scalar ?? "") }
    }
  }

  /// What was sent; nil when it is known that something was, and not what.
  private static func body(of request: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    guard let data = request["postData"], data.isObject else {
      guard let size = request["bodySize"]?.integer, size > 0 else { return [] }
      notes.leave("request bodies the HAR does not hold")
      return nil
    }
    if let text = data["text"] {
      let bytes = written(text)
      // HAR has no word for a binary request body; some write the response's.
      guard (data["_encoding"] ?? data["encoding"])?.string == "base64" else {
        if !bytes.isEmpty { return bytes }
        return try form(data, &notes)
      }
      guard let decoded = Base64.decode(bytes) else { throw Unusable("the base64 of the request's body is broken") }
      return decoded
    }
    return try form(data, &notes)
  }

  private static func form(_ data: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    let params = data["params"]?.elements ?? []
    guard !params.isEmpty else { return [] }
    let type = data["mimeType"]?.string ?? ""
    guard type.isEmpty || type.lowercased().contains("x-www-form-urlencoded") else {
      notes.leave("request bodies of which only the parameters were saved")
      return nil
    }
    return Exchange.form(params.map { ($0["name"]?.scalar ?? "", $0["value"]?.scalar ?? "") })
  }

  /// Text; JSON that was written as a value and not as text is what it most often was on the wire.
  private static func written(_ text: JSONValue) -> [UInt8] { text.isString ? text.stringBytes : text.compact }

  private static func content(
    of response: JSONValue, _ method: String, _ status: Int, _ notes: inout ImportNotes
  ) throws(Unusable) -> [UInt8] {
    guard let content = response["content"] else { return [] }
    guard let text = content["text"] else {
      if let size = content["size"]?.integer, size > 0, method != "HEAD", status != 204, status != 304 {
        notes.leave("response bodies the HAR does not hold")
      }
      return []
    }
    let bytes = written(text)
    guard content["encoding"]?.string?.lowercased() == "base64" else { return bytes }
    guard let decoded = Base64.decode(bytes) else { throw Unusable("the base64 of the response's body is broken") }
    return decoded
  }

  /// -1 stands for what does not apply.
  private static func recorded(_ entry: JSONValue) -> RecordedFacts? {
    let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { entry["timings"]?[$0]?.number }
    return HARTimes.facts(
      start: entry["startedDateTime"]?.string, firstByte: parts.filter { $0 > 0 }.reduce(0, +),
      total: entry["time"]?.number)
  }
}
