internal import CassetteEngines
import CassetteHTTP
internal import CassetteJSON
import CassetteMatching
import CassettePatterns
internal import CassetteSystem
import Cassettes

/// Reads simulations of Hoverfly, version 5 and older.
enum HoverflyReader {
  /// Converts one pair.
  static func interaction(of pair: SourceValue, _ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let request = pair["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = pair["response"] else { throw Unusable("there is no \"response\"") }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    var exchange = try HoverflyRequest(request).exchange(&notes)
    exchange.status = status
    setStates(request, response, &exchange)
    notes.asked = exchange
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.coding = .unknown
    exchange.body = try body(of: response, beside: notes.place.file)
    if response["templated"]?.isTrue == true { try exchange.translate(.hoverfly) }
    delay(response, &exchange, &notes)
    return try exchange.interaction(&notes)
  }

  private static func setStates(_ request: SourceValue, _ response: SourceValue, _ exchange: inout Exchange) {
    func state(_ member: (name: String, value: SourceValue)) -> ReplayRules.State {
      let value = member.value.scalar ?? ""
      // Hoverfly counts recordings of the same request, and begins with 1.
      let isFirst = member.name.hasPrefix("sequence:") && value == "1"
      return ReplayRules.State(member.name, isFirst ? ReplayRules.State.start : value)
    }
    exchange.replay.when = (request["requiresState"]?.members ?? []).map(state)
    exchange.replay.then = (response["transitionsState"]?.members ?? []).map(state)
    for name in response["removesState"]?.strings ?? [] {
      exchange.replay.then.removeAll { $0.scenario == name }
      exchange.replay.then.append(ReplayRules.State(name, ReplayRules.State.start))
    }
  }

  private static func delay(_ response: SourceValue, _ exchange: inout Exchange, _ notes: inout ImportNotes) {
    var delay = response["fixedDelay"]?.number ?? 0
    if let distribution = response["logNormalDelay"], !distribution.json.members.isEmpty {
      let middle = distribution["median"]?.number ?? distribution["mean"]?.number ?? 0
      delay += middle
      notes.mention("logNormalDelay, replaced by its median of \(Int(exactly: middle.rounded()) ?? 0) ms")
    }
    if delay > 0, delay.isFinite { exchange.replay.delay = .seconds(min(delay / 1000, 86_400)) }
  }

  /// Reads a body from its text, from Base64, or, if the text is empty, from a file in the folder of the simulation.
  private static func body(of response: SourceValue, beside simulation: String) throws(Unusable) -> [UInt8] {
    let bytes = response["body"]?.stringBytes ?? []
    if bytes.isEmpty, let file = response["bodyFile"]?.string, !file.isEmpty {
      guard !file.contains("://") else {
        throw Unusable("its body is at \(file.prefix(80)): download the body, and name the file in \"bodyFile\"")
      }
      do {
        return try CassetteFile.bodyBytes(of: file, in: Folder.parent(of: simulation))
      } catch {
        throw Unusable("bodyFile: \(error.message)")
      }
    }
    return response["encodedBody"]?.isTrue == true ? try Exchange.body(base64: bytes, of: "response") : bytes
  }
}

/// Converts the request of a pair to an example request and the rules for matching other requests.
struct HoverflyRequest {
  private let request: SourceValue

  init(_ request: SourceValue) { self.request = request }

  /// Creates an exchange with the request and its rules.
  func exchange(_ notes: inout ImportNotes) throws(Unusable) -> Exchange {
    var match = MatchRules()
    var exchange = Exchange(method: try method(&match), url: try path(&match), status: 200)
    try query(&exchange.url, &match)
    if let host = try condition(request["destination"], "destination") {
      if let name = Self.exact(host), !name.isEmpty {
        let scheme = try condition(request["scheme"], "scheme").flatMap { Self.exact($0) } ?? ""
        exchange.url = "\(scheme.isEmpty ? "http" : scheme)://\(name)\(exchange.url)"
      } else {
        let what = "request.destination \(host.words.prefix(60)): any host matches"
        notes.leave(what, at: request["destination"])
      }
    }
    try headers(&exchange, &match)
    try body(&exchange, &match)
    exchange.match = match
    return exchange
  }

