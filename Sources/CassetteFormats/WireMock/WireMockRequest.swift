import CassetteEngines
import CassetteHTTP
internal import CassetteJSON
import CassettePatterns
internal import CassetteSystem
import Cassettes

/// Converts the request of a stub mapping to an example request and the rules for matching other requests.
struct WireMockRequest {
  private let request: SourceValue?

  init(_ request: SourceValue?) { self.request = request }

  private static let known: Set<String> = [
    "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "queryParameters", "formParameters",
    "pathParameters", "headers", "cookies", "basicAuthCredentials", "bodyPatterns", "multipartPatterns", "host", "port",
    "scheme",
  ]

  /// Creates an exchange with the request and its rules.
  func exchange(_ notes: inout ImportNotes) throws(Unusable) -> Exchange {
    // If an unknown condition were dropped, the mapping would match too many requests.
    for member in request?.json.members ?? [] where !Self.known.contains(member.name) && !member.value.isNull {
      throw Unusable("request.\(member.name.prefix(40)) is not supported")
    }
    var match = MatchRules()
    var exchange = Exchange(method: try method(&match), url: try url(&match, &notes), status: 200)
    try fields(&exchange, &match)
    for cookie in request?["cookies"]?.members ?? [] {
      match.cookies.entries.append(
        .init(cookie.name, try WireMockCondition.condition(cookie.value, "cookies.\(cookie.name)")))
    }
    try body(&exchange, &match)
    for pattern in request?["bodyPatterns"]?.elements ?? [] { mentionFilters(in: pattern, &notes) }
    exchange.match = match
    return exchange
  }

  private func method(_ match: inout MatchRules) throws(Unusable) -> String {
    guard let method = request?["method"] else {
      match.methods = .any
      return example
    }
    if let name = method.string {
      if name == "GET_OR_HEAD" {
        match.methods = .listed([.get, .head])
        return "GET"
      }
      guard name == "ANY" else { return name }
      match.methods = .any
      return example
    }
    if let names = method["noneOf"]?.strings, names.allSatisfy({ FieldSyntax.isToken($0) }) {
      match.methods = .except(names.map { HTTPMethod($0) })
      return ["GET", "POST", "PUT", "DELETE"].first { !names.contains($0) } ?? "PATCH"
    }
    // In a list, `ANY` is the name of a method.
    let names = ((method["oneOf"] ?? method["or"])?.strings ?? []).filter { $0 != "ANY" }
    guard let first = names.first, names.allSatisfy({ FieldSyntax.isToken($0) }) else {
      throw Unusable(
        "request.method: \(method.json.members.map(\.name).joined(separator: " and ")) is not supported")
    }
    match.methods = .listed(names.map { HTTPMethod($0) })
    return first
  }

  /// The method of the example request if the mapping does not specify one.
  private var example: String { request?["bodyPatterns"] != nil || request?["formParameters"] != nil ? "POST" : "GET" }

  /// Notes JSON paths with filters that WireMock also applies to the object itself.
  private func mentionFilters(in pattern: SourceValue, _ notes: inout ImportNotes) {
    for part in ["and", "or"].flatMap({ pattern[$0]?.elements ?? [] }) + [pattern["not"]].compactMap(\.self) {
      mentionFilters(in: part, &notes)
    }
    guard let path = pattern["matchesJsonPath"] else { return }
    if WireMockPath.isApproximate((path["expression"] ?? path).string ?? "", isCompared: path.isObject) {
      notes.mention("filters of JSON paths, which apply only to the elements of arrays", at: path)
    }
  }

  // MARK: URL

