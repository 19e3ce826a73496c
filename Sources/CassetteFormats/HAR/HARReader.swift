import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads HAR 1.1 and 1.2, as written by browsers, Charles, Proxyman and mitmproxy.
enum HARReader {
  /// Converts one element of `log.entries`.
  static func interaction(of entry: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let request = entry["request"] else { throw Unusable("there is no \"request\"") }
    guard let method = request["method"]?.string else { throw Unusable("the request has no \"method\"") }
    guard let url = request["url"]?.string else { throw Unusable("the request has no \"url\"") }
    let own = entry[HARExtension.name]
    var exchange = Exchange(method: method, url: url, status: 0)
    exchange.recorded = recorded(entry)
    exchange.requestHeaders = fields(request["headers"], "request", &notes)
    notes.asked = exchange
    switch try HARBody.postData(of: request, exchange.requestHeaders, &notes) {
    case .known(let bytes, _): exchange.requestBody = bytes
    case .notCaptured:
      // For these methods, a missing body means an empty body.
      exchange.match.ignoresBody = Body.sent([], with: HTTPMethod(method)) == nil
      notes.leave("request bodies missing from the HAR: any request body matches", in: request)
    }
    // If the header fields were omitted, `mimeType` is the only source of the media type.
    if exchange.requestBody?.isEmpty == false, let type = request["postData"]?["mimeType"]?.string, !type.isEmpty,
      !exchange.requestHeaders.contains(where: { $0.0.lowercased() == "content-type" })
    {
      exchange.requestHeaders.append(("Content-Type", type))
    }
    notes.asked = exchange
    guard let response = entry["response"] else { throw Unusable("there is no \"response\"") }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    exchange.status = status
    notes.asked = exchange
    let isFailure = own?["interaction"]?["failure"] != nil
    let said = response["_error"] ?? entry["_error"] ?? response["_failureText"]
    if status == 0, !isFailure {
      let words = (said ?? response["statusText"])?.string ?? ""
      exchange.failure = failure(words)
      guard exchange.failure != nil else {
        throw Unusable(Exchange.refusal(ofStatus: 0) + (words.isEmpty ? "" : " (\(words.prefix(80)))"))
      }
    }
    exchange.reason = response["statusText"]?.string
    exchange.headers = fields(response["headers"], "response", &notes)
    notes.asked = exchange
    try readContent(of: response, into: &exchange, isFailure: isFailure || exchange.failure != nil, &notes)
    if let own { HARExtension.read(own, into: &exchange, &notes) }
    if let messages = entry["_webSocketMessages"], !messages.elements.isEmpty {
      notes.leave("WebSocket messages", at: messages)
    }
    if let said, !isFailure, exchange.failure == nil, said.string?.isEmpty != true {
      notes.leave("_error in addition to a response", at: said)
    }
    let version = response["httpVersion"] ?? request["httpVersion"]
    if let name = version?.string, !["", "unknown", "http/1.1"].contains(name.lowercased()), own == nil, status > 0 {
      notes.mention("responses over \(name.prefix(20)), which play over HTTP/1.1", at: version)
    }
    compare(request, response, exchange, &notes)
    return try exchange.interaction(&notes)
  }

  /// Returns the failure that a browser's or Node's error names; nil if the client itself may have ended the request.
  private static func failure(_ error: String) -> RecordedFailure? {
    let error = error.lowercased().filter { !"_ ".contains($0) }
    let code = [
      ("namenotresolved", -1003), ("unknownhost", -1003), ("enotfound", -1003), ("refused", -1004),
      ("unreachable", -1004), ("timedout", -1001), ("timeout", -1001), ("disconnected", -1009), ("reset", -1005),
      ("closed", -1005), ("emptyresponse", -1005), ("toomanyredirects", -1007), ("cert", -1202), ("ssl", -1200),
    ].first { error.contains($0.0) }
    return code.map { RecordedFailure(code: $0.1) }
  }

  private static func readContent(
    of response: SourceValue, into exchange: inout Exchange, isFailure: Bool, _ notes: inout ImportNotes
  ) throws(Unusable) {
    let (method, status) = (exchange.method, exchange.status)
    switch try HARBody.content(of: response, exchange.headers, method, status, &notes) {
    case .known(let bytes, let isCoded):
      exchange.body = bytes
      if isCoded { exchange.coding = .unknown }
    case .notCaptured(let reason):
      if isFailure { return }
      // Clients follow the `Location` field of a redirect, and do not use its body.
      guard (300...399).contains(status), exchange.headers.contains(where: { $0.0.lowercased() == "location" }) else {
        throw Unusable(
          "its body was not captured (\(reason))", isUncaptured: true,
          advice: ": save the HAR with response bodies, or record the request again")
      }
      notes.leave("bodies of redirects missing from the HAR: the redirects are played without a body", in: response)
    }
  }

