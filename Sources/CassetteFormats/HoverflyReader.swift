import Cassettes
import HTTP

/// Hoverfly's simulations: version 5, and of the older ones what is an exact value.
enum HoverflyReader {
  /// The recording of one pair.
  static func interactions(of pair: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = pair["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = pair["response"] else { throw Unusable("there is no \"response\"") }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    guard let path = try exact(request["path"], "path") else { throw Unusable("it answers any path") }
    let method = try exact(request["method"], "method")
    if method == nil { notes.leave("pairs for any method, taken for GET") }
    var url = path.hasPrefix("/") ? path : "/" + path
    if let query = try query(of: request), !query.isEmpty { url += "?\(query)" }
    if let host = try exact(request["destination"], "destination"), !host.isEmpty {
      url = "\(try exact(request["scheme"], "scheme") ?? "http")://\(host)\(url)"
    }
    var exchange = Exchange(method: method ?? "GET", url: url, status: status)
    exchange.requestHeaders = fields(of: request, &notes)
    exchange.requestBody = body(of: request, &notes)
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.coding = .unknown
    exchange.body = try body(of: response)
    if let delay = response["fixedDelay"]?.number, delay > 0 {
      exchange.recorded = RecordedFacts(firstByte: delay / 1000)
      notes.leave("fixedDelay, kept as the recorded time")
    }
    if response["templated"]?.isTrue == true { notes.leave("templated bodies, taken as they are written") }
    for name in ["requiresState"] where request[name]?.members.isEmpty == false { notes.leave(name) }
    for name in ["transitionsState", "removesState", "logNormalDelay", "postServeAction"] {
      guard let value = response[name] else { continue }
      if !value.members.isEmpty || !value.elements.isEmpty || value.string?.isEmpty == false { notes.leave(name) }
    }
    return [try exchange.interaction(&notes)]
  }

  /// The value a request must have: nil when any will do.
  private static func exact(_ field: JSONValue?, _ name: String) throws(Unusable) -> String? {
    guard let field else { return nil }
    if field.isString { return field.string }
    if field.isObject {
      if let value = field["exactMatch"]?.string { return value }
      guard let matcher = field.members.first(where: { !$0.value.isNull })?.name else { return nil }
      throw Unusable("\(name): the matcher \"\(matcher)\" is none a cassette can hold")
    }
    guard let first = field.elements.first else { return nil }
    let matcher = first["matcher"]?.string ?? "exact"
    let value = first["value"]?.scalar ?? ""
    let isExact = matcher == "exact" || matcher == "glob" && !value.contains("*")
    guard field.elements.count == 1, first["doMatch"] == nil, isExact else {
      throw Unusable("\(name): the matcher \"\(isExact ? "several of them" : matcher)\" is none a cassette can hold")
    }
    return value
  }

  private static func query(of request: JSONValue) throws(Unusable) -> String? {
    let query = request["query"]
    if let query, query.isObject, query["exactMatch"] == nil {
      if let old = request["queriesWithMatchers"], !old.members.isEmpty { return try parameters(old) }
      // Version 5 has matchers by name, version 3 one matcher for the whole.
      guard query.members.allSatisfy({ $0.value.isArray }) else { return try exact(query, "query") }
      return try parameters(query)
    }
    return try exact(query, "query")
  }

  private static func parameters(_ query: JSONValue) throws(Unusable) -> String {
    var items: [String] = []
    for member in query.members {
      // Several values of a name are one text with semicolons.
      for value in (try exact(member.value, "query.\(member.name)") ?? "").split(separator: ";") {
        items.append("\(Exchange.escaped(member.name))=\(Exchange.escaped(String(value)))")
      }
    }
    return items.joined(separator: "&")
  }

  private static func fields(of request: JSONValue, _ notes: inout ImportNotes) -> [(String, String)] {
    var fields: [(String, String)] = []
    for member in (request["headers"]?.members ?? []) + (request["headersWithMatchers"]?.members ?? []) {
      do throws(Unusable) {
        let elements = member.value.elements
        if !elements.isEmpty, elements.allSatisfy(\.isString) {
          fields += elements.map { (member.name, $0.string ?? "") }
        } else if let value = try exact(member.value, "headers.\(member.name)") {
          fields.append((member.name, value))
        }
      } catch {
        notes.leave(error.reason)
      }
    }
    return fields
  }

  private static func body(of request: JSONValue, _ notes: inout ImportNotes) -> [UInt8] {
    guard let body = request["body"] else { return [] }
    if let json = body.elements.first, body.elements.count == 1, json["matcher"]?.string == "json" {
      return json["value"]?.stringBytes ?? []
    }
    do {
      return Array((try exact(body, "body") ?? "").utf8)
    } catch {
      notes.leave(error.reason)
      return []
    }
  }

  private static func body(of response: JSONValue) throws(Unusable) -> [UInt8] {
    if let file = response["bodyFile"]?.string, !file.isEmpty {
      throw Unusable("its body is in a file of its own, \(file.prefix(80)): put it into \"body\"")
    }
    let bytes = response["body"]?.stringBytes ?? []
    guard response["encodedBody"]?.isTrue == true else { return bytes }
    guard let decoded = Base64.decode(bytes) else {
      throw Unusable("the base64 of the response's body is broken or breaks off", refusesFile: true)
    }
    return decoded
  }
}