  private func method(_ match: inout MatchRules) throws(Unusable) -> String {
    guard let condition = try condition(request["method"], "method") else {
      match.methods = .any
      return request["body"] == nil ? "GET" : "POST"
    }
    if let name = Self.exact(condition) { return name }
    let common = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].filter { condition.isMet(by: [$0]) }
    guard let first = common.first else {
      throw Unusable("method: no common method matches \(condition.words.prefix(60))")
    }
    match.methods = .listed(common.map { HTTPMethod($0) })
    return first
  }

  private func path(_ match: inout MatchRules) throws(Unusable) -> String {
    guard let condition = try condition(request["path"], "path") else {
      match.path = .condition(.ignore)
      return "/"
    }
    if let path = Self.exact(condition) { return path.hasPrefix("/") ? path : "/\(path)" }
    match.path = .condition(condition)
    if case .all(let terms) = condition, case .matches(let pattern)? = terms.first, let sample = pattern.sample,
      sample.hasPrefix("/"), !sample.contains("?"), !sample.contains(" ")
    {
      return sample
    }
    return "/"
  }

  // MARK: Query

  private func query(_ url: inout String, _ match: inout MatchRules) throws(Unusable) {
    let query = request["query"] ?? request["deprecatedQuery"]
    let named = request["queriesWithMatchers"].flatMap { $0.json.members.isEmpty ? nil : $0 }
    guard let query = query ?? named else {
      match.query.entries.append(.init("*", .ignore))
      return
    }
    let isNamed = query.isObject && query.json.members.allSatisfy(\.value.isArray)
    guard named != nil || isNamed else {
      // Older versions have a single matcher for the whole query.
      guard let condition = try condition(query, "query") else { return }
      guard let text = Self.exact(condition) else {
        throw Unusable("query: a condition on the whole query is not supported: \(condition.words.prefix(60))")
      }
      if !text.isEmpty { url += "?\(text)" }
      return
    }
    // Without parameters, the query of the URL must match.
    let members = (named ?? query).members
    guard !members.isEmpty else { return }
    var items: [String] = []
    var isWhole = false
    for member in members {
      guard let condition = try condition(member.value, "query.\(member.name)") else { continue }
      if let text = Self.exact(condition) {
        // Several values of a name are one string, separated by semicolons.
        let values = text.split(separator: ";", omittingEmptySubsequences: false)
        items += values.map { Exchange.parameter(member.name, String($0)) }
        if values.count > 1 {
          isWhole = true
          continue
        }
      }
      match.query.entries.append(.init(member.name, condition))
    }
    if !items.isEmpty { url += "?" + items.joined(separator: "&") }
    if !isWhole { match.query.entries.append(.init("*", .ignore)) }
  }

  // MARK: Fields and body

  private func headers(_ exchange: inout Exchange, _ match: inout MatchRules) throws(Unusable) {
    for member in (request["headers"]?.members ?? []) + (request["headersWithMatchers"]?.members ?? []) {
      let elements = member.value.elements
      let texts = elements.compactMap(\.string)
      // The oldest versions have a list of values, any of which matches.
      if !elements.isEmpty, texts.count == elements.count {
        exchange.requestHeaders += texts.map { (member.name, $0) }
        continue
      }
      guard let condition = try condition(member.value, "headers.\(member.name)") else { continue }
      match.headers.entries.append(.init(member.name, condition))
      if let text = Self.exact(condition) { exchange.requestHeaders.append((member.name, text)) }
    }
  }

  private func body(_ exchange: inout Exchange, _ match: inout MatchRules) throws(Unusable) {
    guard let body = request["body"] else { return }
    guard body.isArray else {
      if let old = body["jsonMatch"] { return try json(old, isPartial: false, &exchange, &match) }
      if let old = body["jsonPathMatch"]?.string { return match.body.append(try Self.values(old, nil)) }
      guard let condition = try condition(body, "body") else { return }
      return text(condition, &exchange, &match)
    }
    for matcher in body.elements {
      switch matcher["matcher"]?.string?.lowercased() {
      case "json": try json(matcher["value"], isPartial: false, &exchange, &match)
      case "jsonpartial": try json(matcher["value"], isPartial: true, &exchange, &match)
      case "jsonpath": match.body.append(try Self.values(matcher["value"]?.string ?? "", matcher["doMatch"]))
      case "form":
        var form = NamedConditions()
        for member in matcher["value"]?.members ?? [] {
          guard let condition = try condition(member.value, "body.\(member.name)") else { continue }
          form.entries.append(.init(member.name, condition))
        }
        match.body.append(.form(form))
      default:
        guard let term = try Self.term(matcher, "body") else { continue }
        text(.all([term]), &exchange, &match)
      }
    }
  }

  private func text(_ condition: Condition, _ exchange: inout Exchange, _ match: inout MatchRules) {
    guard let text = Self.exact(condition) else { return match.body.append(.text(condition)) }
    exchange.requestBody = Array(text.utf8)
    // Requests with these methods have no body, so an empty one needs no condition.
    if text.isEmpty, ["GET", "HEAD", "DELETE", "OPTIONS"].contains(exchange.method) { return }
    match.body.append(.text(text.isEmpty ? .all([.absent(true)]) : condition))
  }

  private func json(
    _ value: SourceValue?, isPartial: Bool, _ exchange: inout Exchange, _ match: inout MatchRules
  ) throws(Unusable) {
    let bytes = value.map { $0.isString ? $0.stringBytes : $0.compact } ?? []
    guard let json = JSONValue(bytes) else { throw Unusable("body: the value of a JSON matcher is not JSON") }
    exchange.requestBody = bytes
    match.body.append(.json(json.compact, ignoring: [], extra: isPartial, order: isPartial))
  }

  private static func values(_ path: String, _ then: SourceValue?) throws(Unusable) -> BodyRule {
    guard let path = try? JSONQuery(path) else {
      throw Unusable("body: jsonpath \(path.prefix(80)) is not supported")
    }
    guard let then else { return .values([.init(path, .all([.absent(false)]))]) }
    let matchers = then.isArray ? then.elements : [then]
    var terms: [Condition.Term] = []
    for matcher in matchers { if let term = try term(matcher, "body") { terms.append(term) } }
    return .values([.init(path, .all(terms))])
  }

  // MARK: Matchers

  private static func exact(_ condition: Condition) -> String? {
    guard case .all(let terms) = condition, terms.count == 1, case .equals(let text) = terms[0] else { return nil }
    return text
  }

  /// Returns the condition on a field, or nil if any value matches.
  private func condition(_ field: SourceValue?, _ what: String) throws(Unusable) -> Condition? {
    guard let field else { return nil }
    if field.isString { return .all([.equals(field.string ?? "")]) }
    var terms: [Condition.Term] = []
    if field.isObject {
      for member in field.members where !member.value.isNull {
        let name = member.name.hasSuffix("Match") ? String(member.name.dropLast(5)) : member.name
        terms.append(try Self.term(name, member.value.scalar ?? "", what))
      }
    } else {
      for matcher in field.elements { if let term = try Self.term(matcher, what) { terms.append(term) } }
    }
    return terms.isEmpty ? nil : .all(terms)
  }

  /// Returns the term for a matcher of version 5, or nil if the matcher is empty.
  private static func term(_ matcher: SourceValue, _ what: String) throws(Unusable) -> Condition.Term? {
    guard matcher["doMatch"] == nil else { throw Unusable("\(what): chains of matchers are not supported") }
    guard matcher["value"] != nil || matcher["matcher"] != nil else { return nil }
    if matcher["matcher"]?.string?.lowercased() == "array", let values = matcher["value"]?.strings,
      matcher["config"]?["ignoreOrder"]?.isTrue == true, matcher["config"]?["ignoreOccurrences"] == nil
    {
      let conditions = values.map { Condition.all([.equals($0)]) }
      return matcher["config"]?["ignoreUnknown"]?.isTrue == true ? .includes(conditions) : .hasExactly(conditions)
    }
    if matcher["value"]?.isArray == true || matcher["value"]?.isObject == true {
      throw Unusable("\(what): the matcher \"\(matcher["matcher"]?.string ?? "")\" is not supported")
    }
    let ignoresCase = matcher["config"]?["ignoreCase"]?.isTrue == true
    let term = try term(matcher["matcher"]?.string ?? "exact", matcher["value"]?.scalar ?? "", what)
    if ignoresCase, case .equals(let text) = term { return .equalsIgnoringCase(text) }
    return term
  }

  private static func term(_ matcher: String, _ value: String, _ what: String) throws(Unusable) -> Condition.Term {
    switch matcher.lowercased() {
    case "exact", "": return .equals(value)
    case "negate": return .doesNotMatch(try WireMockCondition.regex(TextPattern.escaped(value), what))
    case "glob":
      guard value.contains("*") else { return .equals(value) }
      let pieces = value.split(separator: "*", omittingEmptySubsequences: false).map { TextPattern.escaped(String($0)) }
      return .matches(try WireMockCondition.regex("(?s)" + pieces.joined(separator: ".*"), what))
    // A Go regular expression matches anywhere in a value.
    case "regex": return .matches(try WireMockCondition.regex("(?s:.*)(?:\(value))(?s:.*)", what))
    default: throw Unusable("\(what): the matcher \"\(matcher.prefix(40))\" is not supported")
    }
  }
}
