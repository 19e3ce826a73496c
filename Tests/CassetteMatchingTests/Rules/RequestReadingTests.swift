import CassetteHTTP
import CassetteJSON
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePatterns
@testable import Cassettes

/// The values and the budget of a request that the rules of all recordings share.
@Suite struct RequestReadingTests {
  private func reading(_ body: String, steps: Int = MatchingBudget.steps) throws -> RequestReading {
    RequestReading(try Exchange.request("POST /a", body: body), budget: MatchingBudget(steps))
  }

  private func text(_ term: Condition.Term) -> BodyRule { .text(.all([term])) }

  @Test func `after a pattern exceeds the request's budget, no other pattern is applied`() throws {
    let long = String(repeating: "a", count: 2_000)
    let slow = try TextPattern("(?:(?=.*b)a)*[ce]")
    let reading = try self.reading(long, steps: 3_000)
    #expect(!text(.matches(slow)).isMet(by: reading))
    #expect(reading.isOverBudget)
    #expect(try !text(.matches(TextPattern("a*"))).isMet(by: reading))
    #expect(try !text(.doesNotMatch(TextPattern("b*"))).isMet(by: reading))
    #expect(text(.contains("aa")).isMet(by: reading), "a condition without a pattern is decided without the budget")
  }

  @Test func `a rule after the exceeded budget is undecided unless a condition without a pattern decides it`() throws {
    let interaction = Exchange.recorded("POST /a", id: "a")
    let reading = try self.reading(String(repeating: "a", count: 2_000), steps: 3_000)
    func verdict(_ terms: Condition.Term...) -> MatchRules.Verdict {
      var rules = MatchRules()
      rules.body = terms.map(text)
      return rules.verdict(on: reading, interaction)
    }
    #expect(try verdict(.matches(TextPattern("a*"))) == .met)
    #expect(try verdict(.matches(TextPattern("(?:(?=.*b)a)*[ce]"))) == .undecided)
    #expect(try verdict(.matches(TextPattern("a*"))) == .undecided)
    #expect(try verdict(.contains("b"), .matches(TextPattern("a*"))) == .unmet)
    #expect(verdict(.contains("aa")) == .met)
  }

  @Test func `a hundred patterns within the budget are decided`() throws {
    let reading = try self.reading(String(repeating: "a", count: 200))
    for _ in 0..<100 { #expect(try text(.matches(TextPattern("[ab]*a"))).isMet(by: reading)) }
    #expect(try text(.doesNotMatch(TextPattern("b*"))).isMet(by: reading))
    #expect(!reading.isOverBudget)
  }

  @Test func `a miss names patterns that exceeded the budget`() throws {
    let interaction = Exchange.recorded("POST /a", id: "slow")
    var rules = MatchRules()
    rules.body = [try text(.matches(TextPattern("(?:(?=.*b)a)*[ce]")))]
    let found = rules.mismatches(
      of: try reading(String(repeating: "a", count: 2_000), steps: 3_000), from: interaction)
    #expect(found.map(\.part) == ["body", "patterns"])
    #expect(
      found.last?.description
        == "patterns: took more than 5,000,000 steps for this request, so it is unknown whether they match")
    #expect(try rules.mismatches(of: reading("c"), from: interaction).isEmpty)
    #expect(try rules.mismatches(of: reading("d"), from: interaction).map(\.part) == ["body"])
  }

  @Test func `arrays with ignored order are compared within the request's budget`() throws {
    let count = 400
    let numbers = (0..<count).map { "[\($0)]" }
    let wanted = Array("[\(numbers.joined(separator: ","))]".utf8)
    // The elements are spelled differently, because equal spellings are paired without cost.
    let sent = "[\(numbers.reversed().map { "[ \($0.dropFirst())" }.joined(separator: ","))]"
    let rule = BodyRule.json(wanted, ignoring: [], extra: false, order: true)
    #expect(try rule.isMet(by: reading(sent)))
    let short = try reading(sent, steps: 1_000)
    #expect(!rule.isMet(by: short) && short.isOverBudget)
    #expect(rule.mismatches(of: short).map(\.part) == ["body"])
  }

  @Test func `a condition's text is compared by canonical equivalence and searched by bytes`() {
    let text = ConditionText("caf\u{e9}")
    #expect(text.equals("cafe\u{301}") && text.equals("café") && !text.equals("cafe"))
    #expect(text.contains(Array("\u{e9}".utf8)) && !text.contains(Array("e".utf8)) && text.contains([]))
    let broken = ConditionText([0x61, 0xff, 0x62])
    #expect(broken.equals("a\u{fffd}b") && broken.scalars == [0x61, 0xfffd, 0x62])
  }

  @Test func `parameters, cookies, header fields, form fields and JSON values are read from a request`() throws {
    let reading = RequestReading(
      try Exchange.request(
        "POST /a%2Fb?x=1&x=2", ["Cookie": "a=1; b=2", "X": "7"], body: #"{"a":[{"b":"é"},{"b":2}]}"#))
    #expect(reading.parameter("x").map(\.string) == ["1", "2"] && reading.parameter("y").isEmpty)
    #expect(reading.cookie("b").map(\.string) == ["2"] && reading.header("x").map(\.string) == ["7"])
    let (path, other) = (try JSONQuery("$.a[*].b"), try JSONQuery("$.c"))
    #expect(reading.values(at: path).map(\.string) == ["é", "2"] && reading.values(at: other).isEmpty)
    #expect(reading.values(at: path).first === reading.values(at: path).first, "the values are read once")
    #expect(
      try RequestReading(Exchange.request("POST /a", body: "a=1+2&a=3")).field("a").map(\.string) == ["1 2", "3"])
  }
}
