import CassetteSystem
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePatterns
@testable import CassettePlayback
@testable import Cassettes

/// The index of recordings with rules, with many rules of other paths.
@Suite struct RuleIndexTests {
  private func ruled(_ path: String, id: String) -> Interaction {
    var interaction = Exchange.recorded("GET /recorded", id: id)
    interaction.match.path = MatchRules.path(path)
    interaction.match.query = NamedConditions([.init("*", .ignore)])
    return interaction
  }

  private func isSettled(_ deck: Deck, _ path: String) -> Bool {
    let (method, target) = (Array("GET".utf8), Array(path.utf8))
    return deck.table.sole(method: method.span, target: target.span, hasCredentials: { false }) != nil
  }

  @Test(.timeLimit(.minutes(1))) func `a path of 200,000 segments is looked up in linear time`() throws {
    var index = ConditionIndex()
    index.insert(.all([.matches(try TextPattern("^/a/a/[0-9]+"))]), recording: 1)
    index.insert(.all([.matches(try TextPattern("^/b/[0-9]+"))]), recording: 2)
    let path = String(repeating: "/a", count: 200_000)
    #expect(index.recordings(for: "/a/a/7\(path)") == [1])
    #expect(index.recordings(for: path) == [1])
  }

  @Test(arguments: ["/api/\u{7}/items", "/{any}/\u{7}/items/{id}"])
  func `ten thousand rules of other paths add no candidates to a request`(_ path: String) throws {
    func rule(_ number: Int) -> Interaction {
      ruled(path.replacing("\u{7}", with: "\(number)"), id: "\(number)")
    }
    let plain = Exchange.recorded("GET /plain/1/x")
    let many = Exchange.deck((0..<10_000).map(rule) + [plain])
    let one = Exchange.deck([rule(77), plain])
    let asked = path.replacing("\u{7}", with: "77").replacing("{any}", with: "a").replacing("{id}", with: "b")
    #expect(try many.id(for: Exchange.request("GET \(asked)?q=1")) == "77")
    // The index returns as many candidates as with a single rule.
    let (target, other) = ("\(asked)?q=1", "/plain/1/x")
    #expect(many.table.ruleIndex.entries(for: target).count == one.table.ruleIndex.entries(for: target).count)
    #expect(many.table.ruleIndex.entries(for: other).isEmpty)
    #expect(isSettled(many, other) && isSettled(one, other), "a plain recording is the sole answer")
  }

  @Test func `a plain recording is the sole answer although patterns match other paths`() throws {
    func pattern(_ text: String, priority: Int = 0) throws -> Interaction {
      var interaction = Exchange.recorded("GET /recorded", id: text)
      interaction.match.url = .all([.matches(try TextPattern(text))])
      interaction.match.priority = priority
      return interaction
    }
    let plain = [
      "/users/a", "/users/a/keys", "/users/a/keys?page=1", "/users/a/keys?page=1&all=0", "/users?sort=%2Fa",
    ]
    let first = try pattern("/users/a/(keys|orgs)(\\?page=[1-9])?", priority: 1)
    let deck = Exchange.deck(
      try plain.map { Exchange.recorded("GET \($0)") } + [
        first, pattern("/users/a(/.*)?"), pattern("/users/a/orgs(\\?.*)?"), pattern("/\\d+/.*"),
        pattern("/groups/.*"),
      ])
    #expect(plain.map { isSettled(deck, $0) } == [true, false, false, true, true])
    // A pattern may match another spelling of the target.
    #expect(!isSettled(deck, "/users/%61") && !isSettled(deck, "/users/a/keys?%61ll=0&page=1"))
    // Another order of the parameters is equal in the index.
    #expect(isSettled(deck, "/users/a/keys?all=0&page=1"))
    #expect(isSettled(Exchange.deck([Exchange.recorded("GET /users/a")]), "/users/%61"))
  }

  @Test(arguments: 0..<20)
  func `the index finds every condition that a target meets`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    func some(_ words: [String], _ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
    }
    let conditions = try (0..<60).map { _ in
      Condition.all([.matches(try TextPattern(some(["/", "a", "bc", "\\?", ".*", "[ab]", "(a|/)", "x?", "^"], 1...6)))])
    }
    var index = ConditionIndex()
    for (number, condition) in conditions.enumerated() {
      index.insert(condition, recording: number)
    }
    for _ in 0..<60 {
      let target = "/" + some(["/", "a", "bc", "?", "x", "b"], 0...6)
      let met = Set(conditions.indices.filter { conditions[$0].isMet(by: [target]) })
      let found = index.recordings(for: target)
      #expect(met.isSubset(of: found) && Set(found).count == found.count, "\(target)")
      #expect(found.allSatisfy { target.utf8.starts(with: conditions[$0].beginning) })
    }
  }

  @Test(arguments: 0..<20)
  func `the template tree finds the same templates as comparing each of them`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    func segment() -> String { ["a", "b", "{x}", "{y}", "", "%41"].randomElement(using: &random) ?? "a" }
    func path() -> String {
      "/" + (0..<Int.random(in: 1...4, using: &random)).map { _ in segment() }.joined(separator: "/")
    }
    var tree = TemplateTree()
    let templates = (0..<60).compactMap { _ in PathTemplate(path()) }
    for (number, template) in templates.enumerated() { tree.insert(template, recording: number) }
    for _ in 0..<60 {
      let asked = CanonicalTarget.spelling(of: path().replacing("{x}", with: "a").replacing("{y}", with: "c"))
      let fitting = templates.indices.filter { templates[$0].canonical.matches(asked) }
      #expect(tree.recordings(for: asked).sorted() == fitting, "\(asked)")
    }
  }
}
