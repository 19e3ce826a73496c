import CassetteHTTP
import CassetteSystem
import Dispatch
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// The order in which matching recordings take turns.
extension DeckTests {
  @Test func `equal candidates play in recorded order, across cassettes in the order of their names`() throws {
    let cassettes = ["a", "b"].map { name in
      Cassette(name: name, interactions: [recorded("GET /x", id: "\(name)1"), recorded("GET /x", id: "\(name)2")])
    }
    let deck = Deck(CassetteLibrary(cassettes: cassettes))
    #expect(try deck.ids(for: Exchange.request("GET /x"), times: 5) == ["a1", "a2", "b1", "b2", "b2"])
  }

  @Test(arguments: [
    (RepeatPolicy.last, ["1", "2", "2", "2"]), (.once, ["1", "2", "miss", "miss"]), (.loop, ["1", "2", "1", "2"]),
    (.first, ["1", "2", "1", "1"]),
  ])
  func `after the last candidate its repeat policy decides the next answer`(policy: RepeatPolicy, expected: [String])
    throws
  {
    let deck = Exchange.deck([recorded("GET /x", id: "1"), recorded("GET /x", id: "2", repeats: policy)])
    #expect(try deck.ids(for: Exchange.request("GET /x"), times: 4) == expected)
  }

  @Test func `each session has its own position, and sessions are reset separately or together`() throws {
    let deck = Exchange.deck([recorded("GET /x", id: "1"), recorded("GET /x", id: "2", repeats: .once)])
    let request = try Exchange.request("GET /x")
    #expect(deck.ids(for: request, times: 3) == ["1", "2", "miss"])
    #expect(deck.ids(for: request, times: 3, session: "a") == ["1", "2", "miss"])
    deck.reset(session: "a")
    #expect(deck.id(for: request, session: "a") == "1")
    #expect(deck.id(for: request) == "miss")
    deck.reset()
    #expect(deck.id(for: request) == "1")
    #expect(deck.id(for: request, session: "a") == "1")
  }

  @Test func `a HEAD request does not use up a recorded GET`() throws {
    let deck = Exchange.deck([recorded("GET /x", id: "1", repeats: .once), recorded("GET /x", id: "2", repeats: .once)])
    #expect(try deck.ids(for: Exchange.request("HEAD /x"), times: 3) == ["1", "1", "1"])
    #expect(try deck.ids(for: Exchange.request("GET /x"), times: 2) == ["1", "2"])
  }

  @Test func `a recording whose answer was not captured is a miss that names it`() throws {
    let gap = Interaction(
      id: "gap", method: .get, url: "/x", outcome: .failure(.notCaptured("its body is in pieces")))
    let deck = Exchange.deck([recorded("GET /x", id: "1"), gap, recorded("GET /x", id: "3")])
    let request = try Exchange.request("GET /x")
    #expect(deck.id(for: request) == "1")
    let miss = try deck.miss(request)
    #expect(miss.reason == "GET /x was recorded, but its response was not captured: its body is in pieces")
    #expect(miss.nearest.map(\.id) == ["gap"])
    #expect(deck.ids(for: request, times: 2) == ["3", "3"])
    let last = Exchange.deck([recorded("GET /x", id: "1"), gap])
    #expect(last.ids(for: request, times: 3) == ["1", "miss", "miss"])
    let alone = Exchange.deck([gap], fixtures: [Exchange.fixture("GET /{any}", id: "template")])
    #expect(alone.id(for: request) == "miss")
    #expect(try alone.id(for: Exchange.request("HEAD /x")) == "miss")
  }

  @Test func `a request with a compressed body counts once for requests and faults`() throws {
    let body = try #require(ContentEncoder("gzip")?.encode(Array("a=1".utf8), isLast: true))
    var request = try Exchange.request("POST /x", ["Content-Encoding": "gzip"])
    request.body = body
    let other = Exchange.recorded("POST /x", id: "other", sent: "other")
    let deck = Exchange.deck([other])
    guard case .miss(let miss) = deck.plan(request) else { throw Deck.Answered() }
    #expect(miss.number == 1)
    #expect(deck.requestCount == 1)
    var fault = CassetteFault.status(500)
    fault.terms.every = 2
    deck.inject([fault])
    var ids: [String] = []
    for _ in 0..<4 {
      if case .made = deck.plan(request) { ids.append("fault") } else { ids.append("miss") }
    }
    #expect(ids == ["miss", "fault", "miss", "fault"])
    #expect(deck.requestCount == 5)
    // If the matching recording of the decoded body is a gap, no recording of the encoded body answers instead.
    let gap = Interaction(method: .post, url: "/x", outcome: .failure(.notCaptured("unknown")))
    let second = Exchange.deck([gap, Exchange.recorded("POST /x", id: "neighbour")])
    guard case .miss(let named) = second.plan(request) else { throw Deck.Answered() }
    #expect(named.reason == "POST /x was recorded, but its response was not captured: unknown")
  }

  // MARK: fixtures