  private func url(_ match: inout MatchRules, _ notes: inout ImportNotes) throws(Unusable) -> String {
    var target = try path(&match)
    if !target.hasPrefix("/"), !target.contains("://") { target = "/\(target)" }
    var items: [String] = []
    for parameter in request?["queryParameters"]?.members ?? [] {
      let condition = try WireMockCondition.condition(parameter.value, "queryParameters.\(parameter.name)")
      match.query.entries.append(.init(parameter.name, condition))
      if let value = Self.example(of: condition), request?["url"] == nil {
        items.append(Exchange.parameter(parameter.name, value))
      }
    }
    // Without a complete URL, any query matches.
    if request?["url"] == nil, match.url == nil, !isWhole { match.query.entries.append(.init("*", .ignore)) }
    if !items.isEmpty { target += (target.contains("?") ? "&" : "?") + items.joined(separator: "&") }
    let (scheme, port) = (request?["scheme"]?.string, request?["port"]?.scalar)
    if let condition = try WireMockHost.condition(host: request?["host"], port: port, scheme: scheme) {
      match.headers.entries.append(.init("Host", condition))
    }
    guard let name = request?["host"]?["equalTo"]?.string, target.hasPrefix("/") else {
      if let value = request?["scheme"] { notes.leave("request.scheme", at: value) }
      return target
    }
    if let value = request?["scheme"] { notes.mention("request.scheme, imported as part of the URL", at: value) }
    return "\(scheme ?? "http")://\(name)\(port.map { ":\($0)" } ?? "")\(target)"
  }

  /// True if one pattern applies to the path and the query together.
  private var isWhole: Bool { request?["urlPattern"] != nil }

  private func path(_ match: inout MatchRules) throws(Unusable) -> String {
    if let url = request?["url"]?.string {
      // The URL is compared as a string, so the order of parameters matters.
      if url.contains("&"), url.hasPrefix("/"), request?["queryParameters"] == nil { match.url = .all([.equals(url)]) }
      return url
    }
    if let path = request?["urlPath"]?.string { return path }
    if let pattern = request?["urlPattern"]?.string {
      if let literal = Self.literal(pattern) { return literal }
      guard request?["queryParameters"] == nil else {
        throw Unusable("urlPattern together with queryParameters is not supported")
      }
      let regex = try WireMockCondition.regex(pattern, "urlPattern", ofTarget: true)
      match.url = .all([.matches(regex)])
      return Self.example(of: regex, whole: true)
    }
    if let pattern = request?["urlPathPattern"]?.string {
      if let literal = Self.literal(pattern) { return literal }
      let regex = try WireMockCondition.regex(pattern, "urlPathPattern", ofTarget: true)
      match.path = .condition(.all([.matches(regex)]))
      return Self.example(of: regex, whole: false)
    }
    if let template = request?["urlPathTemplate"]?.string { return try path(of: template, &match) }
    guard request?["urlPathTemplate"] == nil, request?["urlPattern"] == nil else {
      throw Unusable("the URL is not a string")
    }
    match.path = .condition(.ignore)
    return "/"
  }

  private func path(of template: String, _ match: inout MatchRules) throws(Unusable) -> String {
    var conditions: [String: Condition] = [:]
    for parameter in request?["pathParameters"]?.members ?? [] {
      conditions[parameter.name] = try WireMockCondition.condition(parameter.value, "pathParameters.\(parameter.name)")
    }
    return try WireMockPathTemplate(template).path(conditions, &match)
  }

  private static func example(of regex: TextPattern, whole: Bool) -> String {
    // Unescaped dots in a pattern are most often meant literally.
    let dotted = literal(regex.source.replacing("\\.", with: ".").replacing(".", with: "\\."))
    let named = dotted.flatMap { regex.matches($0) ? $0 : nil }
    guard let sample = named ?? regex.sample, sample.hasPrefix("/"), whole || !sample.contains("?"),
      !sample.unicodeScalars.contains(where: { $0.value <= 0x20 || $0 == "#" })
    else { return "/" }
    return sample
  }

  /// Returns a value that meets a condition, or nil if no value can be derived or the value must be absent.
  private static func example(of condition: Condition) -> String? {
    guard case .all(let terms) = condition, let first = terms.first else { return nil }
    switch first {
    case .equals(let text), .equalsIgnoringCase(let text), .contains(let text): return text
    case .matches(let pattern): return pattern.sample
    case .oneOf(let texts): return texts.first
    case .and(let conditions), .or(let conditions), .includes(let conditions), .hasExactly(let conditions):
      return conditions.lazy.compactMap { example(of: $0) }.first
    case .doesNotContain, .doesNotMatch, .absent, .number, .time, .not: return nil
    }
  }

