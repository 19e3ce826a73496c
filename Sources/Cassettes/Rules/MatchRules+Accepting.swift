import HTTP
import JSONText

/// Whether a request is one that an interaction with rules answers, and if not, why.
extension MatchRules {
  /// Whether a method is one of those it answers.
  func accepts(method: HTTPMethod, recorded: HTTPMethod) -> Bool {
    switch methods {
    case .any: true
    case .listed(let methods): methods.contains(method)
    case nil: method == recorded
    }
  }

  /// Whether path and query are what it answers.
  func accepts(target: String, of interaction: Interaction) -> Bool {
    let parts = Target(target)
    return pathMismatch(parts, interaction) == nil && queryMismatches(parts, interaction).isEmpty
  }

  /// Everything in which a request is not what is wanted, the method aside.
  func mismatches(of request: HTTPRequest, from interaction: Interaction) -> [Mismatch] {
    let parts = Target(request.pathAndQuery)
    var found = [pathMismatch(parts, interaction)].compactMap(\.self)
    found += queryMismatches(parts, interaction)
    for entry in headers.entries {
      let sent = request.headers.values(of: entry.name)
      if entry.condition.isMet(by: sent) { continue }
      found.append(
        Mismatch(
          part: "header.\(entry.name)",
          sent: sent.isEmpty
            ? nil : SecretNames.masked(field: entry.name, value: sent.joined(separator: ", ")),
          wanted: SecretNames.masked(field: entry.name, value: entry.condition.words)))
    }
    if !cookies.isEmpty {
      let sent = Self.cookies(of: request)
      for entry in cookies.entries where !entry.condition.isMet(by: sent[entry.name] ?? []) {
        // Cookies are secrets all of them.
        found.append(
          Mismatch(
            part: "cookie.\(entry.name)", sent: sent[entry.name] == nil ? nil : SecretNames.mask,
            wanted: SecretNames.masked(field: "Cookie", value: entry.condition.words)))
      }
    }
    for rule in body { found += rule.mismatches(of: request) }
    return found
  }

  /// A target as rules look at it.
  private struct Target {
    let whole: String
    let path: String
    let query: String

    init(_ target: String) {
      whole = target
      path = String(target.prefix { $0 != "?" })
      query = String(target.dropFirst(path.count + 1))
    }
  }

  /// Whether a request is one it answers, the method aside.
  func accepts(_ request: HTTPRequest, _ interaction: Interaction) -> Bool {
    // Of many rules the path rules out most.
    isPathMet(Target(request.pathAndQuery), interaction) && mismatches(of: request, from: interaction).isEmpty
  }

  private func isPathMet(_ sent: Target, _ interaction: Interaction) -> Bool {
    if let url { return url.isMet(by: [sent.whole]) }
    switch path {
    case .condition(let condition): return condition.isMet(by: [sent.path])
    case .template(let template): return template.canonical.matches(CanonicalTarget.spelling(of: sent.path))
    case .literal(let text): return CanonicalTarget.spelling(of: sent.path) == CanonicalTarget.spelling(of: text)
    case nil:
      return CanonicalTarget.spelling(of: sent.path)
        == CanonicalTarget.spelling(of: Target(interaction.pathAndQuery).path)
    }
  }

  private func pathMismatch(_ sent: Target, _ interaction: Interaction) -> Mismatch? {
    if isPathMet(sent, interaction) { return nil }
    if let url { return Mismatch(part: "url", sent: SecretNames.masked(url: sent.whole), wanted: url.words) }
    switch path {
    case .condition(let condition): return Mismatch(part: "path", sent: sent.path, wanted: condition.words)
    case .template(let template): return Mismatch(part: "path", sent: sent.path, wanted: "\"\(template.text)\"")
    case .literal(let text): return Mismatch(part: "path", sent: sent.path, wanted: "\"\(text)\"")
    case nil: return Mismatch(part: "path", sent: sent.path, recorded: Target(interaction.pathAndQuery).path)
    }
  }

