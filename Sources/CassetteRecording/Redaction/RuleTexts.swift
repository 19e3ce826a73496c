import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
package import CassetteSecrets
package import Cassettes

/// Finds and redacts secrets in the matching rules of an exchange.
///
/// Each value is scanned like the part of a request that it is compared with, so that the same names identify secrets.
package struct RuleTexts {
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
    _ = RuleTexts {
      texts.append($0)
      return nil
    }.mapped(match)
    return texts
  }

  /// Returns the rules with secrets replaced by aliases.
  package static func redacting(_ match: MatchRules, _ pass: inout RedactionPass) -> MatchRules {
    guard !match.isEmpty else { return match }
    var copy = pass
    defer { pass = copy }
    return RuleTexts { copy.redacting(String(decoding: $0.bytes, as: UTF8.self), as: $0.context) }.mapped(match)
  }

  // MARK: All strings of the rules

  /// Returns the redacted text for a string of the rules as it would appear in a request, or nil if it is unchanged.
  private let redacted: (ExchangeText) -> String?

  private init(_ redacted: @escaping (ExchangeText) -> String?) { self.redacted = redacted }

  private func change(_ text: String, _ place: Place) -> String {
    func redacted(_ text: String, _ context: ScannedText.Context, _ field: String? = nil) -> String? {
      var text = ExchangeText(context: context, bytes: Array(text.utf8), side: "match", field: field)
      if case .body = place, case .json = Body.storing(text.bytes).form { text.isVerbatim = true }
      return self.redacted(text)
    }
    switch place {
    case .header(let name): return redacted(text, .header(name.lowercased()), name) ?? text
    case .cookie(let name):
      return redacted("\(name)=\(text)", .header("cookie")).map { String($0.dropFirst(name.count + 1)) } ?? text
    case .parameter(let name):
      let url = redacted("/?\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))", .url)
      return url.flatMap { QueryItem.all(ofTarget: $0).first?.value } ?? text
    case .text, .body: return redacted(text, .body) ?? text
    }
  }

  private func mapped(_ match: MatchRules) -> MatchRules {
    var match = match
    match.note = match.note.map { change($0, .text) }
    match.url = match.url.map { mapped($0, .text) }
    switch match.path {
    case .condition(let condition): match.path = .condition(mapped(condition, .text))
    // An alias as a path segment becomes a template variable, which matches any segment.
    case .literal(let text): match.path = MatchRules.path(change(text, .text))
    case .template(let template): match.path = MatchRules.path(change(template.text, .text))
    case nil: break
    }
    match.query = mapped(match.query) { .parameter($0) }
    match.headers = mapped(match.headers) { .header($0) }
    match.cookies = mapped(match.cookies) { .cookie($0) }
    switch match.authorization {
    case .basic(let user, let password):
      match.authorization = .basic(
        user: user.map { mapped($0, .text) }, password: password.map { mapped($0, .parameter("password")) })
    case .bearer(let token):
      match.authorization = .bearer(token.map { mapped($0, .parameter("access_token")) })
    case .some(.none), nil: break
    }
    match.body = match.body.map(mapped)
    return match
  }

  private func mapped(_ rule: BodyRule) -> BodyRule {
    switch rule {
    case .text(let condition): return .text(mapped(condition, .body))
    case .json(let value, let ignored, let extra, let order):
      let text = change(String(decoding: value, as: UTF8.self), .body)
      return .json(Array(text.utf8), ignoring: ignored, extra: extra, order: order)
    case .values(let conditions): return .values(mapped(conditions))
    case .form(let conditions): return .form(mapped(conditions) { .parameter($0) })
    case .base64: return rule
    case .schema(let schema):
      let text = change(String(decoding: schema.text, as: UTF8.self), .body)
      // If a schema no longer compiles after redaction, its rule must not match any body, or it would match more than
      // before.
      return (try? Engines.linked.schemas?.schema(Array(text.utf8))).map { .schema(BodySchema($0)) }
        ?? .text(.all([.absent(false), .absent(true)]))
    case .parts(var parts):
      for index in parts.indices {
        parts[index].name = parts[index].name.map { mapped($0, .text) }
        parts[index].filename = parts[index].filename.map { mapped($0, .text) }
        parts[index].headers = mapped(parts[index].headers) { .header($0) }
        parts[index].body = parts[index].body.map(mapped)
      }
      return .parts(parts)
    case .graphQL(var rule):
      rule.operation = rule.operation.map { mapped($0, .text) }
      rule.query = rule.query.map { change($0, .body) }
      rule.variables = mapped(rule.variables)
      return .graphQL(rule)
    case .jsonRPC(var rule):
      rule.method = rule.method.map { mapped($0, .text) }
      rule.params = mapped(rule.params)
      return .jsonRPC(rule)
    case .and(let rules): return .and(rules.map(mapped))
    case .or(let rules): return .or(rules.map(mapped))
    case .not(let rule): return .not(mapped(rule))
    }
  }

  private func mapped(_ conditions: [PlacedCondition]) -> [PlacedCondition] {
    conditions.map { entry in
      var changed = entry
      // The last name in the expression, in any notation.
      let name = entry.place.description.split { ".['\"]".contains($0) }.last
      changed.condition = mapped(entry.condition, .parameter(String(name ?? "")))
      return changed
    }
  }

  private func mapped(_ conditions: NamedConditions, _ place: (String) -> Place) -> NamedConditions {
    NamedConditions(conditions.entries.map { .init($0.name, mapped($0.condition, place($0.name))) })
  }

  private func mapped(_ condition: Condition, _ place: Place) -> Condition {
    guard case .all(let terms) = condition else { return condition }
    return .all(terms.map { mapped($0, place) })
  }

  /// Names identify secrets only in exact values; in patterns, only known secrets are replaced.
  private func mapped(_ term: Condition.Term, _ place: Place) -> Condition.Term {
    func pattern(_ text: String, isLiteral: Bool) -> Condition.Term {
      let after = change(text, .text)
      return after == text ? term : Self.pattern(after, isLiteral: isLiteral).map { .matches($0) } ?? .absent(false)
    }
    switch term {
    case .equals(let text): return .equals(change(text, place))
    case .equalsIgnoringCase(let text): return .equalsIgnoringCase(change(text, place))
    case .contains(let text): return pattern(text, isLiteral: true)
    case .matches(let regex): return pattern(regex.source, isLiteral: false)
    case .doesNotContain(let text): return change(text, .text) == text ? term : .absent(false)
    case .doesNotMatch(let regex): return change(regex.source, .text) == regex.source ? term : .absent(false)
    case .absent, .number, .time: return term
    case .oneOf(let texts): return .oneOf(texts.map { change($0, place) })
    case .not(let condition): return .not(mapped(condition, place))
    case .and(let all): return .and(all.map { mapped($0, place) })
    case .or(let all): return .or(all.map { mapped($0, place) })
    case .includes(let all): return .includes(all.map { mapped($0, place) })
    case .hasExactly(let all): return .hasExactly(all.map { mapped($0, place) })
    }
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
