import CassetteHTTP
import CassetteJSON
internal import CassettePatterns
package import Cassettes

/// Rules of every kind, as a seed has them.
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
    switch (Int.random(in: 0..<7, using: &random), pattern) {
    case (0, let pattern?): return .matches(pattern)
    case (1, let pattern?): return .doesNotMatch(pattern)
    case (2, _): return .contains(text)
    case (3, _): return .doesNotContain(text)
    case (4, _): return .equalsIgnoringCase(text)
    case (5, _): return .absent(false)
    default: return .equals(text)
    }
  }

  package static func conditions(_ names: [String], _ random: inout Seeded) -> NamedConditions {
    NamedConditions(names.filter { _ in Bool.random(using: &random) }.map { .init($0, condition(&random)) })
  }

  package static func match(_ random: inout Seeded) -> MatchRules {
    var rules = MatchRules()
    rules.methods = some(&random) {
      [.any, .listed([.get]), .listed([.get, .post])].randomElement(using: &$0) ?? .any
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
    rules.priority = Int.random(in: -2...2, using: &random)
    rules.ignoresBody = Int.random(in: 0..<4, using: &random) == 0
    if !rules.ignoresBody {
      for _ in 0..<Int.random(in: 0...3, using: &random) { rules.body.append(body(&random)) }
    }
    return rules
  }

  package static func body(_ random: inout Seeded) -> BodyRule {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .base64([0, 255, 1])
    case 1:
      return .values(
        conditions(["$.a", "$[*].b", "$[?@.c < 1]"], &random).entries.compactMap { entry in
          (try? JSONQuery(entry.name)).map { PlacedCondition($0, entry.condition) }
        })
    case 2: return .form(conditions(["a", "b c"], &random))
    case 3:
      return .json(
        Array(["1", "{\"a\":[1.0,2]}", "\"é\""].randomElement(using: &random)?.utf8 ?? "1".utf8),
        ignoring: ["$.a", "$.b[*]"].compactMap { try? JSONQuery($0) }.filter { _ in Bool.random(using: &random)
        },
        extra: Bool.random(using: &random), order: Bool.random(using: &random))
    default:
      // Several of one kind are several objects, and those are several rules.
      return .text(.all([term(&random)]))
    }
  }

  package static func replay(_ random: inout Seeded) -> ReplayRules {
    var rules = ReplayRules()
    rules.delay = some(&random) { [.recorded, .seconds(0.25), .seconds(3)].randomElement(using: &$0) ?? .recorded }
    rules.fault = some(&random) { ReplayRules.Fault.allCases.randomElement(using: &$0) ?? .reset }
    rules.when = some(&random) { [.init("a", word(&$0)), .init("b", word(&$0))] } ?? []
    rules.then = some(&random) { [.init("a", word(&$0))] } ?? []
    return rules
  }
}
