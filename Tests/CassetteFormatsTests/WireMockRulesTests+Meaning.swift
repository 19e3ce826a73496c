import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassettePlayback
import Cassettes
import Foundation
import Testing

/// Mappings beyond their conditions: priorities, scenarios, delays, placeholders, secrets, and exports.
extension WireMockRulesTests {
  @Test func `a mapping with a lower priority number is tried first, and of equal ones the newest`() throws {
    let deck = try deck([
      mapping(#""urlPattern": "/.*""#, "all", more: #", "priority": 10"#),
      mapping(#""urlPathPattern": "/a.*""#, "older"),
      mapping(#""urlPath": "/abc""#, "newer"),
      mapping(#""urlPathPattern": "/abc?""#, "newest"),
      mapping(#""urlPath": "/a1", "headers": {"X": {"equalTo": "1"}}"#, "first", more: #", "priority": 1"#),
      mapping(#""urlPath": "/a1""#, "plain"),
    ])
    for (asked, expected) in [
      (Asked("GET /z"), "all"), (Asked("GET /ab"), "newest"), (Asked("GET /abc"), "newest"),
      (Asked("GET /abcd"), "older"),
      (Asked("GET /a1", ["X": "1"]), "first"), (Asked("GET /a1"), "plain"),
    ] {
      for _ in 0..<2 { #expect(try answer(deck, asked) == expected, "\(asked)") }
    }
  }

  @Test func `mappings with extreme priorities keep their order`() throws {
    let deck = try deck([
      mapping(#""urlPattern": "/.*""#, "all", more: #", "priority": 2147483647"#),
      mapping(#""urlPath": "/a""#, "first", more: #", "priority": -2147483648"#),
      mapping(#""urlPathPattern": "/[a-c]""#, "plain"),
    ])
    #expect(try answer(deck, Asked("GET /a")) == "first")
    #expect(try answer(deck, Asked("GET /b")) == "plain")
    #expect(try answer(deck, Asked("GET /d")) == "all")
  }

  @Test func `a scenario leads from one mapping to the next`() throws {
    func state(_ request: String, _ body: String, _ now: String?, _ next: String?) -> String {
      let states = [now.map { #""requiredScenarioState": "\#($0)""# }, next.map { #""newScenarioState": "\#($0)""# }]
      return mapping(
        request, body, more: #", "scenarioName": "todo", \#(states.compactMap(\.self).joined(separator: ", "))"#)
    }
    let get = #""method": "GET", "url": "/todo""#
    let post = #""method": "POST", "url": "/todo", "bodyPatterns": [{"contains": "milk"}]"#
    let deck = try deck([
      state(get, "none", "Started", nil), state(post, "", "Started", "milk"), state(get, "milk", "milk", nil),
    ])
    #expect(try answer(deck, Asked("GET /todo")) == "none")
    #expect(try answer(deck, Asked("GET /todo")) == "none")
    #expect(try answer(deck, Asked("POST /todo", body: "buy milk")) == "")
    #expect(try answer(deck, Asked("GET /todo")) == "milk")
    #expect(try answer(deck, Asked("POST /todo", body: "buy milk")) == "miss")
    deck.reset()
    #expect(try answer(deck, Asked("GET /todo")) == "none")
  }

  @Test func `delays, delay distributions and faults are imported`() throws {
    let imported = try imported([
      #"{"request": {"url": "/1"}, "response": {"fixedDelayMilliseconds": 250}}"#,
      #"{"request": {"url": "/2"}, "response": {"delayDistribution": {"type": "uniform", "lower": 10, "upper": 30}}}"#,
      #"{"request": {"url": "/3"}, "response": {"delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4}}}"#,
      #"{"request": {"url": "/4"}, "response": {"fault": "EMPTY_RESPONSE", "fixedDelayMilliseconds": 10}}"#,
      #"{"request": {"url": "/5"}, "response": {"fault": "MALFORMED_RESPONSE_CHUNK"}}"#,
      #"{"request": {"url": "/6"}, "response": {"fault": "RANDOM_DATA_THEN_CLOSE"}}"#,
      #"{"request": {"url": "/7"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#,
    ])
    let interactions = try #require(imported.cassette?.interactions)
    #expect(
      interactions.map(\.replay.delay) == [
        .seconds(0.25), .uniform(0.01, 0.03), .logNormal(median: 0.08, sigma: 0.4), .seconds(0.01), nil, nil, nil,
      ])
    #expect(interactions.compactMap(\.failure?.code) == [-1011, -1017, -1005])
    #expect(interactions.compactMap(\.replay.fault) == [.garbage])
    #expect(imported.report.left.isEmpty)
  }

  @Test func `placeholders of JsonUnit are imported as conditions on types and patterns`() throws {
    let deck = try deck([
      mapping(
        #""url": "/a", "bodyPatterns": [{"equalToJson": {"s": "${json-unit.any-string}", "n": "${json-unit.any-number}","#
          + #" "l": [1, "${json-unit.regex}[a-z]+"], "x": "${json-unit.ignore}"}}]"#, "yes")
    ])
    func asked(_ body: String) throws -> String { try answer(deck, Asked("POST /a", body: body)) }
    #expect(try asked(#"{"s": "t", "n": 1.5, "l": [1, "abc"], "x": {"any": 1}}"#) == "yes")
    for wrong in [
      #"{"s": 1, "n": 1.5, "l": [1, "abc"], "x": 1}"#, #"{"s": "t", "n": "1", "l": [1, "abc"], "x": 1}"#,
      #"{"s": "t", "n": 1, "l": [1, "ABC"], "x": 1}"#, #"{"s": "t", "n": 1, "l": [2, "abc"], "x": 1}"#,
      #"{"s": "t", "n": 1, "l": [1, "abc"]}"#, #"{"s": "t", "n": 1, "l": [1, "abc"], "x": 1, "y": 2}"#,
    ] {
      #expect(try asked(wrong) == "miss", "\(wrong)")
    }
  }

  @Test func `number conditions compare values as numbers`() throws {
    let deck = try deck([
      mapping(#""urlPath": "/a", "queryParameters": {"n": {"greaterThanEqualNumber": 5, "lessThanNumber": 10}}"#, "in"),
      mapping(#""urlPath": "/a", "queryParameters": {"n": {"equalToNumber": 10}}"#, "ten"),
    ])
    for (n, text) in [("5.0", "in"), ("9.99", "in"), ("10.0", "ten"), ("1e1", "ten"), ("4", "miss"), ("x", "miss")] {
      #expect(try answer(deck, Asked("GET /a?n=\(n)")) == text)
    }
  }

  @Test func `a secret in a mapping is redacted, and its field is still required`() throws {
    let token = "Bearer 5f4dcc3b5aa765d61d8327deb882cf99"
    let imported = try imported([
      mapping(
        #""method": "POST", "urlPath": "/a", "headers": {"Authorization": {"equalTo": "\#(token)"}, "X": {"matches": "\#(token)|x"}}, "queryParameters": {"api_key": {"equalTo": "k3yk3yk3y"}}, "cookies": {"sid": {"equalTo": "s3sss10n"}}, "bodyPatterns": [{"equalToJson": "{\"password\": \"hunter22\"}"}, {"matchesJsonPath": {"expression": "$.password", "equalTo": "hunter22"}}]"#
      )
    ])
    for bytes in imported.files.values {
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in ["5f4dcc3b5aa765d61d8327deb882cf99", "k3yk3yk3y", "s3sss10n", "hunter22"] {
        #expect(!text.contains(secret), "\(text)")
      }
    }
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    let body = #"{"password":"other"}"#
    let all: HTTPHeaders = ["Authorization": "Bearer other", "X": "x", "Cookie": "sid=other"]
    #expect(try answer(deck, Asked("POST /a?api_key=other", all, body: body)) == "yes")
    #expect(try answer(deck, Asked("POST /a?api_key=other", ["X": "x", "Cookie": "sid=other"], body: body)) == "miss")
    #expect(try answer(deck, Asked("POST /a", all, body: body)) == "miss")
  }

  @Test func `an export lists the rules that a mapping of the recorded request does not have`() throws {
    var interaction = Interaction(
      method: .get, url: "/a?x=1", outcome: .response(RecordedResponse(status: 200)), repeatPolicy: .once)
    interaction.match.methods = .listed([.get, .post])
    interaction.replay.fault = .truncate
    interaction.replay.delay = .seconds(0.25)
    let exported = try WireMockWriter.export(Cassette(name: "a", interactions: [interaction]))
    #expect(
      exported.left.map(\.what) == [
        "match: exported as the recorded request", "replay.repeat: once", #"replay: {"fault":"truncate"}"#,
      ])
    let text = String(decoding: exported.bytes, as: UTF8.self)
    #expect(text.contains(#""url": "/a?x=1""#) && text.contains(#""fixedDelayMilliseconds": 250"#), "\(text)")
  }
}
