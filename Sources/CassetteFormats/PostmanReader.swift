internal import CassetteJSON
import Cassettes

/// Reads the examples in Postman collections, version 2.1.
enum PostmanReader {
  /// Reads the items of a collection recursively.
  static func read(_ path: String, _ content: inout ImportSource.Content) throws(CassetteError) {
    let file = try SourceFile(path)
    let collection = SourceValue(file.value)
    guard let items = collection["item"], items.isArray else {
      throw CassetteError(
        file: path, line: 1, column: 1, message: "not a Postman collection: the list \"item\" is missing")
    }
    var variables: [String: String] = [:]
    for variable in collection["variable"]?.elements ?? [] {
      guard variable["disabled"]?.isTrue != true else { continue }
      if let key = (variable["key"] ?? variable["id"])?.string { variables[key] = variable["value"]?.scalar ?? "" }
    }
    content.notes.begin(collection, at: SourcePlace(file: path, line: file.line, column: 1))
    content.notes.leaveUnused(of: collection, in: .postman)
    try Reader(variables: variables, path: path).read(items, in: "", &content)
  }

  private struct Reader {
    let variables: [String: String]
    let path: String

    func read(
      _ items: SourceValue, in folder: String, _ content: inout ImportSource.Content
    ) throws(CassetteError) {
      for item in items.elements {
        let name = folder + (item["name"]?.string ?? "item")
        let place = SourcePlace(file: path, line: content.notes.line(of: item), column: 1)
        defer { content.notes.leaveUnused(of: item, in: .postman) }
        if let inner = item["item"] {
          try read(inner, in: "\(name) / ", &content)
          continue
        }
        let examples = item["response"]?.elements ?? []
        if examples.isEmpty {
          content.count += 1
          item.use()
          _ = try content.skip("\"\(name)\"", at: place, Unusable("the request has no saved example"))
        }
        for example in examples {
          content.count += 1
          do {
            let place = SourcePlace(file: path, line: content.notes.line(of: example), column: 1)
            content.recordings.append((try interaction(of: example, item, &content.notes), place))
            content.notes.leaveUnused(of: example, in: .postman)
          } catch {
            _ = try content.skip("\"\(name)\"", at: place, error)
          }
        }
      }
    }

    private func interaction(
      of example: SourceValue, _ item: SourceValue, _ notes: inout ImportNotes
    ) throws(Unusable) -> Interaction {
      let original = example["originalRequest"]
      if original != nil { item["request"]?.use() }
      guard let request = original ?? item["request"] else { throw Unusable("there is no request") }
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

    private static func url(_ url: SourceValue?) -> String? {
      guard let url else { return nil }
      if url.isString { return url.string }
      // Postman uses the parts of a URL, and keeps `raw` for display; `raw` may have a query that the parts lack.
      let (said, built) = (url["raw"]?.string, built(url))
      let isWhole = url["query"] != nil || said?.contains("?") != true
      guard var raw = (isWhole ? built : nil) ?? said ?? built else { return nil }
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
    private static func built(_ url: SourceValue) -> String? {
      func steps(_ value: SourceValue?, _ separator: String) -> String? {
        value.map {
          $0.isArray
            ? $0.elements.map { ($0["value"] ?? $0).scalar ?? "" }.joined(separator: separator) : $0.scalar ?? ""
        }
      }
      let (scheme, port, path) = (url["protocol"]?.string, url["port"]?.scalar, steps(url["path"], "/"))
      let items = (url["query"]?.elements ?? []).compactMap { item -> String? in
        let (key, value) = (item["key"]?.scalar, item["value"]?.scalar)
        guard item["disabled"]?.isTrue != true, let key else { return nil }
        return value.map { "\(key)=\($0)" } ?? key
      }
      guard let host = steps(url["host"], "."), !host.isEmpty else { return nil }
      var text = host
      if let scheme, !host.contains("://") { text = "\(scheme)://\(host)" }
      if let port, !port.isEmpty { text += ":\(port)" }
      if let path { text += path.hasPrefix("/") ? path : "/\(path)" }
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
    private func pairs(_ list: SourceValue?) -> [(String, String)] {
      if let text = list?.string { return text.split(whereSeparator: \.isNewline).compactMap(Self.pair) }
      return (list?.elements ?? []).compactMap { field in
        if let line = field.string { return Self.pair(line[...]) }
        let (key, value) = (field["key"]?.string, field["value"]?.scalar)
        guard field["disabled"]?.isTrue != true, let key, !key.isEmpty else { return nil }
        return (key, value ?? "")
      }
    }

    private static func pair(_ line: Substring) -> (String, String)? {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      let value = line[colon...].dropFirst().trimmingPrefix { $0 == " " || $0 == "\t" }
      return (String(line[..<colon]), String(value))
    }

    private func body(of request: SourceValue, _ notes: inout ImportNotes) -> [UInt8]? {
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
        let variables = said.flatMap { $0.isString ? JSONValue($0.stringBytes)?.compact : $0.compact }
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
