import CassetteFiles
import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassettePlayback
import Cassettes
import Foundation
import Testing

/// What WireMock answers is what the imported cassette answers.
struct WireMockRulesTests {
  /// A request as a client sends it.
  struct Asked: CustomTestStringConvertible {
    var line: String
    var headers: HTTPHeaders = []
    var body = ""

    init(_ line: String, _ headers: HTTPHeaders = [], body: String = "") {
      (self.line, self.headers, self.body) = (line, headers, body)
    }

    var testDescription: String { "\(line) \(headers) \(body)" }
  }

  private func imported(_ list: [String]) throws -> Imported {
    try Imported.of(#"{"mappings": [\#(list.joined(separator: ","))]}"#)
  }

  private func deck(_ list: [String]) throws -> Deck {
    let imported = try imported(list)
    #expect(imported.report.skipped.isEmpty)
    return Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
  }

  /// The body of what answers, or `miss`.
  private func answer(_ deck: Deck, _ asked: Asked) throws -> String {
    let words = asked.line.split(separator: " ").map(String.init)
    let request = HTTPRequest(
      method: HTTPMethod(words[0]), target: try #require(HTTPTarget(words[1])), headers: asked.headers,
      body: Array(asked.body.utf8))
    guard case .playback(let playback) = deck.play(request) else { return "miss" }
    let bytes = try playback.recording.interaction.response?.body?.bytes() ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  private func mapping(_ request: String, _ body: String = "yes", more: String = "") -> String {
    #"{"request": {\#(request)}, "response": {"status": 200, "body": "\#(body)"}\#(more)}"#
  }

  @Test(arguments: [
    (#""method": "GET", "url": "/a?b=1""#, [Asked("GET /a?b=1")], [Asked("GET /a"), Asked("GET /a?b=1&c=2")]),
    (#""method": "GET", "urlPath": "/a""#, [Asked("GET /a"), Asked("GET /a?b=1")], [Asked("GET /b")]),
    (
      #""method": "GET", "urlPathPattern": "/u/...""#, [Asked("GET /u/abc?x=1"), Asked("GET /u/...")],
      [Asked("GET /u/ab")]
    ),
    (#""method": "GET", "urlPattern": "/p.""#, [Asked("GET /pq")], [Asked("GET /p"), Asked("GET /pqr")]),
    (#""url": "/a""#, [Asked("GET /a"), Asked("DELETE /a")], [Asked("GET /a?b")]),
    (#""method": "ANY", "url": "/a""#, [Asked("PUT /a")], [Asked("PUT /b")]),
    (#""method": {"oneOf": ["GET", "PUT"]}, "url": "/a""#, [Asked("PUT /a")], [Asked("POST /a")]),
    (#""method": "GET""#, [Asked("GET /any/thing?a=b")], [Asked("PUT /any")]),
    (
      #""method": "GET", "urlPattern": "/a/[0-9]+\\?x=.*""#, [Asked("GET /a/12?x=1&y=2")],
      [Asked("GET /a/12"), Asked("GET /a/b?x=1")]
    ),
    (#""method": "GET", "urlPathPattern": "/a/[0-9]+""#, [Asked("GET /a/12?x=1")], [Asked("GET /a/12/3")]),
    (
      #""method": "GET", "urlPathTemplate": "/a/{id}/b/{n}", "pathParameters": {"n": {"equalTo": "7"}}"#,
      [Asked("GET /a/12/b/7?x=1")], [Asked("GET /a/12/b/8"), Asked("GET /a/b/7")]
    ),
    (
      #""method": "GET", "urlPath": "/a", "queryParameters": {"q": {"equalTo": "1 2"}, "r": {"absent": true}}"#,
      [Asked("GET /a?q=1+2"), Asked("GET /a?s=1&q=1%202")], [Asked("GET /a?q=1"), Asked("GET /a?q=1+2&r=1")]
    ),
    (
      #""method": "GET", "urlPath": "/a", "queryParameters": {"q": {"matches": "[a-z]+"}}"#,
      [Asked("GET /a?q=abc")], [Asked("GET /a?q=1"), Asked("GET /a")]
    ),
    (
      #""method": "GET", "url": "/a", "headers": {"Accept": {"contains": "json"}, "X": {"doesNotMatch": "a.*"}}"#,
      [Asked("GET /a", ["Accept": "text/json", "X": "b"])],
      [Asked("GET /a", ["Accept": "text/json", "X": "ab"]), Asked("GET /a", ["Accept": "text/json"]), Asked("GET /a")]
    ),
    (
      #""method": "GET", "url": "/a", "headers": {"X": {"equalTo": "AB", "caseInsensitive": true}}"#,
      [Asked("GET /a", ["X": "ab"])], [Asked("GET /a", ["X": "abc"])]
    ),
    (
      #""method": "GET", "url": "/a", "headers": {"X": {"or": [{"equalTo": "a.b"}, {"matches": "\\d"}, {"contains": "z"}]}}"#,
      [Asked("GET /a", ["X": "a.b"]), Asked("GET /a", ["X": "7"]), Asked("GET /a", ["X": "azb"])],
      [Asked("GET /a", ["X": "axb"])]
    ),
    (
      #""method": "GET", "url": "/a", "headers": {"X": {"not": {"contains": "z"}}}"#,
      [Asked("GET /a", ["X": "a"])], [Asked("GET /a", ["X": "az"])]
    ),
    (
      #""method": "GET", "url": "/a", "cookies": {"c": {"matches": "[0-9]"}}"#,
      [Asked("GET /a", ["Cookie": "b=x; c=1"])],
      [Asked("GET /a", ["Cookie": "c=x"]), Asked("GET /a")]
    ),
    (
      #""method": "GET", "url": "/a", "basicAuthCredentials": {"username": "me", "password": "pw"}"#,
      [Asked("GET /a", ["Authorization": "Basic bWU6cHc="])],
      [Asked("GET /a", ["Authorization": "Bearer x"]), Asked("GET /a")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"equalToJson": {"a": [1, 2]}, "ignoreArrayOrder": true, "ignoreExtraElements": true}]"#,
      [Asked("POST /a", body: #"{"b": 0, "a": [2, 1]}"#)], [Asked("POST /a", body: #"{"a": [2]}"#), Asked("POST /a")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"equalToJson": "{\"a\": 1}"}]"#,
      [Asked("POST /a", body: #"{"a":1.0}"#)], [Asked("POST /a", body: #"{"a":1,"b":2}"#)]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"contains": "x"}, {"contains": "y"}, {"doesNotMatch": ".*z"}]"#,
      [Asked("POST /a", body: "yx")], [Asked("POST /a", body: "x"), Asked("POST /a", body: "xyz")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.a.b"}, {"matchesJsonPath": {"expression": "$.c", "contains": "x"}}]"#,
      [Asked("POST /a", body: #"{"a":{"b":0},"c":"axb"}"#)], [Asked("POST /a", body: #"{"a":{},"c":"x"}"#)]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.a[?(@.x-id == 'a@b' && @.n > 1.5)]"}]"#,
      [
        Asked("POST /a", body: #"{"a":{"x-id":"a@b","n":2}}"#),
        Asked("POST /a", body: #"{"a":[{"x-id":"a@b","n":2}]}"#),
      ],
      [Asked("POST /a", body: #"{"a":{"x-id":"a@b","n":1}}"#)]
    ),
    (
      #""method": "GET", "urlPathTemplate": "/a/{id}/{x}", "pathParameters": {"id": {"matches": "[0-9]+"}}"#,
      [Asked("GET /a/12/b?c"), Asked("GET /a/1/2")], [Asked("GET /a/b/c"), Asked("GET /a/1"), Asked("GET /a/1/2/3")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"matches": "a.b"}, {"doesNotMatch": ".*c.*"}]"#,
      [Asked("POST /a", body: "a\nb")], [Asked("POST /a", body: "ab"), Asked("POST /a", body: "a\nb\nc")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"matchesJsonSchema": "{\"type\": \"array\"}", "schemaVersion": "V7"}]"#,
      [Asked("POST /a", body: "[1]")], [Asked("POST /a", body: "{}"), Asked("POST /a", body: "[")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"or": [{"equalToJson": "[1]"}, {"not": {"contains": "a"}}]}]"#,
      [Asked("POST /a", body: "[ 1.0 ]"), Asked("POST /a", body: "b")], [Asked("POST /a", body: "ab")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.at", "and": [{"after": "2020-05-01"}, {"before": "2021-05-01T00:00:00Z"}]}}]"#,
      [Asked("POST /a", body: #"{"at": "2020-12-31T00:00:00Z"}"#)],
      [Asked("POST /a", body: #"{"at": "2011-12-31T00:00:00Z"}"#)]
    ),
    (
      #""method": {"noneOf": ["GET"]}, "urlPath": "/a", "queryParameters": {"q": {"hasExactly": [{"equalTo": "1"}, {"contains": "2"}]}}"#,
      [Asked("PUT /a?q=2&q=1")], [Asked("PUT /a?q=1"), Asked("GET /a?q=1&q=2"), Asked("PUT /a?q=1&q=2&q=3")]
    ),
    (
      #""url": "/a", "basicAuthCredentials": {"username": "ann", "password": "b:c"}, "cookies": {"c": {"equalTo": "a b"}}"#,
      [Asked("GET /a", ["Authorization": "BASIC YW5uOmI6Yw==", "Cookie": "c=a%20b"])],
      [Asked("GET /a", ["Authorization": "Basic Ym9iOmI6Yw==", "Cookie": "c=a%20b"]), Asked("GET /a")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"binaryEqualTo": "AQI="}]"#,
      [Asked("POST /a", body: "\u{1}\u{2}")], [Asked("POST /a", body: "\u{1}")]
    ),
    (
      #""method": "POST", "url": "/a", "bodyPatterns": [{"absent": true}]"#, [Asked("POST /a")],
      [Asked("POST /a", body: "x")]
    ),
    (
      #""method": "POST", "url": "/a", "formParameters": {"f": {"equalTo": "1"}}"#,
      [Asked("POST /a", body: "e=2&f=1")], [Asked("POST /a", body: "f=2")]
    ),
  ])
  func `a mapping answers what WireMock answers, and nothing else`(
    _ request: String, _ matching: [Asked], _ others: [Asked]
  ) throws {
    let deck = try deck([mapping(request)])
    for asked in matching { #expect(try answer(deck, asked) == "yes", "\(request) \(asked)") }
    for asked in others { #expect(try answer(deck, asked) == "miss", "\(request) \(asked)") }
  }

  @Test(arguments: [
    (#""url": "/a", "bodyPatterns": [{"matchesXPath": "/a"}]"#, "matchesXPath"),
    (#""url": "/a", "bodyPatterns": [{"equalToXml": "<a/>"}]"#, "equalToXml"),
    (#""url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.a[?(@.b =~ /x/)]"}]"#, "matchesJsonPath $.a[?"),
    (#""url": "/a", "bodyPatterns": [{"equalToJson": "{\"a\": \"${json-unit.matches:x}1\"}"}]"#, "json-unit.matches"),
    (#""url": "/a", "headers": {"Date": {"before": "now"}}"#, "headers.Date: before"),
    (#""url": "/a", "multipartPatterns": [{"size": 1}]"#, "multipartPatterns: size"),
    (#""url": "/a", "bodyPatterns": [{"matchesJsonSchema": {"$ref": "http://x/y"}}]"#, "none is fetched"),
    (#""url": "/a", "bodyPatterns": [{"matchesJsonSchema": {}, "schemaVersion": "V4"}]"#, "matchesJsonSchema of V4"),
    (#""url": "/a", "customMatcher": {"name": "x"}"#, "request.customMatcher"),
    (#""urlPattern": "/(a)\\1""#, "back references"),
    (#""urlPathTemplate": "/a/{id}", "pathParameters": {"id": {"contains": "1"}}"#, "pathParameters.id"),
    (#""urlPathTemplate": "/a/x-{id}""#, "urlPathTemplate: x-{id}"),
  ])
  func `a condition that no cassette holds skips its mapping, by name`(_ request: String, _ reason: String) throws {
    let imported = try imported([mapping(request), mapping(#""url": "/b""#)])
    #expect(imported.report.skipped.map(\.item) == ["mapping 0"])
    #expect(imported.report.skipped.first?.reason.contains(reason) == true, "\(imported.report.skipped)")
    #expect(imported.report.imported == 1)
  }

  @Test(arguments: [
    (#"{"status": 200, "proxyBaseUrl": "http://x"}"#, "proxy"),
    (
      #"{"status": 200, "body": "{{request.clientIp}}", "transformers": ["response-template"]}"#,
      "its answer is a template: request.clientIp has no counterpart in a cassette"
    ),
    (#"{"status": 200, "transformers": ["mine"]}"#, "the transformer mine"),
    (#"{"fault": "OTHER"}"#, "the fault OTHER"),
  ])
  func `an answer that is made anew each time skips its mapping, by name`(_ response: String, _ reason: String) throws {
    let imported = try imported([#"{"request": {"url": "/a"}, "response": \#(response)}"#, mapping(#""url": "/b""#)])
    #expect(imported.report.skipped.first?.reason.contains(reason) == true)
    #expect(imported.report.imported == 1)
  }

  @Test func `an answer that is made for each request becomes a template`() throws {
    let imported = try imported([
      #"{"request": {"url": "/a"}, "response": {"status": 200, "body": "{{request.path}} {{request.query.q}}","#
        + #" "headers": {"X-Id": "{{request.headers.X-Id}}"}, "transformers": ["response-template"]}}"#
    ])
    let response = try #require(imported.cassette?.interactions.first?.response)
    #expect(response.isTemplate && response.headers["X-Id"] == "{{header.X-Id}}")
    #expect(try response.body?.bytes() == Array("{{path}} {{query.q}}".utf8))
  }

  @Test func `the lower number comes first, and of two equal ones the mapping added last`() throws {
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

  @Test func `numbers far apart keep their order`() throws {
    let deck = try deck([
      mapping(#""urlPattern": "/.*""#, "all", more: #", "priority": 2147483647"#),
      mapping(#""urlPath": "/a""#, "first", more: #", "priority": -2147483648"#),
      mapping(#""urlPathPattern": "/[a-c]""#, "plain"),
    ])
    #expect(try answer(deck, Asked("GET /a")) == "first")
    #expect(try answer(deck, Asked("GET /b")) == "plain")
    #expect(try answer(deck, Asked("GET /d")) == "all")
  }

  @Test func `a scenario leads from mapping to mapping`() throws {
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
    deck.rewind()
    #expect(try answer(deck, Asked("GET /todo")) == "none")
  }

  @Test func `delays, their distributions and faults come over`() throws {
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
    // And back.
    let text = String(decoding: try WireMockWriter.bytes(of: try #require(imported.cassette)), as: UTF8.self)
    let written = text.filter { !$0.isWhitespace }
    #expect(written.contains(#""delayDistribution":{"type":"uniform","lower":10,"upper":30}"#), "\(text)")
    #expect(written.contains(#""delayDistribution":{"type":"lognormal","median":80,"sigma":0.4}"#))
    #expect(written.contains(#""fault":"RANDOM_DATA_THEN_CLOSE""#))
  }

  @Test func `placeholders of JsonUnit stand for what they say`() throws {
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

  @Test func `numbers are compared as numbers`() throws {
    let deck = try deck([
      mapping(#""urlPath": "/a", "queryParameters": {"n": {"greaterThanEqualNumber": 5, "lessThanNumber": 10}}"#, "in"),
      mapping(#""urlPath": "/a", "queryParameters": {"n": {"equalToNumber": 10}}"#, "ten"),
    ])
    for (n, text) in [("5.0", "in"), ("9.99", "in"), ("10.0", "ten"), ("1e1", "ten"), ("4", "miss"), ("x", "miss")] {
      #expect(try answer(deck, Asked("GET /a?n=\(n)")) == text)
    }
  }

  @Test func `a secret that a mapping asks for is in no file, and still asked for`() throws {
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

  @Test func `rules go out as WireMock has them and come back as they were`() throws {
    let list = [
      mapping(
        #""method": "ANY", "urlPathTemplate": "/a/{id}", "queryParameters": {"q": {"matches": "[a-z]"}}, "headers": {"X": {"and": [{"contains": "a"}, {"contains": "b"}]}}, "cookies": {"c": {"absent": true}}"#,
        more: #", "priority": 2"#),
      mapping(#""method": "GET", "urlPattern": "/x/[0-9]+""#),
      mapping(#""method": "GET", "urlPathPattern": "/y/[0-9]+""#),
      mapping(#""method": "GET", "urlPath": "/z""#, more: #", "scenarioName": "s", "newScenarioState": "next""#),
      mapping(
        #""method": "POST", "urlPath": "/b", "bodyPatterns": [{"equalToJson": "{\"a\":1}", "ignoreArrayOrder": true}, {"matchesJsonPath": "$.a"}, {"matchesJsonPath": {"expression": "$.b", "equalTo": "1", "caseInsensitive": true}}]"#,
        more: #", "scenarioName": "s", "requiredScenarioState": "next", "newScenarioState": "Started""#),
      mapping(#""method": "POST", "urlPath": "/f", "formParameters": {"f": {"contains": "1"}}"#),
      #"{"request": {"method": "GET", "urlPath": "/late"}, "response": {"status": 204, "fixedDelayMilliseconds": 20}}"#,
    ]
    let first = try #require(try imported(list).cassette)
    let exported = try WireMockWriter.export(first)
    #expect(exported.left.isEmpty, "\(exported.left)")
    let text = String(decoding: exported.bytes, as: UTF8.self)
    let second = try #require(try Imported.of(text).cassette)
    #expect(second.interactions.map(\.match) == first.interactions.map(\.match))
    #expect(second.interactions.map(\.replay) == first.interactions.map(\.replay))
  }

  @Test func `what WireMock has no word for is listed on the way out`() throws {
    var interaction = Interaction(
      method: .get, url: "/a?x=1", outcome: .response(RecordedResponse(status: 200)), repeatPolicy: .once)
    interaction.match.methods = .listed([.get, .post])
    interaction.match.query = .init([.init("y", .ignore)])
    interaction.match.body = [
      .json(Array("{}".utf8), ignoring: ["$.at"].compactMap { try? JSONQuery($0) }, extra: false, order: false)
    ]
    interaction.replay.fault = .truncate
    interaction.replay.when = [.init("a", "1"), .init("b", "2")]
    let left = try WireMockWriter.export(Cassette(name: "a", interactions: [interaction])).left.map(\.what)
    for word in ["repeat: once", "match.method", "without \"*\"", "$.at", "fault: truncate", "several scenarios"] {
      #expect(left.contains { $0.contains(word) }, "\(word) in \(left)")
    }
  }
}