  private func queryMismatches(_ sent: Target, _ interaction: Interaction) -> [Mismatch] {
    guard url == nil else { return [] }
    let recorded = Target(interaction.pathAndQuery).query
    if query.isEmpty { return Matcher.queryMismatches(sent: sent.query, recorded: recorded) }
    let items = Dictionary(grouping: QueryItem.parse(sent.query), by: \.name)
    var found: [Mismatch] = []
    for entry in query.entries where entry.name != "*" {
      let values = (items[entry.name] ?? []).map { $0.value ?? "" }
      if entry.condition.isMet(by: values) { continue }
      let isSecret = SecretNames.isParameter(entry.name)
      found.append(
        Mismatch(
          part: "query.\(entry.name)",
          sent: values.isEmpty ? nil : isSecret ? SecretNames.mask : values.joined(separator: ", "),
          wanted: isSecret ? SecretNames.mask : entry.condition.words))
    }
    let listed = Set(query.entries.map(\.name))
    // `"*": "ignore"`: parameters nobody speaks of may be there or not.
    if listed.contains("*") { return found }
    return found + Matcher.queryMismatches(sent: sent.query, recorded: recorded, except: listed)
  }

  /// RFC 6265 §5.4: pairs with semicolons between them.
  private static func cookies(of request: HTTPRequest) -> [String: [String]] {
    var cookies: [String: [String]] = [:]
    for field in request.headers.values(of: "Cookie") {
      for pair in field.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        let name = pair.prefix { $0 != "=" }
        cookies[String(name), default: []].append(String(pair.dropFirst(name.count + 1)))
      }
    }
    return cookies
  }
}

extension BodyRule {
  /// In what a body is not what is wanted.
  fileprivate func mismatches(of request: HTTPRequest) -> [Mismatch] {
    let body = request.body
    switch self {
    case .text(let condition):
      let asksPresence = condition == .all([.absent(true)]) || condition == .all([.absent(false)])
      let values = asksPresence && body.isEmpty ? [] : [String(decoding: body, as: UTF8.self)]
      if condition.isMet(by: values) { return [] }
      let sent = SecretNames.masked(body: String(values.first?.prefix(200) ?? ""), contentType: nil)
      return [
        Mismatch(
          part: "body", sent: values.isEmpty ? nil : sent,
          wanted: SecretNames.masked(body: condition.words, contentType: nil))
      ]
    case .base64(let bytes):
      return body == bytes
        ? [] : [Mismatch(part: "body", sent: "\(body.count) bytes", wanted: "\(bytes.count) other bytes")]
    case .json(let value, let ignored, let extra, let order):
      let tolerance = JSONTolerance(ignored: ignored, allowsExtra: extra, allowsAnyOrder: order)
      guard JSONPlace("$")?.values(in: body) != nil else {
        return [Mismatch(part: "body", sent: "\(body.count) bytes that are no JSON", wanted: "JSON")]
      }
      return JSONDifference.between(body, value, allowing: tolerance).filter { !BodyComparison.isSecret($0) }
        .prefix(8).map { difference in
          let shown = BodyComparison.mismatch(difference)
          return Mismatch(part: shown.part, sent: shown.sent, wanted: shown.recorded ?? "none")
        }
    case .values(let conditions):
      return conditions.entries.compactMap { entry in
        let values = JSONPlace(entry.name)?.values(in: body) ?? []
        return Self.mismatch("body.\(entry.name)", values, entry)
      }
    case .form(let conditions):
      let items = Dictionary(grouping: QueryItem.parse(body), by: \.name)
      return conditions.entries.compactMap { entry in
        Self.mismatch("form.\(entry.name)", (items[entry.name] ?? []).map { $0.value ?? "" }, entry)
      }
    }
  }

  private static func mismatch(_ part: String, _ values: [String], _ entry: NamedConditions.Entry) -> Mismatch? {
    if entry.condition.isMet(by: values) { return nil }
    let hides = entry.name.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    let sent = values.joined(separator: ", ").prefix(200)
    return Mismatch(
      part: part, sent: values.isEmpty ? nil : hides ? SecretNames.mask : "\"\(sent)\"",
      wanted: hides ? SecretNames.mask : entry.condition.words)
  }
}
