import Cassettes
import HTTP

/// One stub mapping as an exchange: what a recording can hold of it, and the rest by name.
struct WireMockMapping {
  private let mapping: JSONValue
  private let path: String

  init(_ stub: WireMockReader.Stub) {
    mapping = stub.mapping
    path = stub.place.file
  }

  func interaction(_ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    let request = mapping["request"]
    guard let response = mapping["response"] else { throw Unusable("there is no \"response\"") }
    if let proxy = response["proxyBaseUrl"]?.scalar { throw Unusable("it is a proxy to \(proxy.prefix(80))") }
    let method = request?["method"]?.string ?? "ANY"
    if method == "ANY" { notes.leave("mappings for any method, taken for GET") }
    var exchange = Exchange(
      method: method == "ANY" ? "GET" : method, url: try url(of: request, &notes),
      status: response["status"]?.integer ?? 200)
    exchange.requestHeaders = headers(of: request, &notes)
    exchange.requestBody = body(of: request, &notes)
    exchange.reason = response["statusMessage"]?.string
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.coding = .unknown
    exchange.body = try body(of: response)
    time(of: response, &exchange, &notes)
    if let fault = response["fault"]?.string { exchange.failure = try failure(fault) }
    let transformers = response["transformers"]?.strings ?? []
    if transformers.contains("response-template") {
      notes.leave("response-template: what is written stays as it is")
    }
    for name in transformers where name != "response-template" { notes.leave("the transformer \(name)") }
    list(request, &notes)
    return try exchange.interaction(&notes)
  }

  // MARK: Request

  private func url(of request: JSONValue?, _ notes: inout ImportNotes) throws(Unusable) -> String {
    guard let request else { throw Unusable("it answers any URL") }
    var target: String
    if let url = request["url"]?.string {
      target = url
    } else if let path = request["urlPath"]?.string {
      target = path
    } else if let pattern = (request["urlPattern"] ?? request["urlPathPattern"])?.string {
      guard let literal = Self.literal(pattern) else {
        throw Unusable("a cassette has no pattern for \(pattern.prefix(80))")
      }
      target = literal
    } else if let template = request["urlPathTemplate"]?.string {
      guard !template.contains("{") else { throw Unusable("a cassette has no template for \(template.prefix(80))") }
      target = template
    } else {
      throw Unusable("it answers any URL")
    }
    if !target.hasPrefix("/"), !target.contains("://") { target = "/\(target)" }
    var items: [String] = []
    for part in ["queryParameters", "formParameters"] {
      for parameter in request[part]?.members ?? [] {
        if part == "queryParameters", let value = parameter.value["equalTo"]?.scalar {
          items.append("\(Exchange.escaped(parameter.name))=\(Exchange.escaped(value))")
        } else if part == "queryParameters" {
          throw Unusable("queryParameters.\(parameter.name): \(Self.operators(parameter.value)) is no value to record")
        } else {
          notes.leave("formParameters")
        }
      }
    }
    if request["url"] == nil, items.isEmpty, request["urlPattern"] == nil {
      notes.leave("urlPath: any query; recorded without one")
    }
    if !items.isEmpty { target += (target.contains("?") ? "&" : "?") + items.joined(separator: "&") }
    guard let host = request["host"]?["equalTo"]?.string, target.hasPrefix("/") else { return target }
    let port = request["port"]?.scalar.map { ":\($0)" } ?? ""
    return "\(request["scheme"]?.string ?? "http")://\(host)\(port)\(target)"
  }

