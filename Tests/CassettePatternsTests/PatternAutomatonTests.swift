import TestSupport
import Testing

@testable import CassettePatterns

/// Compares the automaton of a pattern with the list of threads, which defines the matches of a pattern.
@Suite struct PatternAutomatonTests {
  @Test(arguments: 0..<40)
  func `a pattern's automaton matches the same strings as its thread list`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    for _ in 0..<25 {
      let source = Self.pattern(depth: 4, &random)
      let pattern = try TextPattern(source)
      var parser = PatternParser(source)
      let threads = try PatternProgram(parser.parse())
      for _ in 0..<6 {
        let text = Self.text(&random)
        var (budget, left) = (MatchingBudget(), MatchingBudget.steps)
        let isMatch = pattern.matches(ConditionText(text), &budget)
        #expect(isMatch == threads.matches(text.unicodeScalars.map(\.value), &left), "\(source) on \(text)")
      }
    }
  }

  private static func text(_ random: inout Seeded) -> String {
    (0..<Int.random(in: 0...10, using: &random)).map { _ in
      ["a", "b", "1", "é", "🐟", "\n", "ab1", "É", "a"].randomElement(using: &random) ?? ""
    }.joined()
  }

  private static func pattern(depth: Int, _ random: inout Seeded) -> String {
    func inner() -> String { pattern(depth: depth - 1, &random) }
    switch Int.random(in: 0..<(depth > 0 ? 18 : 9), using: &random) {
    case 0: return "a"
    case 1: return "[ab]"
    case 2: return #"\d"#
    case 3: return "."
    case 4: return ".*"
    case 5: return "[^b]*"
    case 6: return "ab1"
    case 7:
      return ["é", "(?i)é", "🐟", "[é-ü]", #"\s*"#, "(?s).*", "(?s:.*)", "\n"].randomElement(using: &random) ?? "é"
    case 8: return ["^", "$", #"\b"#, #"\B"#, "b", "1b"].randomElement(using: &random) ?? "^"
    case 9: return "(\(inner())|\(inner()))"
    case 10: return "(?:\(inner()))*"
    case 11: return "(?:\(inner())){1,2}"
    case 12: return "(?:\(inner()))?"
    case 13: return "(?=\(inner()))\(inner())"
    case 14: return "(?!\(inner()))\(inner())"
    case 15: return "(?:\(inner())){2,}"
    default: return inner() + inner()
    }
  }

  @Test func `matching 200 patterns against one body uses less than half of a matching budget`() throws {
    let orders = (0..<500).map { "{\"id\":\($0),\"orderId\": \"A-\($0 % 90 + 100)\",\"note\":\"some text\"}" }
    let text = ConditionText("[\(orders.joined(separator: ","))]")
    var budget = MatchingBudget()
    for number in 0..<200 {
      let pattern = try TextPattern(#".*"orderId"\s*:\s*"A-\#(number + 50)".*"#)
      #expect(pattern.matches(text, &budget) == (50..<140).contains(number))
    }
    #expect(budget.left > MatchingBudget.steps / 2)
  }

  @Test
  func `a pattern with more states than the automaton's table is matched by threads within the same budget`() throws {
    let source = "(?:a|b)*a(?:a|b){12}"
    let pattern = try TextPattern(source)
    var random = Seeded(7)
    let letters = (0..<12_000).map { _ in Bool.random(using: &random) ? "a" : "b" }
    let text = letters.joined()
    var budget = MatchingBudget(50_000_000)
    let expected = letters[letters.count - 13] == "a"
    #expect(pattern.matches(ConditionText(text), &budget) == expected)
    #expect(pattern.matches(ConditionText(text), &budget) == expected, "second match, with a full table")
    var little = MatchingBudget(10_000)
    #expect(pattern.matches(ConditionText(text), &little) == nil && little.isSpent)
  }

  @Test(arguments: [
    (#"/api/v1/orders"#, "/api/v1/orders", "/api/v1/orders", []),
    (#"^\Qa.b\E.*c(d)$"#, "a.b", "cd", []), (#".*"id"\s*:\s*"A-17".*"#, "", "", [#""A-17""#, #""id""#, ":"]),
    ("(?=.*foo)(?!.*baz).*bar.*", "", "", ["bar"]), ("a(bc|bd)e", "a", "e", []), (#"ab\b-c"#, "ab-c", "ab-c", []),
    ("(?:ab){2,}c", "", "c", []), ("(?i)abc", "", "", []), ("x?abc", "", "abc", []), (".*(?:ab)+.*", "", "", []),
  ])
  func `the literal prefix, suffix and inner parts required by a pattern are extracted`(
    _ source: String, _ beginning: String, _ ending: String, _ parts: [String]
  ) throws {
    var parser = PatternParser(source)
    let literals = try PatternLiterals(parser.parse())
    #expect(String(decoding: literals.beginning, as: UTF8.self) == beginning)
    #expect(String(decoding: literals.ending, as: UTF8.self) == ending)
    #expect(literals.parts.map { String(decoding: $0, as: UTF8.self) } == parts)
  }
}