  @Test func `a fixture is preferred to a recording of its path, and a recording to a template`() throws {
    let deck = Exchange.deck(
      [recorded("GET /users/a?x=1", id: "recorded a"), recorded("GET /users/b", id: "recorded b")],
      fixtures: [
        Exchange.fixture("GET /users/{name}", id: "template"), Exchange.fixture("GET /users/a", id: "fixture"),
        Exchange.fixture("GET /{any}/c", id: "worse"), Exchange.fixture("POST /users/{name}", id: "post"),
        Exchange.fixture("GET /users/a%20b", id: "escaped"),
      ])
    for (asked, id) in [
      ("GET /users/a", "fixture"), ("GET /users/a?x=1", "fixture"), ("GET /users/%61?x=1", "fixture"),
      ("GET /users/%61?x=2", "fixture"), ("GET /users/b", "recorded b"), ("GET /users/b?x=1", "template"),
      ("GET /users/c", "template"), ("GET /%75sers/c", "template"), ("GET /x/c", "worse"), ("POST /users/c", "post"),
      ("HEAD /users/a", "fixture"), ("HEAD /users/zz", "template"), ("DELETE /users/a", "miss"),
      ("GET /users/a%20b", "escaped"), ("GET /users/a%20b?x=1", "escaped"),
    ] {
      #expect(try deck.id(for: Exchange.request(asked)) == id, "\(asked)")
    }
  }

  // MARK: sole recordings

  @Test(arguments: 0..<60)
  func `the sole recording of a random request is the one that full matching selects`(seed: UInt64) throws {
    var random = Seeded(seed)
    let paths = ["/a", "/b", "/a/b", "/%61", "/caf%C3%A9", "/{x}", "/a/{x}"]
    let queries = ["", "?x=1", "?x=1&y=2", "?y=2&x=1", "?x", "?x=%31"]
    let methods = ["GET", "POST", "HEAD"]
    func line() -> String {
      let method = methods.randomElement(using: &random) ?? "GET"
      return "\(method) \(paths.randomElement(using: &random) ?? "/")\(queries.randomElement(using: &random) ?? "")"
    }
    let recordings = (0..<Int.random(in: 0..<14, using: &random)).map { number in
      recorded(line(), id: "\(number)", repeats: RepeatPolicy.allCases.randomElement(using: &random) ?? .last)
    }
    let fixtures = (0..<Int.random(in: 0..<3, using: &random)).map { number in
      Exchange.fixture(String(line().prefix { $0 != "?" }), id: "fixture \(number)")
    }
    let deck = Exchange.deck(recordings, fixtures: fixtures)
    for _ in 0..<60 {
      let line = line()
      let words = line.split(separator: " ").map { Array($0.utf8) }
      let (method, target) = (words[0], words[1])
      guard
        let sole = deck.table.sole(method: method.span, target: target.span, hasBody: false, hasCredentials: { false })
      else {
        continue
      }
      #expect(try deck.id(for: Exchange.request(line)) == deck.table.entries[sole].interaction.id, "\(line)")
    }
  }

  // MARK: loading

  @Test func `unchanged recordings keep their positions when cassettes are loaded again`() throws {
    let folder = try ScratchFolder()
    func write(_ name: String, _ ids: String...) throws {
      let interactions = ids.map {
        #"{"id":"\#($0)","request":{"method":"GET","url":"/\#(name)"},"response":{"status":200},"replay":{"repeat":"once"}}"#
      }
      try folder.write("{\"cassette\":1,\"interactions\":[\(interactions.joined(separator: ","))]}", to: "\(name).json")
    }
    try write("b", "b1", "b2")
    try write("c", "c1", "c2")
    let first = try CassetteLibrary.load([folder.path])
    let deck = Deck(first)
    let (b, c) = try (Exchange.request("GET /b"), Exchange.request("GET /c"))
    #expect([deck.id(for: b), deck.id(for: c), deck.id(for: b, session: "s")] == ["b1", "c1", "b1"])
    let generation = deck.generation.value
    try write("a", "a1")
    try write("c", "c0", "c1", "c2", "c3")
    deck.load(try CassetteLibrary.load([folder.path], reusing: first))
    #expect(deck.generation.value == generation + 1)
    #expect(deck.ids(for: b, times: 2) == ["b2", "miss"])
    #expect(deck.ids(for: b, times: 2, session: "s") == ["b2", "miss"])
    #expect(deck.ids(for: c, times: 4) == ["c0", "c2", "c3", "miss"], "c1 has already been played and is unchanged")
    #expect(deck.table.neverPlayed.map { deck.table.entries[$0].interaction.id } == ["a1"])
  }

  @Test func `recordings that were never played are listed`() throws {
    let deck = Exchange.deck([recorded("GET /a", id: "a"), recorded("GET /b", id: "b")])
    _ = try deck.id(for: Exchange.request("GET /a"))
    _ = try deck.id(for: Exchange.request("GET /a"))
    #expect(deck.table.neverPlayed == [1])
    #expect(deck.table.firstPlayed(0) == 1)
    #expect(deck.requestCount == 2)
  }

  @Test func `each of 400 recordings plays once for concurrent requests`() throws {
    let deck = Exchange.deck((0..<400).map { recorded("GET /x", id: "\($0)", repeats: .once) })
    let request = try Exchange.request("GET /x")
    let ids = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 {
        let id = deck.id(for: request)
        ids.withLock { $0.append(id) }
      }
    }
    #expect(ids.withLock { Set($0) } == Set((0..<400).map { "\($0)" }))
    #expect(deck.id(for: request) == "miss")
    #expect(deck.requestCount == 401)
  }
}
