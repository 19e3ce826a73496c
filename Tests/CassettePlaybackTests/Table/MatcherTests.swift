import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// The differences that each level allows, in the order of the table on the page `Matching`.
@Suite struct `Levels of matching` {
  private static let uuids = ["0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01", "9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22"]

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let recorded: Interaction
    var origin: String?
    let line: String
    var headers: HTTPHeaders = [:]
    var body = ""
    /// The outcomes with exact, careful and loose matching: `miss`, nil for an unmarked answer, or the mark.
    let outcomes: [String?]
  }

  /// A recorded answer to `Range: bytes=0-1`, and another request for it.
  private static func part(
    _ description: String, status: HTTPStatus = 206, asking range: String?, outcomes: [String?]
  ) -> Row {
    Row(
      testDescription: description,
      recorded: Exchange.recorded("GET /a", asked: ["Range": "bytes=0-1"], status: status), line: "GET /a",
      headers: range.map { [("Range", $0)] } ?? [], outcomes: outcomes)
  }

  static let rows: [Row] = [
    Row(
      testDescription: "another amount",
      recorded: Exchange.recorded("POST /pay", asked: ["Content-Type": "application/json"], sent: #"{"amount":5}"#),
      line: "POST /pay", headers: ["Content-Type": "application/json"], body: #"{"amount":999}"#,
      outcomes: ["miss", "miss", "body $.amount"]),
    Row(
      testDescription: "the same value in another spelling",
      recorded: Exchange.recorded("POST /pay", sent: #"{"amount":5,"to":"a"}"#), line: "POST /pay",
      body: #"{ "to": "\u0061", "amount": 5.0 }"#, outcomes: [nil, nil, nil]),
    Row(
      testDescription: "a mutation that was not recorded",
      recorded: Exchange.recorded("POST /graphql", sent: #"{"query":"mutation { add(id: 1) { ok } }"}"#),
      line: "POST /graphql", body: #"{"query":"mutation { remove(id: 1) { ok } }"}"#,
      outcomes: ["miss", "miss", "body $.query"]),
    Row(
      testDescription: "a GraphQL query with another layout",
      recorded: Exchange.recorded(
        "POST /graphql", sent: #"{"query":"query Q($id: ID!) { user(id: $id) { name id } }","variables":{"id":"1"}}"#),
      line: "POST /graphql",
      body: #"{"variables":{"id":"1"},"query":"query Q($id: ID!) {\n  user(id: $id) {\n    id, name\n  }\n}"}"#,
      outcomes: [nil, nil, nil]),
    Row(
      testDescription: "another id of a JSON-RPC call",
      recorded: Exchange.recorded("POST /rpc", sent: #"{"jsonrpc":"2.0","id":1,"method":"add","params":[1]}"#),
      line: "POST /rpc", body: #"{"jsonrpc":"2.0","id":77,"method":"add","params":[1]}"#, outcomes: [nil, nil, nil]),
    Row(
      testDescription: "other parameters of a JSON-RPC call",
      recorded: Exchange.recorded("POST /rpc", sent: #"{"jsonrpc":"2.0","id":1,"method":"add","params":[1]}"#),
      line: "POST /rpc", body: #"{"jsonrpc":"2.0","id":1,"method":"add","params":[2]}"#,
      outcomes: ["miss", "miss", "body $.params[0]"]),
    Row(
      testDescription: "a JSON-RPC notification for a recorded call",
      recorded: Exchange.recorded("POST /rpc", sent: #"{"jsonrpc":"2.0","id":1,"method":"add"}"#),
      line: "POST /rpc", body: #"{"jsonrpc":"2.0","method":"add"}"#, outcomes: ["miss", "miss", "body $.id"]),
    Row(
      testDescription: "a form with the values of the recorded JSON",
      recorded: Exchange.recorded("POST /a", asked: ["Content-Type": "application/json"], sent: #"{"a":"1"}"#),
      line: "POST /a", headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "a=1",
      outcomes: ["miss", "miss", "body"]),
    Row(
      testDescription: "the same bytes with another media type",
      recorded: Exchange.recorded("POST /a", asked: ["Content-Type": "text/plain"], sent: "a=1"),
      line: "POST /a", headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "a=1",
      outcomes: ["miss", nil, nil]),
    Row(
      testDescription: "a new UUID and a new time",
      recorded: Exchange.recorded("POST /a", sent: #"{"id":"\#(uuids[0])","at":"2026-11-21T01:00:00Z","n":1}"#),
      line: "POST /a", body: #"{"id":"\#(uuids[1])","at":"2026-11-22T09:30:01.5Z","n":1}"#,
      outcomes: ["miss", "body $.id, $.at", "body $.id, $.at"]),
    Row(
      testDescription: "a new UUID and another value",
      recorded: Exchange.recorded("POST /a", sent: #"{"id":"\#(uuids[0])","n":1}"#),
      line: "POST /a", body: #"{"id":"\#(uuids[1])","n":2}"#, outcomes: ["miss", "miss", "body $.id, $.n"]),
    Row(
      testDescription: "another origin",
      recorded: Exchange.recorded("GET /a"), origin: "https://todo.example.com", line: "GET https://evil.example.org/a",
      outcomes: ["miss", "miss", "origin"]),
    Row(
      testDescription: "a request without the recorded credentials",
      recorded: Exchange.recorded("GET /me", asked: ["Accept": "a/b", "Authorization": "Bearer {{secret:1}}"]),
      line: "GET /me", headers: ["Accept": "a/b"], outcomes: ["miss", "credentials", nil]),
    Row(
      testDescription: "a request with credentials for a recording without them",
      recorded: Exchange.recorded("GET /me", asked: ["Accept": "a/b"]), line: "GET /me",
      headers: ["Accept": "a/b", "X-Api-Key": "k"], outcomes: ["miss", "credentials", nil]),
    Row(
      testDescription: "credentials of another scheme",
      recorded: Exchange.recorded("GET /me", asked: ["Authorization": "token {{secret:1}}"]), line: "GET /me",
      headers: ["Authorization": "Bearer x"], outcomes: [nil, nil, nil]),
    Row(
      testDescription: "a recording without header fields",
      recorded: Exchange.recorded("GET /me"), line: "GET /me", headers: ["Authorization": "Bearer x"],
      outcomes: [nil, nil, nil]),
    Row(
      testDescription: "another Accept",
      recorded: Exchange.recorded("GET /a", asked: ["Accept": "application/json"]), line: "GET /a",
      headers: ["Accept": "text/html"], outcomes: ["miss", nil, nil]),
    Row(
      testDescription: "one more Accept",
      recorded: Exchange.recorded("GET /a", asked: ["Accept": "application/json"]), line: "GET /a",
      headers: [("Accept", "application/json"), ("Accept", "text/html")], outcomes: ["miss", nil, nil]),
    Row(
      testDescription: "another string in double braces",
      recorded: Exchange.recorded("POST /a?who={{secretary}}", sent: #"{"to":"{{secrets}}"}"#),
      line: "POST /a?who={{secretary}}", body: #"{"to":"bob"}"#, outcomes: ["miss", "miss", "body $.to"]),
    Row(
      testDescription: "a form with one more field after a secret, with another media type",
      recorded: Exchange.recorded(
        "POST /a", asked: ["Content-Type": "application/x-www-form-urlencoded"], sent: "user=bob&token={{secret:1}}"),
      line: "POST /a", headers: ["Content-Type": "text/plain"], body: "user=bob&token=x&admin=true",
      outcomes: ["miss", "miss", "body"]),
    part("another range", asking: "bytes=2-3", outcomes: ["miss", "miss", nil]),
    part("a request for the whole of a recorded range", asking: nil, outcomes: ["miss", "miss", nil]),
    part("the same range", asking: "bytes=0-1", outcomes: [nil, nil, nil]),
    part(
      "a request for the whole of an unsatisfiable range", status: 416, asking: nil, outcomes: ["miss", "miss", nil]),
    Row(
      testDescription: "a request without the recorded If-Match of a 412",
      recorded: Exchange.recorded("GET /a", asked: ["If-Match": "\"1\""], status: 412), line: "GET /a",
      outcomes: ["miss", "miss", nil]),
    Row(
      testDescription: "a request without the recorded If-None-Match of a 304",
      recorded: Exchange.recorded("GET /a", asked: ["If-None-Match": "\"1\""], status: 304), line: "GET /a",
      outcomes: ["miss", "miss", nil]),
    Row(
      testDescription: "a request with another If-None-Match than the recorded one of a 304",
      recorded: Exchange.recorded("GET /a", asked: ["If-None-Match": "\"1\""], status: 304), line: "GET /a",
      headers: ["If-None-Match": "\"2\""], outcomes: ["miss", nil, nil]),
    Row(
      testDescription: "another language",
      recorded: Exchange.recorded("GET /a", asked: ["Accept-Language": "de"]), line: "GET /a",
      headers: ["Accept-Language": "fr"], outcomes: ["miss", nil, nil]),
    Row(
      testDescription: "another user agent",
      recorded: Exchange.recorded("GET /a", asked: ["User-Agent": "curl/8"]), line: "GET /a",
      headers: ["User-Agent": "wget"], outcomes: [nil, nil, nil]),
    Row(
      testDescription: "a recording without a request body",
      recorded: Exchange.recorded("POST /a"), line: "POST /a", body: "anything", outcomes: [nil, nil, nil]),
    Row(
      testDescription: "a recording of an empty body",
      recorded: Exchange.recorded("POST /a", sent: ""), line: "POST /a", body: "something",
      outcomes: ["miss", "miss", "body"]),
    Row(
      testDescription: "an empty body for a recorded one",
      recorded: Exchange.recorded("POST /a", sent: "{}"), line: "POST /a", outcomes: ["miss", "miss", "body"]),
  ]

  @Test(arguments: rows) func `a request plays, is marked or misses as in the table of matching levels`(row: Row) throws
  {
    for (level, outcome) in zip(MatchLevel.allCases, row.outcomes) {
      let deck = Exchange.deck(
        [row.recorded], origin: row.origin, matching: CassetteMatchingOptions(level: level), knowsOrigins: true)
      switch deck.plan(try Exchange.request(row.line, row.headers, body: row.body)) {
      case .constant(let playback), .response(let playback):
        #expect(playback.approximation?.parts == outcome, "\(level)")
      case .miss: #expect(outcome == "miss", "\(level)")
      default: Issue.record("\(level)")
      }
    }
  }

  @Test func `exact matching plays each recording once, and the other levels repeat the last`() throws {
    for level in MatchLevel.allCases {
      let deck = Exchange.deck(
        [Exchange.recorded("GET /a", id: "1"), Exchange.recorded("GET /a", id: "2")],
        matching: CassetteMatchingOptions(level: level))
      let third = level == .exact ? "miss" : "2"
      #expect(try deck.ids(for: Exchange.request("GET /a"), times: 3) == ["1", "2", third])
    }
  }

  @Test func `a stub answers repeatedly with exact matching`() throws {
    var stub = Exchange.recorded("GET /a")
    stub.place = SourcePlace(file: "Tests.swift", line: 1, column: 1)
    let deck = Exchange.deck([stub], matching: .exact)
    #expect(try deck.ids(for: Exchange.request("GET /a"), times: 2) == ["GET /a", "GET /a"])
  }

  @Test func `an equal recording is preferred to a marked one in any order`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("POST /a", id: "other", sent: #"{"id":"\#(Self.uuids[0])"}"#),
      Exchange.recorded("POST /a", id: "same", sent: #"{"id":"\#(Self.uuids[1])"}"#),
    ])
    let request = try Exchange.request("POST /a", body: #"{"id":"\#(Self.uuids[1])"}"#)
    #expect(deck.ids(for: request, times: 2) == ["same", "same"])
  }

  @Test func `the presence of credentials decides between two recordings that differ in other fields`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /me", id: "401", asked: ["Accept": "a/b"], status: 401),
      Exchange.recorded("GET /me", id: "200", asked: ["Accept": "a/b", "Authorization": "Bearer {{secret:1}}"]),
    ])
    #expect(try deck.id(for: Exchange.request("GET /me", ["Accept": "c/d", "Authorization": "token x"])) == "200")
    #expect(try deck.id(for: Exchange.request("GET /me", ["Accept": "c/d"])) == "401")
  }

  @Test func `a value that changes between recordings with equal answers is marked`() throws {
    let recordings = (1...2).map { number in
      Exchange.recorded("POST /log", id: "\(number)", sent: #"{"seq":\#(number),"text":"a"}"#, content: "yes")
    }
    let deck = Exchange.deck(recordings)
    #expect(try deck.approximation(Exchange.request("POST /log", body: #"{"seq":3,"text":"a"}"#)) == "body $.seq")
    #expect(try deck.id(for: Exchange.request("POST /log", body: #"{"seq":3,"text":"b"}"#)) == "miss")
    #expect(try deck.id(for: Exchange.request("POST /log", body: #"{"seq":"3","text":"a"}"#)) == "miss")
  }

  @Test func `another value is a miss if the recorded answers depend on the value`() throws {
    let recordings = [5, 10].map { amount in
      Exchange.recorded("POST /pay", sent: #"{"amount":\#(amount)}"#, content: "paid \(amount)")
    }
    #expect(try Exchange.deck(recordings).id(for: Exchange.request("POST /pay", body: #"{"amount":999}"#)) == "miss")
  }

  @Test func `ten thousand other sessions do not move the position of a session`() throws {
    let recordings = (1...3).map { Exchange.recorded("GET /a", id: "\($0)") }
    let deck = Exchange.deck(recordings)
    let request = try Exchange.request("GET /a")
    for number in 0..<5_000 { _ = deck.id(for: request, session: "other \(number)") }
    #expect(deck.id(for: request, session: "mine") == "1")
    for number in 0..<5_000 { _ = deck.id(for: request, session: "more \(number)") }
    #expect(deck.id(for: request, session: "mine") == "2")
  }
}
