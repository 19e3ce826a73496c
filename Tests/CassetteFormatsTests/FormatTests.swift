import CassetteFormats
import CassetteHTTP
import CassettePlayback
import Cassettes
import Testing

struct FormatTests {
  private static let gzip = "H4sIAAAAAAACA6tWSlSyMtRRSlKyUkoqLVaqBQAoExbFEQAAAA=="

  private func body(_ interaction: Interaction?) throws -> String {
    String(decoding: try interaction?.response?.body?.bytes() ?? [], as: UTF8.self)
  }

  private static func vcr(
    _ body: String, fields: String = "", request: String = "null", list: String = "http_interactions"
  )
    -> String
  {
    #"""
    {"\#(list)": [{
      "request": {
        "method": "post", "uri": "https://api.example.com/a", "body": \#(request),
        "headers": {"Authorization": ["token <AUTH_TOKEN>"]}
      },
      "response": {
        "status": {"code": 201, "message": "Created"},
        "headers": {"Content-Length": ["1"], "Transfer-Encoding": "chunked", "X": ["1", "2"]\#(fields)},
        "body": \#(body)
      },
      "recorded_at": "2013-11-08T05:24:32"
    }], "recorded_with": "x"}
    """#
  }

  @Test(arguments: [
    ("{\"string\": \"hello\", \"encoding\": \"UTF-8\"}", "hello"), ("\"hello\"", "hello"), ("null", ""),
    ("{\"encoding\": null, \"base64_string\": \"aGVs\\nbG8=\\n\", \"string\": \"no\"}", "hello"),
    ("{\"encoding\": \"ISO-8859-1\", \"string\": \"a\"}", "a"),
  ])
  func `each notation of a body in a VCR cassette is imported`(spelling: String, expected: String) throws {
    for list in ["http_interactions", "interactions"] {
      let imported = try Imported.of(Self.vcr(spelling, list: list))
      let interaction = try #require(imported.cassette?.interactions.first)
      #expect(imported.report.format == .vcr)
      #expect(try body(interaction) == expected)
      #expect(interaction.method == .post && interaction.status == 201)
      #expect(interaction.response?.headers == [("X", "1"), ("X", "2")])
      #expect(interaction.recorded?.at == "2013-11-08T05:24:32Z")
    }
  }

  @Test func `the content of vcrpy's httpx recordings is imported as the body`() throws {
    let imported = try Imported.of(
      #"""
      {"version": 1, "interactions": [{"request": {"method": "GET", "uri": "https://a.example/x", "body": "",
        "headers": {}}, "response": {"http_version": "HTTP/1.1", "status_code": 200,
        "headers": {"content-type": ["application/json"]}, "content": "{\"a\":1}"}}]}
      """#)
    #expect(try body(imported.cassette?.interactions.first) == #"{"a":1}"#)
  }

  @Test(arguments: [
    (#"{"protocol": "https", "host": ["api", "example", "com"], "port": "8080", "path": ["u", ":id"]}"#, "/u/7"),
    (
      #"{"host": ["{{base}}"], "path": ["u", ":id"], "query": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "disabled": true}, {"key": "c", "value": null}]}"#,
      "/u/7?a=1&c"
    ),
    (#"{"host": "{{unknown}}", "path": "/u"}"#, "/u"),
  ])
  func `a Postman URL without its raw text is assembled from its parts`(url: String, expected: String) throws {
    let variables = url.dropLast() + #", "variable": [{"key": "id", "value": "7"}]}"#
    let imported = try Imported.of(
      #"""
      {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "get", "request": {"method": "GET", "url": "x"}, "response": [
         {"name": "ok", "originalRequest": {"method": "GET", "url": \#(variables)}, "code": 200, "body": "{}"}]}],
       "variable": [{"key": "base", "value": "https://api.example.com"}]}
      """#)
    #expect(imported.cassette?.interactions.map(\.url) == [expected])
  }

  @Test func `placeholders of VCR are not redacted`() throws {
    let imported = try Imported.of(Self.vcr("\"a\""))
    #expect(imported.cassette?.interactions.first?.requestHeaders == [("Authorization", "token <AUTH_TOKEN>")])
  }

  @Test func `placeholders in the URL of a VCR recording match any value`() throws {
    let hidden = "https://api.example.com/bot<TOKEN>/a.b?key=<API_KEY>&q=1"
    let imported = try Imported.of(
      Self.vcr("\"a\"").replacing("https://api.example.com/a", with: hidden).replacing("\"post\"", with: "\"get\""))
    let cassette = try #require(imported.cassette)
    #expect(cassette.interactions.first?.url == "/bot<TOKEN>/a.b?key=<API_KEY>&q=1")
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    let asked = [
      "/bot12:3/a.b?key=k&q=1": true, "/bot12:3/a.b?q=1&key=": true, "/bot<TOKEN>/a.b?key=<API_KEY>&q=1": true,
      "/bot12:3/a.b?key=k&q=2": false, "/bot12:3/axb?key=k&q=1": false, "/bot1/2/a.b?key=k&q=1": false,
    ]
    for (target, isAnswered) in asked {
      let request = HTTPRequest(method: .get, target: try #require(HTTPTarget(target)))
      if deck.plan(request).playback != nil {
        #expect(isAnswered, "\(target)")
      } else {
        #expect(!isAnswered, "\(target)")
      }
    }
  }

  @Test(arguments: [
    ("gzip", "{\"encoding\": \"ASCII-8BIT\", \"base64_string\": \"\(gzip)\"}"),
    ("gzip", "\"{\\\"a\\\":1,\\\"b\\\":\\\"bus\\\"}\""),
    ("br", "\"{\\\"a\\\":1,\\\"b\\\":\\\"bus\\\"}\""),
  ])
  func `an encoded VCR body is decoded, unless the recorder has decoded it`(coding: String, spelling: String) throws {
    let imported = try Imported.of(Self.vcr(spelling, fields: ", \"Content-Encoding\": [\"\(coding)\"]"))
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(try body(interaction) == #"{"a":1,"b":"bus"}"#)
    #expect(interaction.response?.headers["Content-Encoding"] == nil)
  }

  @Test func `invalid base64 refuses the file with its place, and nothing is written`() throws {
    let text = Self.vcr("{\"base64_string\": \"aGVsbG8\"}")
    let failure = #expect(throws: ImportTransaction.Failure.self) { try Imported.of(text) }
    guard case .refused(let error)? = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.line == 1 && error.message.contains("interaction 0"))
    #expect(error.file.hasSuffix("/in/sample.json"))
  }

  @Test(arguments: [
    #""rawHeaders": ["X", "1", "X", "2"]"#, #""headers": {"X": ["1", "2"]}"#,
  ])
  func `nock definitions with rawHeaders or headers are imported`(headers: String) throws {
    let imported = try Imported.of(
      #"""
      [{"scope": "https://api.example.com:443", "method": "GET", "path": "/a?b=1", "body": "", "status": 200,
        "response": {"a" : [1, 2.0]}, \#(headers)},
       {"scope": "https://api.example.com:443", "method": "get", "path": "/b", "status": 200,
        "response": "00ff", "responseIsBinary": true}]
      """#)
    let interactions = try #require(imported.cassette?.interactions)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(interactions.map(\.url) == ["/a?b=1", "/b"])
    #expect(try body(interactions[0]) == #"{"a":[1,2.0]}"#)
    #expect(interactions[0].response?.headers == [("X", "1"), ("X", "2")])
    #expect(try interactions[1].response?.body?.bytes() == [0, 255])
  }

  @Test func `DVR bodies are imported as JSON, text or base64 by their media type`() throws {
    func interaction(_ type: String, _ body: String) -> String {
      #"{"recorded_at": 1434688721.44, "request": {"url": "http://a.example"}, "response": {"status": 200, "body": \#(body), "headers": {"Content-Type": "\#(type)"}}}"#
    }
    let list = [
      interaction("application/json", #"{"a" : 1.0}"#), interaction("text/plain", #""aGk=""#),
      interaction("image/png", #""AP8=""#), interaction("multipart/form-data; boundary=<2d 2d>", #""AP8=""#),
    ].joined(separator: ",")
    for text in [#"{"name": "x", "interactions": [\#(list)]}"#, "[\(list)]"] {
      let imported = try Imported.of(text)
      #expect(imported.report.format == .dvr)
      let interactions = try #require(imported.cassette?.interactions)
      #expect(
        try interactions.map { try $0.response?.body?.bytes() ?? [] } == [
          Array(#"{"a":1.0}"#.utf8), Array("aGk=".utf8), [0, 255], [0, 255],
        ])
      #expect(interactions[0].recorded?.at == "2015-06-19T04:38:41Z")
    }
  }

  @Test func `a failure of a DVR cassette is imported as a failure`() throws {
    let imported = try Imported.of(
      #"""
      {"name": "x", "interactions": [{"request": {"method": "GET", "url": "http://a.example/"},
        "response": {"error": {"domain": "NSURLErrorDomain", "code": -1001}}}]}
      """#)
    #expect(imported.cassette?.interactions.first?.failure == RecordedFailure(code: -1001, name: "timedOut"))
  }

  @Test func `matchers, states and delays of a Hoverfly simulation are imported, and other members are reported`()
    throws
  {
    let imported = try Imported.of(
      #"""
      {"data": {"pairs": [
        {"request": {"path": [{"matcher": "exact", "value": "/a"}], "method": [{"matcher": "exact", "value": "PUT"}],
          "destination": [{"matcher": "exact", "value": "h.example"}], "scheme": [{"matcher": "exact", "value": "https"}],
          "query": {"q": [{"matcher": "exact", "value": "1 2"}]}, "body": [{"matcher": "json", "value": "{\"x\":1}"}],
          "requiresState": {"s": "1"}},
         "response": {"status": 200, "body": "aGk=", "encodedBody": true, "headers": {"X": ["1"]}, "fixedDelay": 1500}},
        {"request": {"path": [{"matcher": "xpath", "value": "/.*"}]}, "response": {"status": 200, "body": ""}},
        {"request": {"path": [{"matcher": "regex", "value": "/users/[0-9]+"}], "query": {},
          "headers": {"X": [{"matcher": "glob", "value": "a*"}]}},
         "response": {"status": 200, "body": "", "transitionsState": {"s": "1"}, "removesState": ["t"]}}
      ], "globalActions": {"delays": [{"delay": 1}]}}, "meta": {"schemaVersion": "v5"}}
      """#)
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(imported.cassette?.origin == "https://h.example")
    #expect(interaction.url == "/a?q=1%202" && interaction.method == .put)
    #expect(try body(interaction) == "hi")
    #expect(interaction.replay.delay == .seconds(1.5) && interaction.replay.when == [.init("s", "1")])
    #expect(imported.report.skipped.map(\.item) == ["pair 1"])
    #expect(imported.report.skipped.first?.reason.contains("xpath") == true)
    #expect(imported.report.left.map(\.what) == ["data.globalActions, which is not imported"])
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    func status(_ line: String, _ headers: HTTPHeaders = [], body: String = "") throws -> Int? {
      let words = line.split(separator: " ").map(String.init)
      let request = HTTPRequest(
        method: HTTPMethod(words[0]), target: try #require(HTTPTarget(words[1])), headers: headers,
        body: Array(body.utf8))
      guard let playback = deck.plan(request).playback else { return nil }
      return playback.recording.interaction.status
    }
    #expect(try status("PUT /a?q=1+2&r=3", body: #"{"x": 1.0}"#) == nil)
    // A pattern is searched in the value, as in Go.
    #expect(try status("POST /v1/users/7/x", ["X": "ab"]) == 200)
    #expect(try status("PUT /a?q=1+2&r=3", body: #"{"x": 2}"#) == nil)
    #expect(try status("PUT /a?q=1+2&r=3", body: #"{"x": 1.0}"#) == 200)
    #expect(try status("POST /users/7?z", ["X": "ab"]) == nil)
    #expect(try status("POST /users/7", ["X": "b"]) == nil)
  }

  @Test func `a Hoverfly pair with an empty scheme is imported`() throws {
    let request =
      #""path": [{"matcher": "exact", "value": "/a"}], "destination": [{"matcher": "exact", "value": "h.example"}]"#
    let imported = try Imported.of(
      #"{"data": {"pairs": [{"request": {\#(request), "scheme": [{"matcher": "exact", "value": ""}]},"#
        + #" "response": {"status": 200, "body": "hi"}}]}, "meta": {"schemaVersion": "v5"}}"#)
    #expect(imported.report.skipped.isEmpty && imported.cassette?.interactions.map(\.url) == ["/a"])
    #expect(imported.cassette?.origin == "http://h.example")
  }

  @Test func `a Hoverfly array matcher is imported if its order is ignored, and skipped otherwise`()
    throws
  {
    func pair(_ config: String, _ body: String) -> String {
      #"{"request": {"method": [{"matcher": "negate", "value": "GET"}], "path": [{"matcher": "exact", "value": "/\#(body)"}],"#
        + #" "query": {"q": [{"matcher": "array", "value": ["a", "b"], "config": {\#(config)}}]}},"#
        + #" "response": {"status": 200, "body": "\#(body)"}}"#
    }
    let imported = try Imported.of(
      #"{"data": {"pairs": [\#(pair(#""ignoreOrder": true"#, "all")),"#
        + #"\#(pair(#""ignoreOrder": true, "ignoreUnknown": true"#, "some")), \#(pair("", "ordered"))]}, "meta": {}}"#)
    #expect(imported.report.skipped.map(\.item) == ["pair 2"])
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    func isMet(_ target: String) throws -> Bool {
      let request = HTTPRequest(method: .post, target: try #require(HTTPTarget(target)))
      if deck.plan(request).playback != nil { return true } else { return false }
    }
    #expect(try isMet("/all?q=b&q=a") && !isMet("/all?q=a") && !isMet("/all?q=a&q=b&q=c"))
    #expect(try isMet("/some?q=b&q=a&q=c") && !isMet("/some?q=a"))
  }

  @Test func `a Postman collection is imported with the examples of all folders and its variables replaced`() throws {
    let imported = try Imported.of(
      #"""
      {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "f", "item": [
         {"name": "get", "request": {"method": "GET", "url": "x"}, "event": [{"listen": "test"}], "response": [
           {"name": "ok", "originalRequest": {"method": "POST", "header": [{"key": "A", "value": "{{v}}"},
             {"key": "B", "value": "2", "disabled": true}],
             "url": {"raw": "{{base}}/u/:id?x=1", "variable": [{"key": "id", "value": "7"}]},
             "body": {"mode": "urlencoded", "urlencoded": [{"key": "a b", "value": "c&d"}]}},
            "status": "Created", "code": 201, "header": [{"key": "X", "value": "1"}], "body": "{}"}]},
         {"name": "bare", "request": {"method": "GET", "url": "{{unknown}}/x"}, "response": []}]}],
       "variable": [{"key": "base", "value": "https://api.example.com"}, {"key": "v", "value": "1"}]}
      """#)
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(imported.report.format == .postman)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(interaction.url == "/u/7?x=1" && interaction.status == 201 && interaction.method == .post)
    #expect(interaction.requestHeaders == [("A", "1")])
    #expect(try interaction.requestBody?.bytes() == Array("a%20b=c%26d".utf8))
    #expect(imported.report.skipped.map(\.item) == ["\"f / bare\""])
    #expect(imported.report.left.map(\.what) == ["event, which is not imported"])
  }

  @Test func `a file of an unknown format is refused with the names of the supported formats`() throws {
    for text in ["{}", "[1]"] {
      let failure = #expect(throws: ImportTransaction.Failure.self) { try Imported.of(text) }
      guard case .refused(let error)? = failure else { continue }
      #expect(error.message.contains("HAR") && error.message.contains("Postman"))
    }
  }

  @Test(arguments: [
    (#"{"consumer": {}, "interactions": [{"request": {}, "response": {}}], "provider": {}}"#, "a Pact contract"),
    (#"{"openapi": "3.1.0"}"#, "an OpenAPI document"), ("1851:9:websocket;", "a file of mitmproxy flows"),
    (#"[{"httpRequest": {}, "httpResponse": {}}]"#, "a file of MockServer expectations"),
  ])
  func `an import of a format that is not supported names the tool`(text: String, kind: String) throws {
    let failure = #expect(throws: ImportTransaction.Failure.self) { try Imported.of(text) }
    guard case .refused(let error)? = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.message == "is \(kind), not a cassette" && error.suggestion != nil)
  }

  @Test func `a syntax error in YAML is reported with its line`() throws {
    let failure = #expect(throws: ImportTransaction.Failure.self) {
      try Imported.of("---\nhttp_interactions:\n- request: {a: b\n", named: "a.yml")
    }
    guard case .refused(let error)? = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.line == 3 && error.message.contains("is not closed"), "\(error)")
  }
}
