import CassetteHTTP
import CassetteJSON
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Answers that a template renders for each request.
@Suite struct TemplateDeckTests {
  /// A deck of one templated answer to `POST /users/{id}/orders`.
  private func deck(_ response: String, more: String = "", secrets: [Int: String] = [:], seed: UInt64? = 7) throws
    -> Deck
  {
    let text = cassette(
      request: #"{"method": "POST", "url": "/users/1/orders"}"#,
      response: #"{"status": 201, "template": true, \#(response)}"#,
      more: #""match": {"path": "/users/{id}/orders", "query": {"*": "ignore"}, "body": "ignore"}\#(more)"#)
    let deck = Deck(CassetteLibrary(cassettes: [try read(text)]), secrets: secrets)
    deck.settings.seed = seed
    return deck
  }

  private func answer(
    _ deck: Deck, _ line: String = "POST /users/7/orders", session: String = "", body: String = "",
    headers: HTTPHeaders = []
  ) throws -> (headers: HTTPHeaders, body: String) {
    let request = try Exchange.request(line, headers, body: body)
    guard let playback = deck.plan(request, session: session).playback else {
      Issue.record("no recording plays")
      return ([], "")
    }
    let played = try playback.response(base: "http://127.0.0.1:1")
    switch played.body {
    case .bytes(let bytes): return (played.headers, String(decoding: bytes, as: UTF8.self))
    case .pieces(let pieces, _):
      return (played.headers, pieces.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "|"))
    default: return (played.headers, "")
    }
  }

