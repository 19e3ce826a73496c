import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassettePlayback
import Cassettes
import Foundation
import Testing

/// An imported cassette answers the same requests as WireMock.
struct WireMockRulesTests {
  /// A request of a client.
  struct Asked: CustomTestStringConvertible {
    var line: String
    var headers: HTTPHeaders = []
    var body = ""

    init(_ line: String, _ headers: HTTPHeaders = [], body: String = "") {
      (self.line, self.headers, self.body) = (line, headers, body)
    }

    var testDescription: String { "\(line) \(headers) \(body)" }
  }

  func imported(_ list: [String]) throws -> Imported {
    try Imported.of(#"{"mappings": [\#(list.joined(separator: ","))]}"#)
  }

  func deck(_ list: [String]) throws -> Deck {
    let imported = try imported(list)
    #expect(imported.report.skipped.isEmpty)
    return Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
  }

  /// Returns the body of the matching recording, or `miss`.
  func answer(_ deck: Deck, _ asked: Asked) throws -> String {
    let words = asked.line.split(separator: " ").map(String.init)
    let request = HTTPRequest(
      method: HTTPMethod(words[0]), target: try #require(HTTPTarget(words[1])), headers: asked.headers,
      body: Array(asked.body.utf8))
    guard let playback = deck.plan(request).playback else { return "miss" }
    let bytes = try playback.recording.interaction.response?.body?.bytes() ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  func mapping(_ request: String, _ body: String = "yes", more: String = "") -> String {
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
  func `an imported mapping answers the same requests as WireMock`(
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
    (#""url": "/a", "bodyPatterns": [{"matchesJsonSchema": {"$ref": "http://x/y"}}]"#, "which is not fetched"),
    (#""url": "/a", "bodyPatterns": [{"matchesJsonSchema": {}, "schemaVersion": "V4"}]"#, "matchesJsonSchema of V4"),
    (#""url": "/a", "customMatcher": {"name": "x"}"#, "request.customMatcher"),
    (#""urlPattern": "/(a)\\1""#, "back references"),
    (#""urlPathTemplate": "/a/{id}", "pathParameters": {"id": {"doesNotContain": "1"}}"#, "pathParameters.id"),
  ])
  func `a mapping with an unsupported condition is skipped with the condition's name`(
    _ request: String, _ reason: String
  ) throws {
    let imported = try imported([mapping(request), mapping(#""url": "/b""#)])
    #expect(imported.report.skipped.map(\.item) == ["mapping 0"])
    #expect(imported.report.skipped.first?.reason.contains(reason) == true, "\(imported.report.skipped)")
    #expect(imported.report.imported == 1)
  }

  @Test(arguments: [
    (#"{"status": 200, "proxyBaseUrl": "http://x"}"#, "proxy"),
    (
      #"{"status": 200, "body": "{{request.clientIp}}", "transformers": ["response-template"]}"#,
      "its response is a template: request.clientIp has no counterpart in a cassette"
    ),
    (#"{"status": 200, "transformers": ["mine"]}"#, "the transformer mine"),
    (#"{"fault": "OTHER"}"#, "unknown fault OTHER"),
  ])
  func `a mapping with an unsupported response is skipped with the reason`(_ response: String, _ reason: String) throws
  {
    let imported = try imported([#"{"request": {"url": "/a"}, "response": \#(response)}"#, mapping(#""url": "/b""#)])
    #expect(imported.report.skipped.first?.reason.contains(reason) == true)
    #expect(imported.report.imported == 1)
  }

  @Test func `a response template is imported as a template`() throws {
    let imported = try imported([
      #"{"request": {"url": "/a"}, "response": {"status": 200, "body": "{{request.path}} {{request.query.q}}","#
        + #" "headers": {"X-Id": "{{request.headers.X-Id}}"}, "transformers": ["response-template"]}}"#
    ])
    let response = try #require(imported.cassette?.interactions.first?.response)
    #expect(response.isTemplate && response.headers["X-Id"] == "{{header.X-Id}}")
    #expect(try response.body?.bytes() == Array("{{path}} {{query.q}}".utf8))
  }
}
