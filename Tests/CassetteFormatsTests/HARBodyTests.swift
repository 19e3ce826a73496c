import CassetteFormats
import CassetteHTTP
import CassettePlayback
import Cassettes
import TestSupport
import Testing

/// Bodies in HAR files: with content, known to be empty, or not captured.
struct HARBodyTests {
  /// Returns a HAR entry with the given members of its response and request; `headers` is JSON.
  private static func entry(
    _ content: String, size: String = "", method: String = "GET", status: Int = 200, headers: String = "[]",
    request: String = ""
  ) -> String {
    """
    {"startedDateTime": "2026-11-21T01:02:03.004Z", "time": 50,
     "request": {"method": "\(method)", "url": "https://api.example.com/a", "headers": []\(request)},
     "response": {"status": \(status), "statusText": "", "headers": \(headers)\(size)\(content)}}
    """
  }

  private static let missing: [(String, String, String)] = [
    (#", "content": {"size": -1, "mimeType": "text/html"}"#, #", "bodySize": -1"#, "[]"),
    (#", "content": {"mimeType": "text/html"}"#, "", "[]"),
    ("", "", "[]"),
    (#", "content": {"size": 0}"#, #", "bodySize": 1234"#, "[]"),
    (#", "content": {"size": 5000, "text": ""}"#, #", "bodySize": -1"#, "[]"),
    (#", "content": {"size": 0, "text": ""}"#, "", #"[{"name": "Content-Length", "value": "7"}]"#),
    (#", "content": {"size": 3, "text": null}"#, "", "[]"),
  ]

  @Test(arguments: missing)
  func `an entry whose body was not captured is skipped, and the same response with its body plays`(
    content: String, size: String, headers: String
  ) throws {
    let captured = Self.entry(#", "content": {"size": 4, "text": "page"}"#)
    let imported = try Imported.of(
      Sample.har([Self.entry(content, size: size, headers: headers), captured].joined(separator: ",")))
    #expect(imported.report.imported == 1)
    #expect(imported.report.skipped.map(\.item) == ["entry 0"])
    #expect(imported.report.skipped.first?.reason.contains("was not captured") == true)
    #expect(try imported.cassette?.interactions.map { try $0.response?.body?.bytes() } == [Array("page".utf8)])
  }

  @Test(arguments: [
    (#", "content": {"size": 0}"#, #", "bodySize": 0"#, "GET", 200, "[]"),
    (#", "content": {"size": 0}"#, "", "GET", 200, "[]"), (#", "content": {"text": ""}"#, "", "GET", 200, "[]"),
    (#", "content": {}"#, #", "bodySize": 0"#, "GET", 201, "[]"),
    (#", "content": {"size": -1}"#, "", "GET", 200, #"[{"name": "content-length", "value": "0"}]"#),
    (
      #", "content": {"size": 0, "text": ""}"#, #", "bodySize": 20"#, "GET", 200,
      #"[{"name": "content-encoding", "value": "gzip"}]"#
    ),
    (
      #", "content": {"size": 0}"#, #", "bodySize": 5"#, "GET", 200,
      #"[{"name": "transfer-encoding", "value": "chunked"}]"#
    ),
    (
      #", "content": {"size": 0, "text": "", "encoding": "base64"}"#, #", "bodySize": 180"#, "GET", 200,
      #"[{"name": "Content-Length", "value": "0"}]"#
    ),
    (#", "content": {"size": 78258, "text": ""}"#, "", "HEAD", 200, "[]"), ("", "", "HEAD", 200, "[]"),
    (#", "content": {"size": -1}"#, "", "GET", 204, "[]"), (#", "content": {"size": 9}"#, "", "GET", 304, "[]"),
  ])
  func `a response that is known to be empty is imported without a report`(
    content: String, size: String, method: String, status: Int, headers: String
  ) throws {
    let imported = try Imported.of(
      Sample.har(Self.entry(content, size: size, method: method, status: status, headers: headers)))
    #expect(imported.report.imported == 1 && imported.report.left.isEmpty && imported.report.skipped.isEmpty)
    #expect(imported.cassette?.interactions.first?.response?.body == nil)
  }

  @Test func `a redirect whose body was not captured is imported and reported`() throws {
    let entry = Self.entry(
      #", "content": {"size": -1}"#, status: 302, headers: #"[{"name": "Location", "value": "/b"}]"#)
    let imported = try Imported.of(Sample.har(entry))
    #expect(imported.report.imported == 1 && imported.report.leftOut == 1)
  }

  /// `{"hi":"there"}` compressed with gzip, in base64 and in hexadecimal.
  private static let base64 = "H4sIAAAAAAACA6tWyshUslIqyUgtSlWqBQBf6pNCDgAAAA=="
  private static let hex = "1f8b0800000000000203ab56cac854b2522ac9482d4a55aa05005fea93420e000000"

  @Test(arguments: [
    (#""[\"\#(base64)\"]""#, #", "encoding": "base64""#),
    (#""[\"H4sIAAAAAAAC\",\"A6tWyshUslIqyUgtSlWqBQBf6pNCDgAAAA==\"]""#, #", "encoding": "base64""#),
    (#""[\"H4sIAAAAAAAC\",\"A6tWyshUslIqyUgtSlWqBQBf6pNCDgAAAA\"]""#, #", "encoding": "base64""#),
    (#""\n [ \"H4sIAAAAAAAC\",\n \"A6tWyshUslIqyUgtSlWqBQBf6pNCDgAAAA\" ]\n""#, #", "encoding": "base64""#),
    (#""[\"\#(hex)\"]""#, ""), (#""[\"\#(hex)\"]""#, #", "_isBinary": true"#),
    (#""\#(hex)""#, #", "_isBinary": true"#), (#""[\"\#(hex)\"]""#, #", "encoding": "hex""#),
    (#""\#(base64)""#, #", "encoding": "base64""#),
  ])
  func `an encoded body that PollyJS stores in pieces is decoded`(text: String, more: String) throws {
    let entry = Self.entry(
      #", "content": {"size": 16, "text": \#(text)\#(more)}"#,
      headers:
        #"[{"name": "content-type", "value": "application/json"}, {"name": "content-encoding", "value": "gzip"}]"#)
    let imported = try Imported.of(Sample.har(entry))
    let response = try #require(imported.cassette?.interactions.first?.response, "\(imported.report)")
    #expect(try response.body?.bytes() == Array(#"{"hi":"there"}"#.utf8))
    #expect(response.coding == "gzip" && response.headers["Content-Encoding"] == nil)
    #expect(imported.report.left.isEmpty)
  }

  @Test func `a JSON array of strings that is not an encoded body stays unchanged`() throws {
    let entry = Self.entry(
      #", "content": {"size": 10, "text": "[\"abcdef\"]"}"#,
      headers: #"[{"name": "content-encoding", "value": "gzip"}]"#)
    let response = try #require(try Imported.of(Sample.har(entry)).cassette?.interactions.first?.response)
    #expect(try response.body?.bytes() == Array(#"["abcdef"]"#.utf8))
  }

  @Test(arguments: [
    #"[{"name": "set-cookie", "value": ["a=1; path=/", "b=2"]}, {"name": "x", "value": {"type": "string", "value": "y"}}]"#,
    #"{"set-cookie": ["a=1; path=/", "b=2"], "x": {"type": "string", "value": "y"}}"#,
  ])
  func `header values that are lists or wrapped in objects become separate fields`(headers: String) throws {
    let imported = try Imported.of(
      Sample.har(Self.entry(#", "content": {"size": 2, "text": "hi"}"#, headers: headers)), redaction: nil)
    let fields = try #require(imported.cassette?.interactions.first?.response?.headers)
    #expect(fields.map { "\($0.name): \($0.value)" } == ["set-cookie: a=1; path=/", "set-cookie: b=2", "x: y"])
    #expect(imported.report.left.isEmpty)
  }

  @Test(arguments: [
    #"[{"name": "x", "value": {"value": "y", "other": "z"}}]"#, #"{"x": {"value": "y", "other": "z"}}"#,
    #"[{"name": "x", "value": {"other": "z"}}]"#,
  ])
  func `a header value that is another object is reported as left out`(headers: String) throws {
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, headers: headers)
    #expect(try Imported.of(Sample.har(entry), redaction: nil).report.leftOut == 1)
  }

  @Test(arguments: [("a[b]=1&c=2", 0), ("c=2", 1)])
  func `a nested query parameter of PollyJS is reported only if the URL lacks it`(query: String, lost: Int) throws {
    let items = #", "queryString": [{"name": "a", "value": {"b": "1"}}, {"name": "c", "value": "2"}]"#
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, request: items)
      .replacing("example.com/a", with: "example.com/a?\(query)")
    #expect(try Imported.of(Sample.har(entry), redaction: nil).report.leftOut == lost)
  }

  @Test func `a multipart body is restored from its parameters, and another value does not match`() throws {
    let params = #"[{"name": "a", "value": "1"}, {"name": "b\"", "value": "x", "contentType": "text/plain"}]"#
    let data = #", "postData": {"mimeType": "multipart/form-data; boundary=XX", "params": \#(params)}"#
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, method: "POST", request: data)
    let imported = try Imported.of(Sample.har(entry))
    #expect(imported.report.leftOut == 0)
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    func answer(_ value: String) throws -> Playback? {
      let body = """
        --YY\r\nContent-Disposition: form-data; name="a"\r\n\r\n\(value)\r
        --YY\r\nContent-Disposition: form-data; name="b%22"\r\nContent-Type: text/plain\r\n\r\nx\r\n--YY--\r\n
        """
      let target = try #require(HTTPTarget("/a"))
      let headers: HTTPHeaders = [("Content-Type", "multipart/form-data; boundary=YY")]
      return deck.plan(HTTPRequest(method: .post, target: target, headers: headers, body: Array(body.utf8))).playback
    }
    #expect(try answer("1") != nil)
    #expect(try answer("2") == nil)
  }

  @Test func `a multipart body with a file of unknown content is reported as missing`() throws {
    let params = #"[{"name": "a", "fileName": "a.txt"}]"#
    let data = #", "postData": {"mimeType": "multipart/form-data; boundary=XX", "params": \#(params)}"#
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, method: "POST", request: data)
    #expect(try Imported.of(Sample.har(entry)).report.left.contains { $0.what.hasPrefix("request bodies missing") })
  }

  @Test(arguments: [
    (#"{"a": "1"}"#, 0), (#"{"other": "1"}"#, 1), (#"{"a": {"value": "1", "path": "/"}}"#, 0),
    (#"{"name": "a", "value": "1"}"#, 0),
  ])
  func `cookies as an object are reported only if no header field contains them`(cookies: String, lost: Int) throws {
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, request: #", "cookies": \#(cookies)"#)
      .replacing(#""headers": [], "cookies""#, with: #""headers": [{"name": "Cookie", "value": "a=1"}], "cookies""#)
    #expect(try Imported.of(Sample.har(entry), redaction: nil).report.leftOut == lost)
  }

  @Test(arguments: [
    (#", "postData": {"mimeType": "x/y", "text": "YWI=", "encoding": "base64"}"#, "ab"),
    (#", "postData": {"mimeType": "x/y", "text": "[\"YWI=\"]", "encoding": "base64"}"#, "ab"),
    (#", "postData": {"mimeType": "x/y", "text": "6162", "_isBinary": true}"#, "ab"),
    (#", "postData": "ab""#, "ab"), (#", "postData": {"mimeType": "x/y", "text": ""}, "bodySize": 7"#, nil),
    (#", "postData": {"mimeType": "x/y", "text": ""}, "bodySize": 0"#, ""), (#", "bodySize": 7"#, nil),
  ])
  func `encoded and missing request bodies are imported by the same rules as response bodies`(
    members: String, body: String?
  ) throws {
    let entry = Self.entry(#", "content": {"size": 2, "text": "hi"}"#, method: "POST", request: members)
    let imported = try Imported.of(Sample.har(entry))
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(try interaction.requestBody?.bytes() == body.map { Array($0.utf8) })
    #expect(imported.report.leftOut == (body == nil ? 1 : 0))
  }

  @Test func `a skipped entry leaves a placeholder, so that the next response is not played instead`() throws {
    let entries = [
      Self.entry(#", "content": {"text": "!", "encoding": "base64"}"#, status: 401),
      Self.entry(#", "content": {"text": "ok"}"#), Self.entry(#", "content": {"size": -1}"#, status: 403),
      Self.entry(#", "content": {"size": -1}"#),
    ]
    let imported = try Imported.of(Sample.har(entries.joined(separator: ",")))
    #expect(imported.report.imported == 1 && imported.report.skipped.count == 3)
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    let request = HTTPRequest(method: .get, target: try #require(HTTPTarget("/a")))
    let statuses = (0..<3).map { _ -> Int? in
      guard let playback = deck.plan(request).playback else { return nil }
      return playback.recording.interaction.status
    }
    // The last entry is left out, because the same response was captured with its body.
    #expect(statuses == [nil, 200, nil])
  }

  @Test func `an entry with an opaque body is skipped and leaves a placeholder`() throws {
    let zip = #", "content": {"text": "UEsDBBQAAAAIAAAAIQA=", "encoding": "base64"}"#
    let entries = [Self.entry(zip, headers: #"[{"name": "Content-Type", "value": "application/zip"}]"#)]
    let captured = Self.entry(#", "content": {"text": "ok"}"#, status: 202)
    let imported = try Imported.of(Sample.har((entries + [captured]).joined(separator: ",")))
    #expect(imported.report.imported == 1 && imported.report.skipped.count == 1)
    #expect(imported.cassette?.interactions.map { $0.failure?.gap != nil } == [true, false])
  }
}
