import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSecrets
package import Cassettes

/// Finds and redacts secrets in the matching rules of an exchange.
///
/// Each value is scanned like the part of a request that it is compared with, so that the same names identify secrets.
package enum RuleTexts {
  private enum Place {
    case header(String)
    case cookie(String)
    case parameter(String)
    case text
    case body
  }

  /// Returns the strings in the rules, each as it would appear in a request.
  package static func all(of match: MatchRules) -> [ExchangeText] {
    guard !match.isEmpty else { return [] }
    var texts: [ExchangeText] = []
    _ = mapped(match) { (text, place) throws(Never) in
      let (written, context) = written(text, place)
      var part = ExchangeText(context: context, bytes: Array(written.utf8), part: "match")
      if case .header(let name) = place { part.field = name }
      if case .body = place, case .json = Body.storing(part.bytes).form { part.isVerbatim = true }
      texts.append(part)
      return text
    }
    return texts
  }

  /// Returns the rules with secrets replaced by aliases.
  package static func redacting(_ match: MatchRules, _ pass: inout StreamedRedaction) -> MatchRules {
    guard !match.isEmpty else { return match }
    return mapped(match) { (text, place) throws(Never) in
      let (written, context) = written(text, place)
      return read(pass.redacting(written, as: context), place) ?? text
    }
  }

  private static func written(_ text: String, _ place: Place) -> (String, ScannedText.Context) {
    switch place {
    case .header(let name): (text, .header(name.lowercased()))
    case .cookie(let name): ("\(name)=\(text)", .header("cookie"))
    case .parameter(let name): ("/?\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))", .url)
    case .text, .body: (text, .body)
    }
  }

  private static func read(_ written: String, _ place: Place) -> String? {
    switch place {
    case .header, .text, .body: written
    case .cookie(let name): String(written.dropFirst(name.count + 1))
    case .parameter: QueryItem.parse(String(written.drop { $0 != "?" }.dropFirst())).first?.value
    }
  }

  // MARK: All strings of the rules

  private typealias Change<E: Error> = (String, Place) throws(E) -> String

  private static func mapped<E>(_ match: MatchRules, _ change: Change<E>) throws(E) -> MatchRules {
    var match = match
    if let note = match.note { match.note = try change(note, .text) }
    if let url = match.url { match.url = try mapped(url, .text, change) as Condition }
    switch match.path {
    case .condition(let condition): match.path = .condition(try mapped(condition, .text, change) as Condition)
    // An alias as a path segment becomes a template variable, which matches any segment.
    case .literal(let text): match.path = MatchRules.path(try change(text, .text))
    case .template(let template): match.path = MatchRules.path(try change(template.text, .text))
    case nil: break
    }
    match.query = try mapped(match.query, change) { .parameter($0) }
    match.headers = try mapped(match.headers, change) { .header($0) }
    match.cookies = try mapped(match.cookies, change) { .cookie($0) }
    switch match.authorization {
    case .basic(let user, let password):
      match.authorization = .basic(
        user: try mapped(user, .text, change), password: try mapped(password, .parameter("password"), change))
    case .bearer(let token): match.authorization = .bearer(try mapped(token, .parameter("access_token"), change))
    case .some(.none), nil: break
    }
    match.body = try mapped(match.body, change)
    return match
  }

  private static func mapped<E>(_ rules: [BodyRule], _ change: Change<E>) throws(E) -> [BodyRule] {
    var changed: [BodyRule] = []
    for rule in rules { changed.append(try mapped(rule, change)) }
    return changed
  }

  private static func mapped<E>(_ rule: BodyRule, _ change: Change<E>) throws(E) -> BodyRule {
    switch rule {
    case .text(let condition): return .text(try mapped(condition, .body, change) as Condition)
    case .json(let value, let ignored, let extra, let order):
      let text = try change(String(decoding: value, as: UTF8.self), .body)
      return .json(Array(text.utf8), ignoring: ignored, extra: extra, order: order)
    case .values(let conditions): return .values(try mapped(conditions, change))
    case .form(let conditions): return .form(try mapped(conditions, change) { .parameter($0) })
    case .base64: return rule
    case .schema(let schema):
      let text = try change(String(decoding: schema.text, as: UTF8.self), .body)
      // If a schema no longer compiles after redaction, its rule must not match any body, or it would match more than
      // before.
      return (try? Engines.linked.schemas?.schema(Array(text.utf8))).map { .schema(BodySchema($0)) }
        ?? .text(.all([.absent(false), .absent(true)]))
    case .parts(var parts):
      for index in parts.indices {
        parts[index].name = try mapped(parts[index].name, .text, change)
        parts[index].filename = try mapped(parts[index].filename, .text, change)
        parts[index].headers = try mapped(parts[index].headers, change) { .header($0) }
        parts[index].body = try mapped(parts[index].body, change)
      }
      return .parts(parts)
    case .graphQL(var rule):
      rule.operation = try mapped(rule.operation, .text, change)
      if let query = rule.query { rule.query = try change(query, .body) }
      rule.variables = try mapped(rule.variables, change)
      return .graphQL(rule)
    case .jsonRPC(var rule):
      rule.method = try mapped(rule.method, .text, change)
      rule.params = try mapped(rule.params, change)
      return .jsonRPC(rule)
    case .and(let rules): return .and(try mapped(rules, change))
    case .or(let rules): return .or(try mapped(rules, change))
    case .not(let rule): return .not(try mapped(rule, change))
    }
  }

  private static func mapped<E>(_ conditions: [PlacedCondition], _ change: Change<E>) throws(E) -> [PlacedCondition] {
    var changed = conditions
    for (index, entry) in conditions.enumerated() {
      // The last name in the expression, in any notation.
      let name = entry.place.description.split { ".['\"]".contains($0) }.last
      changed[index].condition = try mapped(entry.condition, .parameter(String(name ?? "")), change)
    }
    return changed
  }

  private static func mapped<E>(_ condition: Condition?, _ place: Place, _ change: Change<E>) throws(E) -> Condition? {
    guard let condition else { return nil }
    return try mapped(condition, place, change) as Condition
  }

  private static func mapped<E>(_ all: [Condition], _ place: Place, _ change: Change<E>) throws(E) -> [Condition] {
    var changed: [Condition] = []
    for condition in all { changed.append(try mapped(condition, place, change) as Condition) }
    return changed
  }

  private static func mapped<E>(
    _ conditions: NamedConditions, _ change: Change<E>, _ place: (String) -> Place
  ) throws(E) -> NamedConditions {
    var entries: [NamedConditions.Entry] = []
    for entry in conditions.entries {
      entries.append(.init(entry.name, try mapped(entry.condition, place(entry.name), change) as Condition))
    }
    return NamedConditions(entries)
  }

  private static func mapped<E>(_ condition: Condition, _ place: Place, _ change: Change<E>) throws(E) -> Condition {
    guard case .all(let terms) = condition else { return condition }
    var changed: [Condition.Term] = []
    for term in terms {
      switch term {
      case .equals(let text): changed.append(.equals(try change(text, place)))
      case .equalsIgnoringCase(let text): changed.append(.equalsIgnoringCase(try change(text, place)))
      // Names identify secrets only in exact values; in patterns, only known secrets are replaced.
      case .contains(let text):
        let after = try change(text, .text)
        changed.append(after == text ? term : pattern(after, isLiteral: true).map { .matches($0) } ?? .absent(false))
      case .doesNotContain(let text):
        changed.append(try change(text, .text) == text ? term : .absent(false))
      case .matches(let regex):
        let after = try change(regex.source, .text)
        changed.append(
          after == regex.source ? term : pattern(after, isLiteral: false).map { .matches($0) } ?? .absent(false))
      case .doesNotMatch(let regex):
        changed.append(try change(regex.source, .text) == regex.source ? term : .absent(false))
      case .absent, .number, .time: changed.append(term)
      case .oneOf(let texts):
        var all: [String] = []
        for text in texts { all.append(try change(text, place)) }
        changed.append(.oneOf(all))
      case .not(let condition): changed.append(.not(try mapped(condition, place, change) as Condition))
      case .and(let all): changed.append(.and(try mapped(all, place, change)))
      case .or(let all): changed.append(.or(try mapped(all, place, change)))
      case .includes(let all): changed.append(.includes(try mapped(all, place, change)))
      case .hasExactly(let all): changed.append(.hasExactly(try mapped(all, place, change)))
      }
    }
    return .all(changed)
  }

  /// Returns a pattern in which each alias matches any text.
  private static func pattern(_ text: String, isLiteral: Bool) -> TextPattern? {
    var source = isLiteral ? "(?s).*" : ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{secret"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let before = String(rest[..<start.lowerBound])
      source += (isLiteral ? TextPattern.escaped(before) : before) + ".+"
      rest = rest[end.upperBound...]
    }
    source += isLiteral ? TextPattern.escaped(String(rest)) + ".*" : String(rest)
    return try? TextPattern(source)
  }
}