  /// Returns the only string that a regular expression matches, or nil if there are several.
  static func literal(_ pattern: String) -> String? {
    var text = ""
    var isEscaped = false
    for character in pattern {
      if isEscaped {
        // Escapes such as `\d` match several characters.
        if character.isLetter || character.isNumber { return nil }
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if ".*+?()[]{}|^$".contains(character) {
        return nil
      } else {
        text.append(character)
      }
    }
    return isEscaped || text.isEmpty ? nil : text
  }

  // MARK: Fields and body

  private func fields(_ exchange: inout Exchange, _ match: inout MatchRules) throws(Unusable) {
    for header in request?["headers"]?.members ?? [] {
      guard FieldSyntax.isToken(header.name) else {
        throw Unusable("headers: \"\(header.name.prefix(40))\" is not a field name")
      }
      let condition = try WireMockCondition.condition(header.value, "headers.\(header.name)")
      match.headers.entries.append(.init(header.name, condition))
      // A field with a single possible value is added to the example request.
      if case .all(let terms) = condition, case .equals(let text)? = terms.first {
        exchange.requestHeaders.append((header.name, text))
      }
    }
    guard let credentials = request?["basicAuthCredentials"] else { return }
    let (user, password) = (credentials["username"]?.scalar ?? "", credentials["password"]?.scalar ?? "")
    let value = "Basic \(BodyBase64.text(of: Array("\(user):\(password)".utf8)))"
    match.authorization = .basic(user: .all([.equals(user)]), password: .all([.equals(password)]))
    exchange.requestHeaders.append(("Authorization", value))
  }

  private static func parts(_ patterns: [SourceValue]) throws(Unusable) -> [PartRule] {
    var parts: [PartRule] = []
    for pattern in patterns { parts.append(try part(pattern)) }
    return parts
  }

  /// Reads the rule for one part of a multipart body, or for every part.
  private static func part(_ pattern: SourceValue) throws(Unusable) -> PartRule {
    var part = PartRule()
    for member in pattern.members where !member.value.isNull {
      let what = "multipartPatterns: \(member.name.prefix(40))"
      switch member.name {
      case "matchingType": part.isEvery = member.value.string == "ALL"
      case "name": part.name = .all([.equals(member.value.scalar ?? "")])
      case "fileName":
        part.filename =
          member.value.isObject
          ? try WireMockCondition.condition(member.value, what) : .all([.equals(member.value.scalar ?? "")])
      case "headers":
        for header in member.value.members {
          part.headers.entries.append(.init(header.name, try WireMockCondition.condition(header.value, what)))
        }
      case "bodyPatterns": for rule in member.value.elements { part.body.append(try WireMockCondition.body(rule)) }
      default: throw Unusable("\(what) is not supported")
      }
    }
    return part
  }

  private func body(_ exchange: inout Exchange, _ match: inout MatchRules) throws(Unusable) {
    for pattern in request?["bodyPatterns"]?.elements ?? [] {
      let rule = try WireMockCondition.body(pattern)
      match.body.append(rule)
      switch rule {
      case .json(let value, _, _, _):
        let written = pattern["equalToJson"]
        exchange.requestBody = written?.isString == true ? written?.stringBytes ?? value : value
      case .base64(let bytes): exchange.requestBody = bytes
      case .text(.all(let terms)):
        if case .equals(let text)? = terms.first { exchange.requestBody = Array(text.utf8) }
      case .and, .text, .values, .form, .schema, .parts, .graphQL, .jsonRPC, .or, .not: break
      }
    }
    let parts = request?["multipartPatterns"]?.elements ?? []
    if !parts.isEmpty { match.body.append(.parts(try Self.parts(parts))) }
    var form = NamedConditions()
    for parameter in request?["formParameters"]?.members ?? [] {
      form.entries.append(
        .init(parameter.name, try WireMockCondition.condition(parameter.value, "formParameters.\(parameter.name)")))
    }
    if !form.isEmpty { match.body.append(.form(form)) }
  }
}
