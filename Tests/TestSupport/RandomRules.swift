internal import CassetteEngines
import CassetteHTTP
import CassetteJSON
internal import CassettePatterns
package import Cassettes

/// Makes random rules of every kind from a seed.
package enum RandomRules {
  private static let words = ["a", "ignore", "", "é\"\\", "1", "a b", "{{secret:1}}", "\u{1}\n", "🐟"]

  package static func word(_ random: inout Seeded) -> String { words.randomElement(using: &random) ?? "" }

  private static func some<T>(_ random: inout Seeded, _ make: (inout Seeded) -> T) -> T? {
    Bool.random(using: &random) ? make(&random) : nil
  }

  package static func condition(_ random: inout Seeded) -> Condition {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .ignore
    case 1: return .all([.absent(true)])
    case 2: return .all([.equals(word(&random))])
    default: return .all((0..<Int.random(in: 1...3, using: &random)).map { _ in term(&random) })
    }
  }

  package static func term(_ random: inout Seeded) -> Condition.Term {
    let text = word(&random)
    let pattern = try? TextPattern(["a+", "[a-z]*", #"\d"#].randomElement(using: &random) ?? "a")
    switch (Int.random(in: 0..<10, using: &random), pattern) {
    case (0, let pattern?): return .matches(pattern)
    case (1, let pattern?): return .doesNotMatch(pattern)
    case (2, _): return .contains(text)
    case (3, _): return .doesNotContain(text)
    case (4, _): return .equalsIgnoringCase(text)
    case (5, _): return .absent(false)
    case (6, _): return .oneOf([text, "b"])
    case (7, _): return NumberBound(.atLeast, "1.50").map { .number($0) } ?? .equals(text)
    case (8, _): return TimeBound(.before, "2026-11-22").map { .time($0) } ?? .equals(text)
    default: return .equals(text)
    }
  }

  /// Returns a combination of conditions.
  ///
  /// In the text of a body these are combined rules.
  private static func combined(_ random: inout Seeded) -> Condition {
    let inner = [condition(&random), condition(&random)]
    let terms: [Condition.Term] = [.not(inner[0]), .and(inner), .or(inner), .includes(inner), .hasExactly(inner)]
    return .all([terms.randomElement(using: &random) ?? .not(inner[0]), term(&random)])
  }

  private static func values(_ random: inout Seeded) -> [PlacedCondition] {
    conditions(["$.a", "$[*].b", "$[?@.c < 1]"], &random).entries.compactMap { entry in
      (try? JSONQuery(entry.name)).map { PlacedCondition($0, entry.condition) }
    }
  }

  package static func conditions(_ names: [String], _ random: inout Seeded) -> NamedConditions {
    NamedConditions(
      names.filter { _ in Bool.random(using: &random) }.map { name in
        .init(name, Int.random(in: 0..<5, using: &random) == 0 ? combined(&random) : condition(&random))
      })
  }

  package static func match(_ random: inout Seeded) -> MatchRules {
    var rules = MatchRules()
    rules.methods = some(&random) {
      [.any, .listed([.get]), .listed([.get, .post]), .except([.put])].randomElement(using: &$0) ?? .any
    }
    if Bool.random(using: &random) {
      rules.path = some(&random) { random in
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .condition(condition(&random))
        case 1: MatchRules.path("/a/{b}/c")
        default: MatchRules.path("/a/b")
        }
      }
      rules.query = conditions(["a", "", "*", "é b", "ignore"], &random)
    } else {
      rules.url = some(&random) { condition(&$0) }
    }
    rules.headers = conditions(["Accept", "X-A"], &random)
    rules.cookies = conditions(["a", "b"], &random)
    rules.authorization = some(&random) { random in
      [
        .none, .basic(user: nil, password: nil), .bearer(nil), .bearer(condition(&random)),
        .basic(user: condition(&random), password: nil), .basic(user: nil, password: condition(&random)),
      ].randomElement(using: &random) ?? AuthorizationRule.none
    }
    rules.priority = Int.random(in: -2...2, using: &random)
    rules.ignoresBody = Int.random(in: 0..<4, using: &random) == 0
    if !rules.ignoresBody {
      for _ in 0..<Int.random(in: 0...3, using: &random) { rules.body.append(body(&random)) }
    }
    return rules
  }

  package static func body(_ random: inout Seeded, depth: Int = 1) -> BodyRule {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random) {
    case 0: return .base64([0, 255, 1])
    case 1: return .values(values(&random))
    case 2: return .form(conditions(["a", "b c"], &random))
    case 3:
      return .json(
        Array(["1", "{\"a\":[1.0,2]}", "\"é\""].randomElement(using: &random)?.utf8 ?? "1".utf8),
        ignoring: ["$.a", "$.b[*]"].compactMap { try? JSONQuery($0) }.filter { _ in Bool.random(using: &random)
        },
        extra: Bool.random(using: &random), order: Bool.random(using: &random))
    case 4:
      return (try? JSONSchema(Array(#"{"type":"object","x":[1.0]}"#.utf8))).map { .schema(BodySchema($0)) }
        ?? .base64([])
    case 5:
      var part = PartRule()
      part.name = some(&random) { condition(&$0) }
      part.filename = some(&random) { condition(&$0) }
      part.headers = conditions(["Accept"], &random)
      part.isEvery = Bool.random(using: &random)
      if depth > 0 { part.body = (0..<Int.random(in: 0...2, using: &random)).map { _ in body(&random, depth: 0) } }
      return .parts([part, PartRule()])
    case 6:
      var rule = GraphQLRule()
      rule.operation = some(&random) { condition(&$0) }
      rule.type = some(&random) { condition(&$0) }
      rule.query = some(&random) { word(&$0) }
      rule.variables = values(&random)
      return .graphQL(rule)
    case 7:
      var rule = JSONRPCRule()
      rule.method = some(&random) { condition(&$0) }
      rule.params = values(&random)
      return .jsonRPC(rule)
    case 9: return .not(body(&random, depth: depth - 1))
    case 10: return .or([body(&random, depth: depth - 1), body(&random, depth: depth - 1)])
    case 11: return .and([body(&random, depth: depth - 1), body(&random, depth: depth - 1)])
    default:
      // Several conditions of one kind are written as several objects, which are read as several rules.
      return .text(.all([term(&random)]))
    }
  }

  package static func replay(_ random: inout Seeded) -> ReplayRules {
    var rules = ReplayRules()
    rules.delay = some(&random) { [.recorded, .seconds(0.25), .seconds(3)].randomElement(using: &$0) ?? .recorded }
    rules.fault = some(&random) { CassetteFault.Kind.allCases.randomElement(using: &$0) ?? .reset }
    rules.when = some(&random) { [.init("a", word(&$0)), .init("b", word(&$0))] } ?? []
    rules.then = some(&random) { [.init("a", word(&$0))] } ?? []
    return rules
  }
}
