import CassetteJSON
import CassettePatterns
import Cassettes

/// Translates `host` and `port` of a stub mapping to a condition on the `Host` field.
enum WireMockHost {
  /// Returns the condition, or nil if the mapping has neither `host` nor `port`.
  static func condition(host: JSONValue?, port: String?, scheme: String?) throws(Unusable) -> Condition? {
    var terms: [Condition.Term] = []
    if let host, case .all(let asked) = try WireMockCondition.condition(host, "request.host") {
      for term in asked { terms.append(try self.term(term)) }
    }
    if let port {
      // Clients omit the default port of a scheme.
      let mayBeMissing = port == (scheme == "https" ? "443" : "80")
      let end = mayBeMissing ? "(?::\(TextPattern.escaped(port)))?" : ":\(TextPattern.escaped(port))"
      terms.append(.matches(try pattern("(?:\\[.*\\]|[^:]*)", end)))
    }
    return terms.isEmpty ? nil : .all(terms)
  }

  private static func term(_ term: Condition.Term) throws(Unusable) -> Condition.Term {
    switch term {
    case .equals(let name), .equalsIgnoringCase(let name): .matches(try pattern("(?i)\(TextPattern.escaped(name))"))
    case .contains(let text): .matches(try pattern("(?i)[^:]*\(TextPattern.escaped(text))[^:]*"))
    case .doesNotContain(let text): .doesNotMatch(try pattern("(?i)[^:]*\(TextPattern.escaped(text))[^:]*"))
    case .matches(let name): .matches(try pattern("(?:\(name.source))"))
    case .doesNotMatch(let name): .doesNotMatch(try pattern("(?:\(name.source))"))
    case .not(let condition): .not(try all(condition))
    case .or(let conditions):
      .or(try conditions.map { (condition) throws(Unusable) in try all(condition) })
    case .absent: term
    case .oneOf, .number, .time, .and, .includes, .hasExactly:
      throw Unusable("request.host: \(Condition.all([term]).words.prefix(60)) is not supported")
    }
  }

  private static func all(_ condition: Condition) throws(Unusable) -> Condition {
    guard case .all(let terms) = condition else { return condition }
    return .all(try terms.map { (term) throws(Unusable) in try self.term(term) })
  }

  private static func pattern(_ name: String, _ port: String = "(?::[0-9]+)?") throws(Unusable) -> TextPattern {
    try WireMockCondition.regex("\(name)\(port)", "request.host", ofTarget: true)
  }
}