  /// Reads names and values from a list of objects, in order, or from an object, as in files written by hand.
  ///
  /// A list of values becomes one pair for each value. A value that cannot be read is left out.
  static func pairs(_ list: SourceValue?) -> [(String, String)] {
    items(list).flatMap { item in item.values.map { (item.name, $0) } }
  }

  /// Reads the header fields of a message; a field whose value cannot be read is left out and reported.
  private static func fields(_ list: SourceValue?, _ side: String, _ notes: inout ImportNotes) -> [(String, String)] {
    for item in items(list) where item.isUnreadable {
      notes.leave("the value of the \(side) field \(item.name.prefix(60)), which is not a string", at: item.value)
    }
    return pairs(list)
  }

  private struct Item {
    var name: String
    var value: SourceValue?
    /// The values of a field: PollyJS writes a list for a repeated field, and some tools wrap a value in an
    /// object.
    var values: [String] {
      guard let value else { return [""] }
      return Self.texts(of: value)
    }
    var isUnreadable: Bool {
      guard let value else { return false }
      return value.isArray ? value.elements.contains { Self.texts(of: $0).isEmpty } : Self.texts(of: value).isEmpty
    }

    private static func texts(of value: SourceValue) -> [String] {
      if value.isArray { return value.elements.flatMap(texts) }
      if value.isObject {
        guard let inner = value["value"] else { return [] }
        // Other members may be a part of a value that only looks wrapped.
        for name in ["name", "type"] { value[name]?.use() }
        return texts(of: inner)
      }
      return [value.scalar ?? ""]
    }
  }

  private static func items(_ list: SourceValue?) -> [Item] {
    guard let list else { return [] }
    // A single cookie or field may be written without its list.
    if let name = list["name"]?.string, let value = list["value"] { return [Item(name: name, value: value)] }
    if list.isObject { return list.members.map { Item(name: $0.name, value: $0.value.isNull ? nil : $0.value) } }
    return list.elements.compactMap { item in item["name"]?.string.map { Item(name: $0, value: item["value"]) } }
  }

  /// Notes cookies, query items and redirects that are missing from the header fields and the URL, as some tools omit
  /// those.
  private static func compare(
    _ request: SourceValue, _ response: SourceValue, _ exchange: Exchange, _ notes: inout ImportNotes
  ) {
    func values(_ name: String, _ fields: [(String, String)]) -> String {
      fields.filter { $0.0.lowercased() == name }.map(\.1).joined(separator: "; ")
    }
    let query = QueryItem.all(ofTarget: String(exchange.url.prefix { $0 != "#" }))
    for item in items(request["queryString"]) {
      // PollyJS writes `filter[a]=1` as `{"filter": {"a": "1"}}`.
      item.value?.use()
      let name = item.name
      if query.contains(where: { $0.name == name || $0.name.hasPrefix("\(name)[") }) { continue }
      guard !name.isEmpty || item.values.contains(where: { !$0.isEmpty }) else { continue }
      notes.leave("queryString items that are not in the URL", in: request)
    }
    let (sent, set) = (values("cookie", exchange.requestHeaders), values("set-cookie", exchange.headers))
    for name in items(request["cookies"]).map(\.name) where !sent.contains(name) {
      notes.leave("request.cookies that are not in a Cookie field", in: request)
    }
    for name in items(response["cookies"]).map(\.name) where !set.contains(name) {
      notes.leave("response.cookies that are not in a Set-Cookie field", in: response)
    }
    if response["redirectURL"]?.string?.isEmpty == false, values("location", exchange.headers).isEmpty {
      notes.leave("redirectURL without a Location field", in: response)
    }
    for (side, list) in [("request", request["headers"]), ("response", response["headers"])] {
      for field in list?.elements ?? [] where field["name"]?.string == nil {
        notes.leave("\(side).headers[] without a name", in: field)
      }
    }
  }

  /// Reads the times of an entry.
  ///
  /// The value -1 means that a phase does not apply.
  private static func recorded(_ entry: SourceValue) -> RecordedFacts? {
    let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { entry["timings"]?[$0]?.number }
    return HARTimes.facts(
      start: entry["startedDateTime"]?.string, firstByte: parts.filter { $0 > 0 }.reduce(0, +),
      total: entry["time"]?.number)
  }
}
