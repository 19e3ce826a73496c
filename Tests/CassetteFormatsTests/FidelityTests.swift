import CassetteFormats
import CassetteHTTP
import Cassettes
import Testing

/// Values that imports and exports preserve.
struct FidelityTests {
  private static let target = "/a?cb=[X]&ids[]=1|2"

  @Test(
    arguments: [
      Sample.har(Sample.entry(url: "https://api.example.com\(target)")),
      #"{"http_interactions": [{"request": {"method": "get", "uri": "https://api.example.com%"}, "response": {"status": {"code": 200}, "headers": {}, "body": ""}}]}"#,
      #"[{"scope": "https://api.example.com:443", "method": "GET", "path": "%", "status": 200, "response": ""}]"#,
      #"{"request": {"method": "GET", "url": "%"}, "response": {"status": 200}}"#,
      #"{"name": "a", "interactions": [{"recorded_at": 1, "request": {"url": "https://api.example.com%", "method": "GET"}, "response": {"status": 200, "headers": {}}}]}"#,
      #"{"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [{"name": "a", "request": {"method": "GET", "url": {"raw": "https://api.example.com%"}}, "response": [{"name": "ok", "code": 200, "body": ""}]}]}"#,
    ])
  func `a request target with brackets is imported unchanged in every format`(text: String) throws {
    let imported = try Imported.of(text.replacing("%", with: Self.target), redaction: nil)
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(interaction.pathAndQuery == Self.target)
  }

  @Test func `brackets of a target are exported unchanged`() throws {
    let interaction = Interaction(
      id: "a", method: .get, url: "/a?cb=[X]", outcome: .response(RecordedResponse(status: 200)))
    let cassette = Cassette(name: "a", origin: "https://api.example.com", interactions: [interaction])
    let har = String(decoding: try HARWriter.bytes(of: cassette, version: "1"), as: UTF8.self)
    #expect(har.contains(#""url": "https://api.example.com/a?cb=[X]""#))
    #expect(String(decoding: try CurlWriter.bytes(of: cassette), as: UTF8.self).contains("/a?cb=[X]'"))
    #expect(String(decoding: try WireMockWriter.export(cassette).bytes, as: UTF8.self).contains("\"/a?cb=[X]\""))
  }

  @Test func `the coding of a decoded body is imported, and kept by an export to HAR`() throws {
    let content = #"{"size": 2, "mimeType": "text/plain", "text": "ok"}"#
    let imported = try Imported.of(Sample.har(Sample.entry(content: content)))
    let response = try #require(imported.cassette?.interactions.first?.response)
    #expect(response.coding == "br")
    #expect(!response.headers.contains("Content-Encoding"))
    let cassette = try #require(imported.cassette)
    let har = String(decoding: try HARWriter.bytes(of: cassette, version: "1"), as: UTF8.self)
    let again = try Imported.of(har, redaction: nil)
    #expect(again.cassette?.interactions.first?.response?.coding == "br")
    #expect(try again.cassette?.interactions.first?.response?.body?.bytes() == Array("ok".utf8))
  }

  @Test func `a status up to 999 is imported`() throws {
    let imported = try Imported.of(Sample.har(Sample.entry(status: "720")))
    #expect(imported.cassette?.interactions.first?.status == 720)
  }

