internal import CassetteJSON
import Cassettes

/// Reads the examples in Postman collections, version 2.1.
enum PostmanReader {
  /// Reads the items of a collection recursively; collections are small enough to be read as a whole.
  static func each(
    _ source: ImportSource, _ result: inout ImportSource.Result, _ use: ImportSource.Use
  ) throws(CassetteError) {
    for path in source.paths {
      let feed = try JSONFeed(path: path)
      _ = try feed.peek()
      let first = feed.line
      guard let collection = try feed.value(), let items = collection["item"], items.isArray else {
        throw CassetteError(
          file: path, line: 1, column: 1, message: "not a Postman collection: the list \"item\" is missing")
      }
      try feed.finish()
      var variables: [String: String] = [:]
      for variable in collection["variable"]?.elements ?? [] {
        guard variable["disabled"]?.isTrue != true else { continue }
        if let key = (variable["key"] ?? variable["id"])?.string { variables[key] = variable["value"]?.scalar ?? "" }
      }
      let reader = Reader(variables: variables, path: path)
      result.notes.begin(collection, at: SourcePlace(file: path, line: first, column: 1))
      KnownMembers.table("Postman").check(collection, &result.notes)
      try reader.read(items, in: "", &result, use)
    }
  }

  private struct Reader {
    let variables: [String: String]
    let path: String

    func read(
      _ items: JSONValue, in folder: String, _ result: inout ImportSource.Result, _ use: ImportSource.Use
    ) throws(CassetteError) {
      for item in items.elements {
        let name = folder + (item["name"]?.string ?? "item")
        let place = SourcePlace(file: path, line: result.notes.line(of: item), column: 1)
        KnownMembers.table("PostmanItem").check(item, &result.notes)
        if let inner = item["item"] {
          try read(inner, in: "\(name) / ", &result, use)
          continue
        }
        let examples = item["response"]?.elements ?? []
        if examples.isEmpty {
          result.count += 1
          try result.skip("\"\(name)\"", at: place, Unusable("the request has no saved example"))
        }
        for example in examples {
          result.count += 1
          let interaction: Interaction
          do {
            interaction = try self.interaction(of: example, item, &result.notes)
            KnownMembers.table("PostmanExample").check(example, &result.notes)
          } catch {
            try result.skip("\"\(name)\"", at: place, error)
            continue
          }
          try use(interaction, SourcePlace(file: path, line: result.notes.line(of: example), column: 1))
        }
      }
    }

    private func interaction(
      of example: JSONValue, _ item: JSONValue, _ notes: inout ImportNotes
    ) throws(Unusable) -> Interaction {
      guard let request = example["originalRequest"] ?? item["request"] else { throw Unusable("there is no request") }
      guard let status = (example["responseCode"]?["code"] ?? example["code"])?.integer else {
        throw Unusable("the example has no \"code\"")
      }
      let url = request.isString ? request.string : Self.url(request["url"])
      guard let url else { throw Unusable("the request has no \"url\"") }
      var exchange = Exchange(method: request["method"]?.string ?? "GET", url: resolved(url), status: status)
      // An unresolved variable at the beginning is most often the host.
      if exchange.url.hasPrefix("{{"), let end = exchange.url.firstRange(of: "}}") {
        let rest = exchange.url[end.upperBound...]
        exchange.url = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
      } else if !exchange.url.contains("://"), !exchange.url.hasPrefix("/") {
        exchange.url = "http://\(exchange.url)"
      }
      exchange.requestHeaders = pairs(request["header"]).map { ($0, resolved($1)) }
      exchange.requestBody = body(of: request, &notes)
      exchange.reason = example["status"]?.string
      exchange.headers = pairs(example["header"])
      exchange.body = example["body"]?.stringBytes ?? []
      if let time = example["responseTime"]?.number, time > 0 { exchange.recorded = RecordedFacts(total: time / 1000) }
      return try exchange.interaction(&notes)
    }

