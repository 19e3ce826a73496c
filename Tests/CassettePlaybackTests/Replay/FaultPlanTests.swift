import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct FaultPlanTests {
  @Test(arguments: [
    ("/user", "GET /user", true), ("/user", "GET /user?page=2", true), ("/user", "GET /users", false),
    ("/user", "GET /user/", false), ("user", "GET /user", true), ("/us%65r", "GET /user", true),
    ("/user", "GET /us%65r", true), ("POST /user", "GET /user", false), ("POST /user", "POST /user", true),
    ("/user?page=2", "GET /user?page=2", true), ("/user?page=2", "GET /user?page=3", false),
    ("/a?b=2&a=1", "GET /a?a=1&b=2", true), ("https://api.example.com/user", "GET /user", true),
    ("https://api.example.com", "GET /", true), ("/users/{name}", "GET /users/kean", true),
    ("/users/{name}", "GET /users/", false), ("/users/{name}", "GET /users/kean/repos", false),
    ("/users/{name}/repos", "GET /users/kean/repos", true), ("/users/{name}/repos", "GET /users/kean/stars", false),
    ("/users/{name}", "GET /users/kean?page=2", true), ("*", "GET /anything/at?all=1", true),
    ("/files/*", "GET /files/a/b", true), ("/files/*", "GET /file", false), ("*/repos", "GET /users/kean/repos", true),
    ("*/repos", "GET /repos/x/repos", true), ("*/repos", "GET /users/repos/kean", false),
    ("*.json", "GET /a/b.json", true), ("/*/{name}/x", "GET /a/b/c/x", true), ("/*/{name}/x", "GET /a/x", false),
  ])
  func `a fault's pattern matches the listed requests only`(pattern: String, line: String, expected: Bool) throws {
    #expect(try FaultPattern(pattern).matches(Exchange.request(line)) == expected)
  }

  @Test func `a pattern with sixty asterisks is compared in polynomial time`() throws {
    let pattern = FaultPattern("/" + String(repeating: "a*", count: 60) + "b")
    #expect(try !pattern.matches(Exchange.request("GET /" + String(repeating: "a", count: 4_000))))
  }

  private func deck(_ faults: CassetteFault..., recordings: [Interaction]) -> Deck {
    let deck = Exchange.deck(recordings)
    deck.inject(faults)
    return deck
  }

  private let two = [Exchange.recorded("GET /a", id: "1"), Exchange.recorded("GET /a", id: "2")]

  @Test func `a fault that replaces an answer does not use up the recording`() throws {
    let deck = deck(.status(429, first: 2), recordings: two)
    let request = try Exchange.request("GET /a")
    let fault = ".status(429, first: 2)"
    #expect(deck.ids(for: request, times: 5) == [fault, fault, "1", "2", "2"])
  }

  @Test func `a recording whose answer a fault replaced counts as requested`() throws {
    let deck = deck(.reset, recordings: two)
    _ = try deck.plan(Exchange.request("GET /a"))
    #expect(deck.table.neverPlayed == [1])
  }

  @Test func `faults apply in the order of their list, and faults that never applied are known`() throws {
    let deck = deck(.reset(first: 1), .timeout(first: 1), .status(500, on: "/b"), recordings: two)
    let request = try Exchange.request("GET /a")
    #expect(deck.ids(for: request, times: 3) == [".reset(first: 1)", ".timeout(first: 1)", "1"])
    #expect(deck.faultsNeverMet == [".status(500, on: \"/b\")"])
  }

  @Test func `a reset restarts the count of a fault`() throws {
    let deck = deck(.reset(first: 1), recordings: two)
    let request = try Exchange.request("GET /a")
    #expect(deck.ids(for: request, times: 2) == [".reset(first: 1)", "1"])
    deck.reset(session: "other")
    #expect(deck.ids(for: request, times: 1) == ["2"])
    deck.reset()
    #expect(deck.ids(for: request, times: 2) == [".reset(first: 1)", "1"])
  }

  @Test func `a fault with first: 100 applies to exactly 100 of 800 concurrent requests`() async throws {
    let deck = deck(.status(429, first: 100), recordings: two)
    let request = try Exchange.request("GET /a")
    let met = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { deck.ids(for: request, times: 100).count { $0.hasPrefix(".status") } }
      }
      return await group.reduce(0, +)
    }
    #expect(met == 100)
  }

  @Test func `a miss stays a miss with faults that only alter answers`() throws {
    let deck = deck(.latency(.seconds(1)), .truncate, recordings: two)
    #expect(try deck.id(for: Exchange.request("GET /b")) == "miss")
  }

  /// Returns the answer to `GET /a` with faults: the seconds until its first byte, and its body.
  private func played(
    _ faults: [CassetteFault], _ text: String = "0123456789", took facts: RecordedFacts? = nil
  ) throws -> (delay: Double, body: PlayedBody) {
    var recording = Exchange.recorded("GET /a", content: text)
    recording.recorded = facts
    let deck = Exchange.deck([recording])
    deck.inject(faults)
    let request = try Exchange.request("GET /a")
    guard let playback = deck.plan(request).playback else { throw Deck.Unanswered() }
    let response = try playback.faulted(playback.response())
    return (response.delay, response.body)
  }

  private func text(_ body: PlayedBody) -> [String] {
    guard case .measured(let pieces, _, _) = body else { return ["no measured body"] }
    return pieces.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `latencies of several faults add up and do not change the body`() throws {
    let (delay, body) = try played([.latency(.milliseconds(250)), .latency(.recorded), .latency(.milliseconds(250))])
    #expect(delay == 0.5)
    guard case .bytes = body else {
      Issue.record("the body is in pieces")
      return
    }
  }

  @Test(arguments: [
    (RecordedFacts(firstByte: 0.25, total: 1), 0.25, 0.75), (RecordedFacts(firstByte: 0.25), 0.25, 0),
    (RecordedFacts(total: 1), 1, 0), (RecordedFacts(at: "2026-11-21T01:00:00Z"), 0, 0),
    (RecordedFacts(firstByte: -1, total: -2), 0, 0),
  ])
  func `a recorded latency delays the head by the first byte and the body by the rest`(
    facts: RecordedFacts, head: Double, body: Double
  ) throws {
    let played = try played([.latency(.recorded)], took: facts)
    #expect(played.delay == head)
    if case .measured(let pieces, let length, false) = played.body {
      #expect(pieces.map(\.after) == [body])
      #expect(length == 10)
    } else {
      #expect(body == 0)
    }
  }

  @Test(arguments: [(nil, ["01234"]), (0, []), (3, ["012"]), (-5, [])] as [(Int?, [String])])
  func `a truncated body announces its whole length`(count: Int?, expected: [String]) throws {
    let body = try played([.truncate(after: count)]).body
    #expect(text(body) == expected)
    guard case .measured(_, length: 10, breaksOff: true) = body else {
      Issue.record("the body is not truncated: \(body)")
      return
    }
  }

  @Test func `a throttled body is sent in twenty pieces a second`() throws {
    let body = try played([.throttle(bytesPerSecond: 80)]).body
    #expect(text(body) == ["0123", "4567", "89"])
    guard case .measured(let pieces, length: 10, breaksOff: false) = body else {
      Issue.record("the body has no length: \(body)")
      return
    }
    #expect(pieces.map(\.after) == [0.05, 0.05, 0.025])
  }

  @Test(arguments: [0, -1, 1, 19]) func `a throttled rate below one byte a second counts as one`(rate: Int) throws {
    guard case .measured(let pieces, _, _) = try played([.throttle(bytesPerSecond: rate)]).body else {
      Issue.record("the body has no length")
      return
    }
    #expect(pieces.map(\.after) == Array(repeating: 1 / Double(max(1, rate)), count: 10))
  }

  @Test func `a negative latency or count has no effect`() throws {
    let deck = deck(.latency(.seconds(-1)), .reset(first: -1), recordings: two)
    guard let playback = try deck.plan(Exchange.request("GET /a")).playback else {
      Issue.record("no recording played")
      return
    }
    let failure = PlayedResponse(RecordedFailure(code: -1))
    #expect(try playback.faulted(failure).delay == 0)
  }

  @Test(arguments: [
    (CassetteFault.latency(.recorded), ".latency(.recorded)"),
    (.latency(.milliseconds(80)), ".latency(.seconds(0.08))"),
    (.timeout(on: "/user"), ".timeout(on: \"/user\")"), (.reset, ".reset"), (.truncate, ".truncate"),
    (.truncate(after: 5, first: 1), ".truncate(after: 5, first: 1)"),
    (.status(429, first: 2), ".status(429, first: 2)"),
    (.throttle(bytesPerSecond: 10), ".throttle(bytesPerSecond: 10)"),
  ])
  func `a fault's description is its spelling in code`(fault: CassetteFault, expected: String) {
    #expect(fault.description == expected)
  }

  @Test(
    arguments: [
      (["a", "b", "c"], []), (["b", "a", "c"], ["b before a"]), (["c", "a", "b"], ["c before b"]),
      (["c", "b", "a"], ["b before a", "c before a"]), (["a", "a", "b", "a"], []), (["c", "c"], []),
      (["b", "a", "b", "a"], ["b before a"]), ([], []),
    ] as [([String], [String])])
  func `recordings are out of order by the first request for each`(asked: [String], expected: [String]) throws {
    let deck = Exchange.deck(["a", "b", "c"].map { (name: String) in Exchange.recorded("GET /\(name)", id: name) })
    for name in asked { _ = try deck.plan(Exchange.request("GET /\(name)")) }
    let table = deck.table
    let names = table.entries.map(\.interaction.id)
    #expect(table.outOfOrder(withRules: false).map { "\(names[$0.second]) before \(names[$0.first])" } == expected)
  }
}