  @Test func `the parsed_body of vcrpy is imported as the body, and reported as reformatted`() throws {
    let imported = try Imported.of(
      #"""
      {"version": 1, "interactions": [{
        "request": {"method": "POST", "uri": "https://a.example/x", "headers": {"content-type": ["application/json"]},
          "parsed_body": {"b": [1, 2.50, null], "a": "é"}},
        "response": {"status": {"code": 200}, "headers": {"content-encoding": ["gzip"]}, "parsed_body": {"ok": true}}
      }, {
        "request": {"method": "POST", "uri": "https://a.example/y", "headers": {}, "parsed_body": null},
        "response": {"status": {"code": 200}, "headers": {}, "parsed_body": null}
      }]}
      """#)
    let interactions = try #require(imported.cassette?.interactions)
    #expect(
      try interactions[0].requestBody?.bytes() == Array(#"{"b": [1, 2.50, null], "a": "é"}"#.utf8))
    #expect(try interactions[0].response?.body?.bytes() == Array(#"{"ok": true}"#.utf8))
    #expect(interactions[0].response?.coding == "gzip")
    #expect(try interactions[1].requestBody?.bytes() == [])
    #expect(interactions[1].response?.body == nil)
    let left = try #require(imported.report.left.first)
    #expect(left.what.hasPrefix("parsed_body") && left.count == 2)
  }

  @Test func `a response with a body in an unknown form is skipped and named`() throws {
    let report = try Imported.of(
      #"""
      {"version": 1, "interactions": [{"request": {"method": "GET", "uri": "https://a.example/x", "headers": {}},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"packed": "x"}}}]}
      """#
    ).report
    #expect(report.imported == 0)
    #expect(report.skipped.map(\.reason) == ["the response has a body in an unknown form"])
  }

  /// Imports a vcrpy cassette with one request and the given body in PyYAML's notation.
  private func sent(_ body: String, after others: String = "headers: {}") throws -> (body: [UInt8]?, left: [String]) {
    let imported = try Imported.of(
      "interactions:\n- request:\n    body: \(body)\n    \(others)\n    method: POST\n    uri: https://a.example/x\n"
        + "  response:\n    body: {string: hi}\n    headers: {}\n    status: {code: 200, message: OK}\nversion: 1\n",
      named: "sample.yaml")
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    return (try interaction.requestBody?.bytes(), imported.report.left.map(\.what))
  }

  @Test(arguments: [
    ("[ab, !!binary Y2Q=]", "abcd"), ("!!python/tuple [ab, !!binary Y2Q=]", "abcd"), ("[]", ""),
    ("!!python/object/new:_io.BytesIO {state: !!python/tuple [!!binary ZWY=, 0, null]}", "ef"),
    ("!!python/object/new:_io.StringIO {state: !!python/tuple [é, \"\\n\", 0, null]}", "é"),
    ("!!python/object:StringIO.StringIO {buf: ab, pos: 0}", "ab"),
    ("!!python/object/apply:builtins.bytearray [ab, latin-1]", "ab"), ("!!python/bytes 'YWI='", "ab"),
    ("!!python/unicode 'ab'", "ab"), ("{b: 1, a: [x, null]}", #"{"b": 1, "a": ["x", null]}"#),
    ("[{a: 1}]", #"[{"a": 1}]"#),
  ])
  func `a body as a Python list, file object or value is imported as its content`(
    _ yaml: String, _ expected: String
  ) throws {
    let sent = try sent(yaml)
    #expect(sent.body == Array(expected.utf8) && sent.left.isEmpty, "\(sent.left)")
  }

  @Test(arguments: ["python/object/apply:os.system", "python/object/new:requests.Session", "python/name:os.system"])
  func `a body of an unsupported Python type is left out, and its type is reported`(_ type: String) throws {
    let sent = try sent(type.contains("name") ? "!!\(type) ''" : "!!\(type) [ls]")
    #expect(sent.body == nil)
    #expect(sent.left == ["bodies of requests of the unsupported type \(type)"])
  }

  @Test func `the recorded_at of a betamax cassette is not reported as left out`() throws {
    let report = try Imported.of(
      #"""
      {"http_interactions": [{"recorded_at": "2016-01-01T00:00:00", "request": {"body": {"encoding": "utf-8",
        "string": ""}, "headers": {}, "method": "GET", "uri": "https://a.example/x"}, "response": {"body":
        {"encoding": "UTF-8", "string": "hi"}, "headers": {}, "status": {"code": 200, "message": "OK"}, "url":
        "https://a.example/x"}}], "recorded_with": "betamax/0.9.0", "recorded_at": "2016-01-01T00:00:00"}
      """#
    ).report
    #expect(report.imported == 1 && report.left.isEmpty)
  }

  @Test func `comments and single quotes in a WireMock mapping are read, and text after its end is an error`() throws {
    let text = """
      // a mapping
      {'request': {"method": "GET", /* the
        path */ "url": "/a//b"}, "response": {"body": 'it\\'s "x"'}} // end
      """
    let imported = try Imported.of(text)
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(interaction.url == "/a//b")
    #expect(try interaction.response?.body?.bytes() == Array(#"it's "x""#.utf8))
    #expect(throws: (any Error).self) { try Imported.of(text + "\n}") }
  }

  /// Imports a Postman collection, as Postman's SDK exports it, with one request and one example.
  private func postman(_ request: String, _ example: String = #""code": 200, "body": "hi""#) throws -> Imported {
    try Imported.of(
      #"""
      {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.0.0/collection.json"},
       "item": [{"name": "a", "request": \#(request), "response": [{"name": "ok", \#(example)}]}]}
      """#)
  }

  @Test(arguments: [
    (#""https://a.example/x?y=1""#, "/x?y=1"), (#"{"url": "https://a.example/x"}"#, "/x"),
    (
      #"{"url": {"raw": "https://old.example/old", "protocol": "https", "host": ["a", "example"], "path": ["x"]}}"#,
      "/x"
    ),
    (#"{"url": {"raw": "https://a.example/x?y=1", "host": "https://a.example", "path": "/x"}}"#, "/x?y=1"),
  ])
  func `a Postman request may be a string, and the parts of a URL override its raw text`(
    _ request: String, _ target: String
  ) throws {
    let cassette = try #require(try postman(request).cassette)
    #expect(cassette.origin == "https://a.example" && cassette.interactions.map(\.url) == [target])
  }

  @Test func `header fields and bodies of Postman may be strings`() throws {
    let imported = try postman(
      #"{"method": "post", "url": "https://a.example/x", "header": "A: 1\nB: x:y", "body": "sent"}"#,
      #""code": 201, "body": "hi", "header": ["C: 2", {"key": "D", "value": "3"}]"#)
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(interaction.requestHeaders.map { "\($0.name): \($0.value)" } == ["A: 1", "B: x:y"])
    #expect(try interaction.requestBody?.bytes() == Array("sent".utf8))
    #expect(interaction.response?.headers.map { "\($0.name): \($0.value)" } == ["C: 2", "D: 3"])
    #expect(imported.report.left.isEmpty, "\(imported.report.left)")
  }

  @Test func `the string reply of a nock definition overrides its status`() throws {
    let text = #"[{"scope": "https://a.example", "path": "/x", "reply": "202", "status": 200, "response": "hi"}]"#
    let imported = try Imported.of(text)
    #expect(imported.cassette?.interactions.map(\.status) == [202] && imported.report.left.isEmpty)
  }

  @Test func `a body file of Hoverfly is read from the simulation's folder unless the body has a text`() throws {
    let pair = #"{"request": {"path": [{"matcher": "exact", "value": "/x"}]}, "response": {"status": 200, %}}"#
    let around = #"{"data": {"pairs": [%]}, "meta": {"schemaVersion": "v5.2"}}"#
    for (members, body) in [
      (#""bodyFile": "files/a.txt""#, "file"), (#""body": "", "bodyFile": "files/a.txt""#, "file"),
      (#""body": "text", "bodyFile": "files/a.txt""#, "text"), (#""bodyFile": "../a.txt""#, nil),
      (#""bodyFile": "https://a.example/a""#, nil),
    ] {
      let text = around.replacing("%", with: pair.replacing("%", with: members))
      let imported = try Imported.of(text, beside: ["files/a.txt": "file", "../a.txt": "other"])
      #expect(try imported.cassette?.interactions.first?.response?.body?.bytes() == body.map { Array($0.utf8) })
      #expect(imported.report.skipped.isEmpty == (body != nil))
    }
  }
}