    private static func url(_ url: JSONValue?) -> String? {
      guard let url else { return nil }
      if url.isString { return url.string }
      // Postman uses the parts of a URL, and keeps `raw` for display; `raw` may have a query that the parts lack.
      let said = url["raw"]?.string
      let isWhole = url["query"] != nil || said?.contains("?") != true
      guard var raw = (isWhole ? built(url) : nil) ?? said ?? built(url) else { return nil }
      for variable in url["variable"]?.elements ?? [] {
        guard let key = variable["key"]?.string, let value = variable["value"]?.scalar, !value.isEmpty else { continue }
        raw = raw.split(separator: "/", omittingEmptySubsequences: false).map { step in
          let name = step.prefix { $0 != "?" }
          return name == ":\(key)" ? value + step.dropFirst(name.count) : String(step)
        }.joined(separator: "/")
      }
      return raw
    }

    /// Builds a URL from its parts; returns nil without parts.
    private static func built(_ url: JSONValue) -> String? {
      func steps(_ value: JSONValue?, _ separator: String) -> String? {
        value.map {
          $0.isArray
            ? $0.elements.map { ($0["value"] ?? $0).scalar ?? "" }.joined(separator: separator) : $0.scalar ?? ""
        }
      }
      guard let host = steps(url["host"], "."), !host.isEmpty else { return nil }
      var text = host
      if let name = url["protocol"]?.string, !host.contains("://") { text = "\(name)://\(host)" }
      if let port = url["port"]?.scalar, !port.isEmpty { text += ":\(port)" }
      if let path = steps(url["path"], "/") { text += path.hasPrefix("/") ? path : "/\(path)" }
      let items = (url["query"]?.elements ?? []).compactMap { item -> String? in
        guard item["disabled"]?.isTrue != true, let key = item["key"]?.scalar else { return nil }
        return item["value"]?.scalar.map { "\(key)=\($0)" } ?? key
      }
      return items.isEmpty ? text : "\(text)?\(items.joined(separator: "&"))"
    }

    /// Replaces variables such as `{{baseUrl}}` by their values; variables without a value remain.
    private func resolved(_ text: String) -> String {
      var text = text
      // The value of a variable may contain other variables.
      for _ in 0..<4 where text.contains("{{") {
        for (name, value) in variables where !value.isEmpty { text = text.replacing("{{\(name)}}", with: value) }
      }
      return text
    }

    /// Reads names and values from objects, from lines, or from one string of lines, as Postman does.
    private func pairs(_ list: JSONValue?) -> [(String, String)] {
      if let text = list?.string { return text.split(whereSeparator: \.isNewline).compactMap(Self.pair) }
      return (list?.elements ?? []).compactMap { field in
        if let line = field.string { return Self.pair(line[...]) }
        guard field["disabled"]?.isTrue != true, let key = field["key"]?.string, !key.isEmpty else { return nil }
        return (key, field["value"]?.scalar ?? "")
      }
    }

    private static func pair(_ line: Substring) -> (String, String)? {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      let value = line[colon...].dropFirst().trimmingPrefix { $0 == " " || $0 == "\t" }
      return (String(line[..<colon]), String(value))
    }

    private func body(of request: JSONValue, _ notes: inout ImportNotes) -> [UInt8]? {
      guard let body = request["body"], body["disabled"]?.isTrue != true else { return [] }
      if body.isString { return Array(resolved(body.string ?? "").utf8) }
      switch body["mode"]?.string {
      case "raw": return Array(resolved(body["raw"]?.string ?? "").utf8)
      case "urlencoded" where body["urlencoded"]?.isString == true:
        return Array(resolved(body["urlencoded"]?.string ?? "").utf8)
      case "urlencoded": return Exchange.form(pairs(body["urlencoded"]).map { ($0, resolved($1)) })
      case "graphql":
        guard let query = body["graphql"]?["query"] else { return [] }
        let said = body["graphql"]?["variables"]
        let variables = (said?.isString == true ? JSONValue(said?.stringBytes ?? []) : said)?.compact
        if let said, variables == nil, said.string?.isEmpty == false { notes.leave("graphql.variables", at: said) }
        let operation = body["graphql"]?["operationName"]?.bytes
        return Array("{\"query\":".utf8) + query.bytes
          + (operation.map { Array(",\"operationName\":".utf8) + $0 } ?? [])
          + (variables.map { Array(",\"variables\":".utf8) + $0 } ?? []) + Array("}".utf8)
      case let mode?:
        notes.leave("request bodies of mode \(mode.prefix(40))", at: body)
        return nil
      case nil: return []
      }
    }
  }
}
