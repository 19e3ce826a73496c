import CassetteFormats
import Cassettes
import Foundation
import TestSupport
import Testing

/// Every member of a file is imported or reported.
struct TotalImportTests {
  /// A document of each format with every kind of object.
  static let documents: [(format: CassetteFormat, text: String)] = [
    (
      .har,
      #"""
      {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "browser": {"name": "x", "version": "1"},
        "pages": [{"startedDateTime": "2026-11-21T01:02:03.004Z", "id": "p", "title": "t", "pageTimings": {"onLoad": 1}}],
        "entries": [{
          "startedDateTime": "2026-11-21T01:02:03.004Z", "time": 5, "pageref": "p", "_priority": "High",
          "request": {"method": "POST", "url": "http://a.example/x?q=1", "httpVersion": "HTTP/1.1",
            "cookies": [{"name": "c", "value": "1"}], "headers": [{"name": "Cookie", "value": "c=1"}],
            "queryString": [{"name": "q", "value": "1"}], "headersSize": -1, "bodySize": 3,
            "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "1"}],
              "text": "a=1"}},
          "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
            "cookies": [{"name": "d", "value": "1", "path": "/"}], "headers": [{"name": "Set-Cookie", "value": "d=1"}],
            "content": {"size": 2, "mimeType": "text/plain", "text": "ok"}, "redirectURL": "", "_error": null},
          "cache": {"beforeRequest": {"lastAccess": "", "eTag": "", "hitCount": 0}},
          "timings": {"send": 0, "wait": 5, "receive": 0}}]}}
      """#
    ),
    (
      .vcr,
      #"""
      {"http_interactions": [{"request": {"method": "post", "uri": "http://a.example/x", "headers": {"A": ["1"]},
          "body": {"encoding": "UTF-8", "string": "a"}},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {"B": ["1"]}, "http_version": null,
          "body": {"encoding": "UTF-8", "string": "b"}}, "recorded_at": "2013-11-08T05:24:32"}],
       "recorded_with": "VCR 6"}
      """#
    ),
    (
      .wiremock,
      #"""
      {"mappings": [{"id": "x", "request": {"method": "POST", "url": "/x", "headers": {"A": {"equalTo": "1"}},
          "basicAuthCredentials": {"username": "u", "password": "p"}, "bodyPatterns": [{"equalToJson": "{}"}]},
        "response": {"status": 200, "body": "b", "headers": {"B": "1"},
          "chunkedDribbleDelay": {"numberOfChunks": 1, "totalDuration": 1}}}]}
      """#
    ),
    (
      .nock,
      #"""
      [{"scope": "http://a.example", "method": "GET", "path": "/x", "body": "", "status": 200, "response": {"a": 1},
        "rawHeaders": ["A", "1"], "reqheaders": {"b": "1"}}]
      """#
    ),
    (
      .hoverfly,
      #"""
      {"data": {"pairs": [{"request": {"path": [{"matcher": "exact", "value": "/x", "config": {"ignoreCase": true}}],
          "query": {"q": [{"matcher": "exact", "value": "1"}]}, "headers": {"A": [{"matcher": "exact", "value": "1"}]}},
        "response": {"status": 200, "body": "b", "headers": {"B": ["1"]}, "fixedDelay": 1}}],
        "globalActions": {"delays": []}}, "meta": {"schemaVersion": "v5"}}
      """#
    ),
    (
      .dvr,
      #"""
      {"name": "x", "interactions": [{"recorded_at": 1434688721.44, "request": {"method": "GET", "url": "http://a.example/"},
        "response": {"url": "http://a.example/", "status": 200, "headers": {"B": "1"}, "body": "b"}}]}
      """#
    ),
    (
      .postman,
      #"""
      {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "variable": [{"key": "v", "value": "1"}],
       "item": [{"name": "f", "item": [{"name": "a", "request": {"method": "GET", "url": "x"}, "response": [
         {"name": "ok", "code": 200, "status": "OK", "header": [{"key": "B", "value": "1"}], "body": "b",
          "originalRequest": {"method": "POST", "header": [{"key": "A", "value": "1"}],
            "url": {"raw": "http://a.example/:i?q=1", "query": [{"key": "q", "value": "1"}],
              "variable": [{"key": "i", "value": "1"}]},
            "body": {"mode": "graphql", "graphql": {"query": "{a}", "variables": "{}"}}}}]}]}]}
      """#
    ),
  ]

  @Test(arguments: documents)
  func `a document with known members is imported without a report`(format: CassetteFormat, text: String) throws {
    let report = try Imported.of(text).report
    #expect(report.format == format && report.imported == 1 && report.skipped.isEmpty)
    #expect(report.left.isEmpty, "\(report.left)")
  }

  @Test(arguments: [
    #"""
    {"request": {"method": "POST", "url": "/x", "bodyPatterns": [
        {"matchesJsonPath": {"expression": "$.n", "greaterThanNumber": 1}}, {"lessThanEqualNumber": 5}, {"anything": "x"}]},
      "response": {"status": 200, "body": "{{parameters.who}}", "transformers": ["response-template"],
        "transformerParameters": {"who": "Ada"}}}
    """#,
    #"""
    {"data": {"pairs": [{"request": {"path": [{"matcher": "exact", "value": "/x"}], "query": {"q": [{"matcher": "array",
          "value": ["1", "2"], "config": {"ignoreOrder": true, "ignoreUnknown": true}}]}},
        "response": {"status": 200, "body": "b"}}]}, "meta": {"schemaVersion": "v5"}}
    """#,
  ])
  func `a condition or parameter that is imported is not reported as left out`(text: String) throws {
    let report = try Imported.of(text).report
    #expect(report.imported == 1 && report.left.isEmpty, "\(report)")
  }

  /// Returns copies of the text, each with an unknown member on its own line in one of the objects whose names are not
  /// data.
  static func marked(_ text: String) -> [String] {
    text.indices.filter { text[$0] == "{" }.compactMap { at in
      let rest = text[text.index(after: at)...]
      // Names of header fields, parameters and variables are data, and so are the contents of strings and bodies.
      let isData = ["\"A\":", "\"B\":", "\"b\":", "\"q\":", "\"a\": 1", "a}", "}"].contains { rest.hasPrefix($0) }
      let isCondition =
        rest.hasPrefix("\"equalTo\":")
        || rest.hasPrefix("\"method\": \"POST\", \"url\": \"/x\"")
        // The request of the example overrides this request.
        || rest.hasPrefix("\"method\": \"GET\", \"url\": \"x\"")
      // These members do not affect responses.
      let isIgnored = [
        "creator", "browser", "pages", "pageTimings", "cookies", "params", "cache", "beforeRequest", "timings", "info",
        "meta", "globalActions",
      ].contains { text[..<at].hasSuffix("\"\($0)\": ") || text[..<at].hasSuffix("\"\($0)\": [") }
      return isData || isCondition || isIgnored ? nil : "\(text[...at])\n\"new\": [\"x\"],\n\(rest)"
    }
  }

  @Test(arguments: documents.flatMap { document in marked(document.text).map { (document.format, $0) } })
  func `an unknown member is reported with its path, file and line in every object`(
    format: CassetteFormat, text: String
  ) throws {
    let report = try Imported.of(text).report
    let line = 1 + (text.firstRange(of: "\"new\"").map { text[..<$0.lowerBound].count { $0 == "\n" } } ?? 0)
    #expect(report.imported == 1 && report.leftOut == 1)
    let note = try #require(report.left.first)
    #expect(note.what.hasSuffix("new, which is not imported"), "\(note)")
    #expect(note.file.hasSuffix("/in/sample.json") && note.line == line, "\(note)")
  }

  @Test func `unknown members at the same path are reported once, with their number and first line`() throws {
    let entry = Sample.entry().replacing("\"timings\"", with: "\"mine\": 1,\n\"timings\"")
    let text = Sample.har("\n\(entry),\n\(entry),\n\(entry)")
    let left = try Imported.of(text).report.left
    #expect(left.map(\.what) == ["mine, which is not imported"] && left.map(\.count) == [3])
    #expect(
      left.first?.line == 2
        + entry[..<(try #require(entry.firstRange(of: "\"mine\"")).lowerBound)].count { $0 == "\n" })
  }

  @Test(arguments: [
    (#""startedDateTime""#, #""comment": {"a": 1}, "startedDateTime""#, nil),
    (#""method": "GET""#, #""method": "GET", "method": "GET""#, "request.method, which is not imported"),
    (#""statusText": """#, #""statusText": ["x"]"#, "response.statusText, which is not imported"),
    (#""statusText": """#, #""statusText": "a\nb""#, "reason phrases with invalid characters"),
    (#"{"name": "Host", "value""#, #"{"nam": "Host", "value""#, "request.headers[].nam, which is not imported"),
    (#""status": 200"#, #""status": 204"#, "bodies of HEAD, 204 and 304, which have none"),
    (
      #""text": "abc""#, #""text": "abc", "encoding": "quoted""#,
      "bodies in the unknown encoding quoted, imported as text"
    ),
    (
      #""name": "Host", "value": "api.example.com""#, #""name": "Host", "value": {"a": 1}"#,
      "the value of the request field Host, which is not a string"
    ),
    (
      #""headers": ["#, #""queryString": [{"name": "q", "value": "1"}], "headers": ["#,
      "queryString items that are not in the URL"
    ),
    (
      #""headers": ["#, #""cookies": [{"name": "c", "value": "1"}], "headers": ["#,
      "request.cookies that are not in a Cookie field"
    ),
    (#""statusText""#, #""redirectURL": "/b", "statusText""#, "redirectURL without a Location field"),
    (#""statusText""#, #""_error": "net::ERR_ABORTED", "statusText""#, "_error in addition to a response"),
  ])
  func `a member that cannot be imported is reported by its name`(old: String, new: String, what: String?) throws {
    let entry = Sample.entry(content: #"{"size": 3, "mimeType": "text/plain", "text": "abc"}"#)
    let place = try #require(entry.firstRange(of: old))
    let imported = try Imported.of(Sample.har(entry.replacingCharacters(in: place, with: new)))
    #expect(imported.report.imported == 1)
    let left = imported.report.left.map(\.what)
    #expect(what.map { left.contains($0) } ?? left.isEmpty, "\(left)")
  }

  @Test func `a body that Playwright stores in a file is imported, and a missing file is reported`() throws {
    let entry = Sample.entry(content: #"{"size": 3, "mimeType": "text/plain", "_file": "b0d1.txt"}"#)
    let imported = try Imported.of(Sample.har(entry), beside: ["b0d1.txt": "abc"])
    #expect(try imported.cassette?.interactions.first?.response?.body?.bytes() == Array("abc".utf8))
    #expect(imported.report.left.isEmpty)
    for name in ["none.txt", "../sample.json", "/etc/hostname"] {
      let report = try Imported.of(Sample.har(entry.replacing("b0d1.txt", with: name))).report
      #expect(report.imported == 0 && report.skipped.first?.reason.hasPrefix("_file: ") == true, "\(report)")
    }
  }

  @Test(
    arguments: [
      ("ISO-8859-1", "é", [0xe9], nil), ("latin1", "é", [0xe9], nil), ("UTF-8", "é", [0xc3, 0xa9], nil),
      ("ASCII-8BIT", "é", [0xc3, 0xa9], nil), ("Shift_JIS", "e", [0x65], nil),
      ("Shift_JIS", "é", [0xc3, 0xa9], "bodies in Shift_JIS, converted to UTF-8"),
    ] as [(String, String, [UInt8], String?)])
  func `a body in an unknown encoding is reported`(
    encoding: String, text: String, bytes: [UInt8], what: String?
  ) throws {
    let imported = try Imported.of(
      #"""
      {"http_interactions": [{"request": {"method": "get", "uri": "http://a.example/", "headers": {}, "body": ""},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"encoding": "\#(encoding)", "string": "\#(text)"}}}]}
      """#)
    #expect(try imported.cassette?.interactions.first?.response?.body?.bytes() == bytes)
    #expect(imported.report.left.map(\.what) == [what].compactMap(\.self))
  }
}