  @Test func `a template is marked as slow after an answer that exceeded its limits`() throws {
    let slow = try deck(##""body": {"text": "{{#each 1..300}}{{#each 1..300}}{{sha256 this}}{{/each}}{{/each}}"}"##)
    #expect(slow.table.templates?.isSlow(0) == false, "not known before the first answer")
    #expect(throws: CassetteError.self) { try answer(slow) }
    #expect(slow.table.templates?.isSlow(0) == true)
  }

  @Test func `templates in header fields and body are rendered with values of the path, query and body`() throws {
    let deck = try deck(
      #""headers": [["Location", "{{base}}/orders/{{path.id}}?q={{query.q}}"], ["X-Evil", "a{{query.evil}}b"]],"#
        + #" "body": {"json": {"user": "{{number path.id}}", "n": "{{body.$.n}}", "state": "{{state.cart}}"}}"#)
    let (headers, body) = try answer(
      deck, "POST /users/7/orders?q=a%26b&evil=%0D%0ASet-Cookie:%20x", body: #"{"n": [1]}"#)
    #expect(body == #"{"user":7,"n":[1],"state":"Started"}"#)
    #expect(headers["Location"] == "http://127.0.0.1:1/orders/7?q=a%26b")
    #expect(headers["X-Evil"] == "a  Set-Cookie: xb")
  }

  @Test(arguments: [
    (#"{"text": ["id: {{path.id}}\n", "{{query.x default=none}}"]}"#, "id: 7\nnone"),
    (
      #"{"chunks": [{"text": "data: {{path.id}}\n\n"}, {"after": 1, "text": "data: {{method}}\n\n"}]}"#,
      "data: 7\n\n|data: POST\n\n"
    ),
    (#"{"json": ["{{path.id}}"], "style": "indent2"}"#, "[\n  \"7\"\n]"),
  ])
  func `templates in text, chunks and JSON bodies are rendered`(body: String, text: String) throws {
    #expect(try answer(try deck(#""headers": [["Content-Type", "text/plain"]], "body": \#(body)"#)).body == text)
  }

  @Test func `a body without "template" keeps its double braces`() throws {
    let text = #"{"a": "{{uuid}} {{nonsense"}"#
    let deck = Deck(
      CassetteLibrary(cassettes: [try read(cassette(response: #"{"status": 200, "body": {"json": \#(text)}}"#))]))
    #expect(try answer(deck, "GET /a").body == #"{"a":"{{uuid}} {{nonsense"}"#)
    #expect(deck.table.isTemplate(0) == false)
  }

  @Test func `a template with stand-ins sends the secret, and a sent stand-in is not replaced`() throws {
    let deck = try deck(
      #""body": {"json": {"token": "{{secret:1}}", "said": "{{query.q}}", "id": "{{secret:2:uuid}}"}}"#,
      secrets: [1: "the\"secret"])
    let body = try answer(deck, "POST /users/7/orders?q=%7B%7Bsecret:1%7D%7D").body
    #expect(body.hasPrefix(#"{"token":"the\"secret","said":"{{secret:1}}","id":""#))
    #expect(!body.contains("{{secret:2"))
  }

  @Test func `a seed gives a session the same values for a request, independent of earlier requests`() throws {
    let response = #""body": {"json": {"id": "{{uuid}}", "n": "{{random 1..1000000}}", "by": "{{fake name}}"}}"#
    let (one, other) = (try deck(response), try deck(response))
    let requests = (0..<20).map { "POST /users/\($0)/orders" }
    func ask(_ deck: Deck, _ lines: [String], _ session: String) throws -> [String: String] {
      try lines.reduce(into: [:]) { $0[$1] = try answer(deck, $1, session: session).body }
    }
    let first = try ask(one, requests, "a")
    #expect(Set(first.values).count == 20)
    #expect(
      try ask(other, ["POST /users/99/orders"] + requests.reversed(), "a").filter { first[$0.key] != nil } == first)
    // Identical requests get successive values of a sequence, which a reset restarts.
    let second = try ask(one, requests, "a")
    #expect(requests.allSatisfy { second[$0] != first[$0] })
    one.reset(session: "a")
    #expect(try ask(one, requests, "a") == first)
    #expect(try ask(one, requests, "b") != first)
    #expect(try answer(one, requests[0], session: "a", body: "x").body != first[requests[0]])
    one.settings.seed = 8
    #expect(try ask(one, requests, "a") != first)
  }

  @Test func `without a seed two answers have different generated values`() throws {
    let deck = try deck(#""body": {"text": "{{uuid}}"}"#, seed: nil)
    #expect(try answer(deck).body != answer(deck).body)
  }

  @Test func `counters and states are kept per session and reset with it`() throws {
    let deck = try deck(
      #""body": {"text": "{{counter orders}} {{state.cart}}"}"#, more: #", "replay": {"then": {"cart": "full"}}"#)
    let bodies = try ["a", "a", "b", "a"].map { try answer(deck, session: $0).body }
    #expect(bodies == ["1 full", "2 full", "1 full", "3 full"])
    deck.reset(session: "a")
    #expect(try answer(deck, session: "a").body == "1 full")
    #expect(try answer(deck, session: "b").body == "2 full")
    deck.reset()
    #expect(try answer(deck, session: "b").body == "1 full")
  }

  @Test func `a fixed clock of the settings is the time in templates`() throws {
    let deck = try deck(#""body": {"text": "{{now}}"}"#)
    deck.settings.clock = .fixed(1_795_352_645)
    #expect(try answer(deck).body == "2026-11-22T13:04:05Z")
  }

  @Test func `a template that renders invalid JSON is an error with its place`() throws {
    let deck = try deck(
      #""headers": [["Content-Type", "application/json"]], "body": {"text": "{\"a\": {{#if query.x}}1{{/if}}}"}"#)
    let error = #expect(throws: CassetteError.self) { try answer(deck) }
    #expect(error?.description.hasPrefix("test.json:2:1: template of") == true)
    #expect(try answer(deck, "POST /users/7/orders?x=1").body == #"{"a": 1}"#)
  }

  @Test(arguments: [
    (#""body": {"json": {"a": "{{uid}}"}}"#, #"unknown helper or value "uid", did you mean "uuid"?"#, "{{uid}}", 2),
    (#""headers": [["X", "é {{nwo}}"]]"#, #"unknown helper or value "nwo", did you mean "now"?"#, "{{nwo", 2),
    (#""body": {"text": ["ab\n", "c\t{{replace 1}}"]}"#, "replace takes 3 arguments, not 1", "{{replace", 2),
    (#""body": {"chunks": [{"text": "{{#if}}"}]}"#, "expected a value or a helper", "{{#if}}", 5),
    (#""trailers": [["X", "{{now 'QQ'}}"]]"#, #"template: unknown letter "Q" in the time format "QQ""#, "{{now", 2),
  ])
  func `a mistake in a template is a problem of the file with its line and column`(
    response: String, message: String, part: String, offset: Int
  ) throws {
    let text = cassette(response: #"{"status": 200, \#(response), "template": true}"#)
    let found = try #require(CassetteFile.problems(bytes: Array(text.utf8), name: "test", file: nil).first)
    #expect(found.description.contains(message))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains(part) })
    let column = lines[line].distance(
      from: lines[line].startIndex, to: try #require(lines[line].firstRange(of: part)?.lowerBound))
    #expect((found.line, found.column) == (line + 1, column + offset + 1))
    #expect(problems(text.replacing("true}", with: "false}")).isEmpty)
  }

  @Test func `a written template is read back as a template`() throws {
    let text = cassette(response: #"{"status": 200, "template": true, "body": {"json": {"a": "{{uuid}}"}}}"#)
    let first = try read(text)
    let written = try self.written(first)
    #expect(written.contains("\"template\": true"))
    #expect(try read(written).interactions.map(\.isTemplate) == [true])
    #expect(problems(cassette(response: #"{"status": 200, "template": 1}"#)).first?.contains("true or false") == true)
  }

  private func written(_ cassette: Cassette) throws -> String { try text(of: cassette) }

  @Test func `with a seed equal requests get a sequence of values, which a reset repeats`() throws {
    let deck = try deck(#""body": {"json": {"id": "{{uuid}}", "n": "{{random length=9}}"}}"#)
    func three(_ session: String) throws -> [String] {
      try (0..<3).map { _ in try answer(deck, session: session).body }
    }
    let first = try three("")
    #expect(Set(first).count == 3)
    deck.reset()
    #expect(try three("") == first)
    #expect(Set(try three("other") + first).count == 6)
  }
}
