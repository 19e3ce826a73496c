import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Ids that a template generates, which replace the recorded ids in later requests and answers.
@Suite struct ValueLinkTests {
  private static let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

  private static func orders(_ made: String, _ id: String, _ more: String = "") -> String {
    """
    {"cassette": 1, "interactions": [
    {"request": {"method": "POST", "url": "/orders", "body": {"json": {"sku": "a"}}},
     "response": {"status": 201, "template": true, "body": {"json": {"id": "\(made)", "sku": "{{body.$.sku}}"}}}},
    {"request": {"method": "GET", "url": "/orders/\(id)"},
     "response": {"status": 200, "headers": [["Location", "/orders/\(id)"]],
      "body": {"json": {"id": "\(id)", "at": "/orders/\(id)/items", "sku": "a", "count": \(id.count)}}}},
    {"request": {"method": "POST", "url": "/shipments", "body": {"json": {"order_id": "\(id)", "by": "post"}}},
     "response": {"status": 202, "body": {"json": {"order_id": "\(id)"}}}},
    {"request": {"method": "GET", "url": "/shipments?order_id=\(id)"},
     "response": {"status": 200, "body": {"json": [{"order_id": "\(id)"}]}}},
    {"request": {"method": "GET", "url": "/orders"},
     "response": {"status": 200, "body": {"json": [{"id": "\(id)"}]}}},
    {"request": {"method": "DELETE", "url": "/orders/\(id)"}, "response": {"status": 204}},
    {"request": {"method": "GET", "url": "/orders/\(id)"}, "response": {"status": 404}}\(more)
    ]}
    """
  }

  private func deck(_ text: String) throws -> Deck {
    let cassette = try CassetteFile.read(bytes: Array(text.utf8), name: "test", file: nil)
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    deck.settings.seed = 7
    return deck
  }

  private func ask(_ deck: Deck, _ line: String, _ body: String = "", of session: String = "a") throws -> String {
    let request = try Exchange.request(line, body.isEmpty ? [] : ["Content-Type": "application/json"], body: body)
    guard let playback = deck.plan(request, session: session).playback else { return "miss" }
    let played = try playback.response(base: "http://127.0.0.1:1")
    guard case .bytes(let bytes) = played.body, !bytes.isEmpty else { return "\(played.status.code)" }
    return "\(played.headers["Location"] ?? "")\(String(decoding: bytes, as: UTF8.self))"
  }

  @Test(arguments: ["{{uuid}}", "{{counter orders start=500}}"])
  func `a generated id replaces the recorded id in later requests and answers`(_ made: String) throws {
    let deck = try deck(Self.orders(made, made == "{{uuid}}" ? Self.id : "41"))
    let created = try ask(deck, "POST /orders", #"{"sku":"a"}"#)
    let quoted = made == "{{uuid}}" ? "\"" : ""
    let name = created.split(separator: "\"id\":")[1].prefix { $0 != "," }.filter { $0 != "\"" }
    #expect(created == "{\"id\":\(quoted)\(name)\(quoted),\"sku\":\"a\"}")
    let old = made == "{{uuid}}" ? Self.id : "41"
    #expect(name != old)
    // A recorded string stays a string.
    let json = "\"\(name)\""
    #expect(
      try ask(deck, "GET /orders/\(name)")
        == "/orders/\(name){\"id\":\(json),\"at\":\"/orders/\(name)/items\",\"sku\":\"a\",\"count\":\(old.count)}")
    #expect(
      try ask(deck, "POST /shipments", "{\"order_id\":\"\(name)\",\"by\":\"post\"}") == "{\"order_id\":\(json)}")
    #expect(try ask(deck, "GET /shipments?order_id=\(name)") == "[{\"order_id\":\(json)}]")
    #expect(try ask(deck, "GET /orders") == "[{\"id\":\(json)}]")
    #expect(try ask(deck, "DELETE /orders/\(name)") == "204")
    #expect(try ask(deck, "GET /orders/\(name)") == "404")
  }

  @Test func `a generated id is known only in its session`() throws {
    let deck = try deck(Self.orders("{{uuid}}", Self.id))
    let (one, other) = (
      try ask(deck, "POST /orders", #"{"sku":"a"}"#, of: "a"), try ask(deck, "POST /orders", #"{"sku":"a"}"#, of: "b")
    )
    #expect(one != other)
    let name = one.split(separator: "\"")[3]
    #expect(try ask(deck, "GET /orders/\(name)", of: "b") == "miss")
    #expect(try ask(deck, "GET /orders/\(name)", of: "a") != "miss")
    deck.reset(session: "a")
    #expect(try ask(deck, "GET /orders/\(name)", of: "a") == "miss")
    // The recorded id still selects its recording.
    #expect(try ask(deck, "GET /orders/\(Self.id)", of: "c").contains(Self.id))
  }

  @Test func `a second generated id selects its own recordings`() throws {
    let more = """
      ,{"request": {"method": "POST", "url": "/orders", "body": {"json": {"sku": "b"}}},
       "response": {"status": 201, "template": true, "body": {"json": {"id": "{{uuid}}", "sku": "b"}}}},
      {"request": {"method": "GET", "url": "/orders/77"}, "response": {"status": 200, "body": {"json": {"id": "77"}}}}
      """
    let deck = try deck(Self.orders("{{uuid}}", Self.id, more))
    let first = try ask(deck, "POST /orders", #"{"sku":"a"}"#).split(separator: "\"")[3]
    let second = try ask(deck, "POST /orders", #"{"sku":"b"}"#).split(separator: "\"")[3]
    #expect(try ask(deck, "GET /orders/\(second)") == "{\"id\":\"\(second)\"}")
    #expect(try ask(deck, "GET /orders/\(first)").contains("\"id\":\"\(first)\""))
  }

  @Test func `a word in a recorded path is not replaced by a generated id`() throws {
    let deck = try deck(
      #"""
      {"cassette": 1, "interactions": [
      {"request": {"method": "POST", "url": "/orders"},
       "response": {"status": 201, "template": true, "body": {"json": {"id": "{{uuid}}"}}}},
      {"request": {"method": "GET", "url": "/orders/search"}, "response": {"status": 200, "body": {"text": "search"}}}
      ]}
      """#)
    let name = try ask(deck, "POST /orders").split(separator: "\"")[3]
    #expect(try ask(deck, "GET /orders/\(name)") == "miss")
    #expect(try ask(deck, "GET /orders/search") == "search")
  }
}