  /// The one text a regular expression stands for; nil when there are several.
  static func literal(_ pattern: String) -> String? {
    var text = ""
    var isEscaped = false
    for character in pattern {
      if isEscaped {
        // `\d` and its like stand for many.
        if character.isLetter || character.isNumber { return nil }
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if "*+?()[]{}|^$".contains(character) {
        return nil
      } else {
        text.append(character)
      }
    }
    // A dot is any character, but what is meant is nearly always a dot.
    return isEscaped || text.isEmpty ? nil : text
  }

  private func headers(of request: JSONValue?, _ notes: inout ImportNotes) -> [(String, String)] {
    var fields: [(String, String)] = []
    for header in request?["headers"]?.members ?? [] {
      if let value = header.value["equalTo"]?.scalar {
        fields.append((header.name, value))
        if header.value["caseInsensitive"]?.isTrue == true { notes.leave("headers: caseInsensitive") }
      } else {
        notes.leave("headers: \(Self.operators(header.value))")
      }
    }
    return fields
  }

  private func body(of request: JSONValue?, _ notes: inout ImportNotes) -> [UInt8] {
    var body: [UInt8] = []
    for pattern in request?["bodyPatterns"]?.elements ?? [] {
      if let text = pattern["equalTo"] {
        body = text.stringBytes
      } else if let json = pattern["equalToJson"] {
        body = json.isString ? json.stringBytes : json.compact
        for option in ["ignoreArrayOrder", "ignoreExtraElements"] where pattern[option]?.isTrue == true {
          notes.leave("equalToJson: \(option)")
        }
      } else if let bytes = pattern["binaryEqualTo"].flatMap({ Base64.decode($0.stringBytes) }) {
        body = bytes
      } else {
        notes.leave("bodyPatterns: \(Self.operators(pattern))")
      }
    }
    return body
  }

  // MARK: Response

  private func body(of response: JSONValue) throws(Unusable) -> [UInt8] {
    if let text = response["body"] { return text.isString ? text.stringBytes : text.compact }
    if let json = response["jsonBody"] { return json.compact }
    if let base64 = response["base64Body"] {
      guard let bytes = Base64.decode(base64.stringBytes) else {
        throw Unusable("the base64 of the response's body is broken or breaks off", refusesFile: true)
      }
      return bytes
    }
    guard let name = response["bodyFileName"]?.string else { return [] }
    let near = [WireMockReader.root(of: path), Folder.parent(of: path), Folder.parent(of: Folder.parent(of: path))]
    for case let folder? in near {
      let files = Folder.join(folder, "__files")
      guard Folder.resolvedKind(of: files) == .folder else { continue }
      do {
        return try CassetteFile.bodyBytes(of: name.hasPrefix("/") ? String(name.dropFirst()) : name, in: files)
      } catch {
        throw Unusable("bodyFileName: \(error.message)")
      }
    }
    throw Unusable("its body is in \(name.prefix(80)), and there is no folder __files")
  }

  private func time(of response: JSONValue, _ exchange: inout Exchange, _ notes: inout ImportNotes) {
    if let delay = response["fixedDelayMilliseconds"]?.number, delay > 0 {
      exchange.recorded = RecordedFacts(firstByte: delay / 1000)
      notes.leave("fixedDelayMilliseconds, kept as the recorded time")
    }
    if let dribble = response["chunkedDribbleDelay"], let count = dribble["numberOfChunks"]?.integer,
      let total = dribble["totalDuration"]?.number, (1...10_000).contains(count), !exchange.body.isEmpty
    {
      let length = max(1, (exchange.body.count + count - 1) / count)
      exchange.chunks = stride(from: 0, to: exchange.body.count, by: length).map { start in
        let end = min(start + length, exchange.body.count)
        return BodyChunk(after: total / 1000 / Double(count), bytes: Array(exchange.body[start..<end]))
      }
    }
  }

  /// What WireMock does to a connection, in the words of `URLError`.
  private func failure(_ fault: String) throws(Unusable) -> RecordedFailure {
    switch fault {
    case "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER": RecordedFailure(code: -1005)
    case "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE": RecordedFailure(code: -1017)
    default: throw Unusable("the fault \(fault.prefix(40)) is not known")
    }
  }

  // MARK: The rest

  private static func operators(_ pattern: JSONValue) -> String {
    let names = pattern.members.map(\.name)
    return names.isEmpty ? "a pattern" : names.joined(separator: " and ")
  }

  private static let known: Set<String> = [
    "id", "uuid", "name", "request", "response", "persistent", "insertionIndex", "scenarioName",
    "requiredScenarioState", "newScenarioState", "priority", "metadata", "newScenarioName",
  ]
  private static let knownOfRequest: Set<String> = [
    "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "queryParameters", "formParameters",
    "headers", "bodyPatterns", "host", "port", "scheme",
  ]
  private static let knownOfResponse: Set<String> = [
    "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName", "fixedDelayMilliseconds",
    "chunkedDribbleDelay", "fault", "transformers", "proxyBaseUrl",
  ]

  /// Names what nobody above looked at.
  private func list(_ request: JSONValue?, _ notes: inout ImportNotes) {
    let parts = [
      (mapping, "", Self.known), (request, "request.", Self.knownOfRequest),
      (mapping["response"], "response.", Self.knownOfResponse),
    ]
    for (value, prefix, known) in parts {
      for member in value?.members ?? [] where !known.contains(member.name) && !member.value.isNull {
        notes.leave(prefix + member.name)
      }
    }
    if mapping["scenarioName"] != nil { notes.leave("scenarioName, kept as the order of recordings") }
    if mapping["priority"] != nil { notes.leave("priority, kept where two mappings have one request") }
  }
}
