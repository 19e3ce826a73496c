import CassetteHTTP
import CassetteSystem
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePatterns
@testable import CassettePlayback
@testable import Cassettes

/// The choice among recordings with rules.
@Suite struct CandidatesTests {
  // MARK: preference

  @Test func `candidates are preferred by priority, then literal path, then longer template, then pattern`() throws {
    let deck = Exchange.deck([
      try Interaction.ruled("GET /x", id: "last", match: #""path": "ignore", "priority": -1"#),
      try Interaction.ruled("GET /x", id: "pattern", match: #""path": {"matches": "/.*"}"#),
      try Interaction.ruled("GET /x", id: "any", match: #""path": "/{a}/{b}""#),
      try Interaction.ruled("GET /x", id: "user", match: #""path": "/users/{b}""#),
      Exchange.recorded("GET /users/kean", id: "literal"),
      try Interaction.ruled(
        "GET /x", id: "first", match: #""path": "/users/{b}", "headers": {"X": "1"}, "priority": 1"#),
    ])
    #expect(try deck.id(for: Exchange.request("GET /users/kean")) == "literal")
    #expect(try deck.id(for: Exchange.request("GET /users/bob")) == "user")
    #expect(try deck.id(for: Exchange.request("GET /teams/bob")) == "any")
    #expect(try deck.id(for: Exchange.request("GET /teams")) == "pattern")
    #expect(try deck.id(for: Exchange.request("OPTIONS *")) == "derived")
    #expect(try deck.id(for: Exchange.request("GET /users/kean", ["X": "1"])) == "first")
  }

  @Test func `a recorded query is preferred to query rules, and more query rules to fewer`() throws {
    let deck = Exchange.deck([
      try Interaction.ruled("GET /a", id: "any", match: #""query": {"*": "ignore"}"#),
      try Interaction.ruled("GET /a", id: "page", match: #""query": {"*": "ignore", "page": "2"}"#),
      Exchange.recorded("GET /a?page=3", id: "recorded"),
    ])
    #expect(try deck.id(for: Exchange.request("GET /a?page=2&b=1")) == "page")
    #expect(try deck.id(for: Exchange.request("GET /a?page=3")) == "recorded")
    #expect(try deck.id(for: Exchange.request("GET /a?page=4")) == "any")
  }

  @Test func `equal candidates play in order, and a fixture of the literal path plays before them`() throws {
    let rules = #""path": "/{a}""#
    let deck = Exchange.deck(
      [try Interaction.ruled("GET /x", id: "1", match: rules), try Interaction.ruled("GET /y", id: "2", match: rules)],
      fixtures: [Exchange.fixture("GET /f", id: "fixture"), Exchange.fixture("GET /{t}", id: "template")])
    #expect(try deck.ids(for: Exchange.request("GET /a"), times: 3) == ["1", "2", "2"])
    #expect(try deck.id(for: Exchange.request("GET /f")) == "fixture")
    #expect(try deck.id(for: Exchange.request("HEAD /a")) == "2")
    #expect(try deck.id(for: Exchange.request("OPTIONS /a")) == "derived")
  }

  @Test func `a recording is the sole answer unless a rule of its path may precede it or it has a delay`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /users/kean", id: "kean"), Exchange.recorded("GET /users/me", id: "me"),
      Exchange.recorded("GET /other", id: "other"),
      try Interaction.ruled("GET /x", id: "rule", match: #""path": "/users/kean", "headers": {"X": "1"}"#),
      try Interaction.ruled("GET /y", id: "any", match: #""path": "/users/{name}", "headers": {"X": "1"}"#),
      try Interaction.ruled("GET /late", id: "late", replay: #""delay": 1"#),
    ])
    let sole = { (target: String) in
      deck.table.sole(method: Array("GET".utf8).span, target: Array(target.utf8).span, hasCredentials: { false })
    }
    #expect(sole("/users/kean") == nil && sole("/late") == nil && sole("/x") == nil)
    #expect(sole("/users/me") == 1 && sole("/other") == 2)
    #expect(try deck.id(for: Exchange.request("GET /users/kean", ["X": "1"])) == "rule")
    #expect(
      try deck.id(for: Exchange.request("GET /users/me", ["X": "1"])) == "me", "a literal path precedes a template")
  }

  // MARK: states

  @Test func `a scenario changes its state per session`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /cart", id: "whatever"),
      try Interaction.ruled("GET /cart", id: "empty", replay: #""when": {"cart": "Started"}"#),
      try Interaction.ruled("POST /cart", id: "add", replay: #""when": {"cart": "Started"}, "then": {"cart": "full"}"#),
      try Interaction.ruled("GET /cart", id: "full", replay: #""when": {"cart": "full"}"#),
      try Interaction.ruled("DELETE /cart", id: "clear", replay: #""then": {"cart": "Started"}"#),
    ])
    func ids(_ session: String, _ lines: String...) throws -> [String] {
      try lines.map { deck.id(for: try Exchange.request($0), session: session) }
    }
    #expect(try ids("a", "GET /cart", "POST /cart", "GET /cart", "GET /cart") == ["empty", "add", "full", "full"])
    #expect(try ids("b", "GET /cart") == ["empty"])
    let miss = try deck.miss(Exchange.request("POST /carts"))
    #expect(miss.nearest.first?.id == "add")
    #expect(try ids("a", "POST /cart", "DELETE /cart", "GET /cart", "POST /cart") == ["miss", "clear", "empty", "add"])
    deck.reset(session: "a")
    #expect(try ids("a", "GET /cart", "HEAD /cart", "POST /cart") == ["empty", "empty", "add"])
  }

  @Test func `a scenario's state survives a reload of the cassettes`() throws {
    let cart = [
      try Interaction.ruled("GET /cart", id: "full", replay: #""when": {"cart": "full"}"#),
      try Interaction.ruled("POST /cart", id: "add", replay: #""then": {"cart": "full"}"#),
    ]
    let deck = Exchange.deck(cart)
    #expect(try deck.id(for: Exchange.request("POST /cart")) == "add")
    deck.load(CassetteLibrary(cassettes: [Cassette(name: "test", interactions: cart)]))
    #expect(try deck.id(for: Exchange.request("GET /cart")) == "full")
  }

  @Test func `a recording that played and is then edited is not listed as never played`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a", id: "a"), Exchange.recorded("GET /b", id: "b")])
    #expect(try deck.id(for: Exchange.request("GET /a")) == "a")
    let edited = [
      Exchange.recorded("GET /new", id: "new"), Exchange.recorded("GET /a", id: "a", status: 201),
      Exchange.recorded("GET /b", id: "b"),
    ]
    deck.load(CassetteLibrary(cassettes: [Cassette(name: "test", interactions: edited)]))
    #expect(deck.table.neverPlayed.map { deck.table.entries[$0].interaction.id } == ["new", "b"])
  }

  // MARK: undecided rules

  @Test(arguments: [
    (#""body": {"matches": "[ab]*c?"}"#, "", "miss"), (#""body": {"doesNotMatch": "[ab]*c?"}"#, "", "miss"),
    (#""body": {"matches": "[ab]*c?"}, "priority": -1"#, "", "other"),
    (#""body": {"matches": "b[ab]*"}"#, "", "other"), (#""body": {"matches": "[ab]*"}, "path": "/z""#, "", "other"),
    (#""body": {"matches": "[ab]*c?"}"#, #""when": {"door": "open"}"#, "other"),
  ])
  func `a request that an undecided rule may match is a miss that names the rule's limit`(
    _ match: String, _ replay: String, _ expected: String
  ) throws {
    let deck = Exchange.deck([
      try Interaction.ruled("POST /a", id: "undecided", match: match, replay: replay.isEmpty ? nil : replay),
      try Interaction.ruled("POST /a", id: "other", match: #""body": {"contains": "a"}"#),
    ])
    let long = String(repeating: "a", count: TextPattern.longestText + 1)
    let request = try Exchange.request("POST /a", body: long)
    #expect(deck.id(for: request) == expected)
    guard expected == "miss" else { return }
    let miss = try deck.miss(request)
    #expect(
      miss.nearest.flatMap(\.mismatches).map(\.description).contains(
        "patterns: were not applied to strings longer than 256 KB, so it is unknown whether they match"))
  }

  @Test func `changing values are found among the recordings whose rules the request meets`() throws {
    func recording(_ id: String, _ kind: String, _ sent: String) throws -> Interaction {
      var interaction = try Interaction.ruled("POST /a", id: id, match: #""headers": {"X": \#(kind)}"#, sent: sent)
      interaction.outcome = .response(RecordedResponse(status: 200, headers: [:], body: .storing(Array("{}".utf8))))
      return interaction
    }
    let deck = Exchange.deck([
      try recording("1", #"{"absent": false}"#, #"{"n":1,"m":1}"#),
      try recording("2", #""n changes""#, #"{"n":2,"m":1}"#), try recording("3", #""m changes""#, #"{"n":1,"m":2}"#),
    ])
    func id(_ kind: String, _ body: String) throws -> String {
      deck.id(for: try Exchange.request("POST /a", ["X": kind], body: body))
    }
    #expect(try id("n changes", #"{"n":3,"m":1}"#) != "miss")
    #expect(try id("m changes", #"{"n":3,"m":1}"#) == "miss")
    #expect(try id("m changes", #"{"n":1,"m":3}"#) != "miss")
  }
}
