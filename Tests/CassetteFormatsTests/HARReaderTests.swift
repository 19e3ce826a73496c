import CassetteFormats
import CassetteHTTP
import Cassettes
import TestSupport
import Testing

struct HARReaderTests {
  @Test
  func `a HAR entry becomes a recording with its fields, body and times`() throws {
    let imported = try Imported.of(
      Sample.har(
        Sample.entry(
          url: "https://api.example.com/users/kean?page=2#top",
          content: #"{"size": 3, "mimeType": "text/plain", "text": "abc"}"#)))
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(interaction.url == "/users/kean?page=2")
    #expect(interaction.response?.headers.map(\.name) == ["Content-Type", "X-Two", "X-Two"])
    #expect(try interaction.response?.body?.bytes() == Array("abc".utf8))
    #expect(interaction.recorded == RecordedFacts(at: "2026-11-21T01:02:03.004Z", firstByte: 0.03, total: 0.05))
  }

  @Test(arguments: [0, -1, 101, 1000])
  func `an entry without a final status is skipped with the reason`(status: Int) throws {
    let entries = [Sample.entry(status: "\(status)"), Sample.entry()].joined(separator: ",")
    let imported = try Imported.of(Sample.har(entries))
    #expect(imported.report.imported == 1)
    #expect(imported.report.skipped.map(\.item) == ["entry 0"])
    #expect(imported.report.skipped.first?.reason.contains("status \(status)") == true)
  }

  @Test(arguments: [
    ("net::ERR_NAME_NOT_RESOLVED", "cannotFindHost"), ("net::ERR_CONNECTION_REFUSED", "cannotConnectToHost"),
    ("net::ERR_CONNECTION_RESET", "networkConnectionLost"), ("net::ERR_TIMED_OUT", "timedOut"),
    ("net::ERR_INTERNET_DISCONNECTED", "notConnectedToInternet"), ("NS_ERROR_UNKNOWN_HOST", "cannotFindHost"),
    ("net::ERR_CERT_DATE_INVALID", "serverCertificateUntrusted"),
    ("connect ECONNREFUSED 127.0.0.1", "cannotConnectToHost"),
  ])
  func `an entry with a network error becomes a failure`(error: String, name: String) throws {
    for member in ["_error", "_failureText"] {
      let entry = Sample.entry(status: #"0, "\#(member)": "\#(error)""#)
      let imported = try Imported.of(Sample.har(entry))
      #expect(imported.cassette?.interactions.map(\.failure?.name) == [name])
      #expect(imported.report.skipped.isEmpty && imported.report.leftOut == 0)
    }
  }

  @Test(arguments: [#"0"#, #"0, "_error": "net::ERR_ABORTED""#, #"101"#, #"null"#])
  func `an aborted entry leaves a placeholder`(status: String) throws {
    let imported = try Imported.of(
      Sample.har(Sample.entry(status: status) + "," + Sample.entry(url: "https://a.example/b")))
    #expect(imported.cassette?.interactions.map { $0.failure?.gap != nil } == [true, false])
    #expect(imported.report.skipped.map(\.item) == ["entry 0"])
  }

  @Test func `entries play in the order of their start times, and an entry without a time follows its predecessor`()
    throws
  {
    let times = ["2026-01-02T03:04:09Z", "2026-01-02T04:04:05.250+01:00", "never", "2026-01-02T03:04:05.200Z"]
    let entries = times.enumerated().map { number, time in
      Sample.entry(url: "https://a.example/\(number)").replacing("2026-11-21T01:02:03.004Z", with: time)
    }
    let imported = try Imported.of(Sample.har(entries.joined(separator: ",")))
    #expect(imported.cassette?.interactions.map(\.url) == ["/3", "/1", "/2", "/0"])
  }

  @Test(arguments: [("h2", 1), ("HTTP/1.0", 1), ("http/1.1", 0), ("", 0)])
  func `an HTTP version other than 1.1 is noted and not counted as left out`(version: String, notes: Int) throws {
    let entry = Sample.entry().replacing(#""httpVersion": "HTTP/1.1""#, with: #""httpVersion": "\#(version)""#)
    let report = try Imported.of(Sample.har(entry)).report
    #expect(report.left.count { $0.what.contains("which play over HTTP/1.1") } == notes && report.leftOut == 0)
  }

  @Test(
    arguments: [
      ("windows-1252", "5 €", [0x35, 0x20, 0x80]), ("ISO-8859-1", "ü\u{85}", [0xfc, 0x85]), ("iso-8859-1", "“", [0x93]),
      ("Shift_JIS", #"\\日"#, [0x5c, 0x93, 0xfa]), ("EUC-KR", "한", [0xc7, 0xd1]), ("gb2312", "中", [0xd6, 0xd0]),
      ("koi8-r", "П", [0xf0]), ("iso-8859-15", "€", [0xa4]), ("utf-16le", "aü", [0x61, 0, 0xfc, 0]),
      ("utf-8", "ü", [0xc3, 0xbc]), (#"\"UTF-8\""#, "ü", [0xc3, 0xbc]), ("x-unknown", "a", [0x61]),
    ] as [(String, String, [UInt8])])
  func `text is encoded in the charset of its Content-Type`(charset: String, text: String, bytes: [UInt8]) throws {
    let entry = Sample.entry(
      method: "POST", fields: #", {"name": "Content-Type", "value": "text/csv; charset=\#(charset)"}"#,
      postData: #"{"mimeType": "text/csv", "text": "\#(text)"}"#, content: #"{"size": 9, "text": "\#(text)"}"#
    ).replacing(#""text/plain""#, with: #""text/csv; charset=\#(charset)""#)
    let imported = try Imported.of(Sample.har(entry))
    let recording = try #require(imported.cassette?.interactions.first)
    #expect(imported.report.leftOut == 0, "\(imported.report)")
    #expect(try recording.response?.body?.bytes() == bytes)
    #expect(try recording.requestBody?.bytes() == bytes)
    // The export, which other tools decode by the same rule, keeps the bytes.
    let har = try HARWriter.bytes(of: try #require(imported.cassette), version: "1")
    let again = try Imported.of(String(decoding: har, as: UTF8.self))
    #expect(try again.cassette?.interactions.first?.response?.body?.bytes() == bytes)
  }

  @Test(arguments: ["x-unknown", "iso-8859-1", "iso-2022-cn-ext"])
  func `text that its charset cannot encode is stored as UTF-8 and reported`(charset: String) throws {
    let entry = Sample.entry(content: #"{"size": 9, "text": "日"}"#)
      .replacing(#""text/plain""#, with: #""text/plain; charset=\#(charset)""#)
    let imported = try Imported.of(Sample.har(entry))
    #expect(try imported.cassette?.interactions.first?.response?.body?.bytes() == Array("日".utf8))
    #expect(imported.report.left.contains { $0.isLeftOut && $0.what.contains("charset \(charset)") })
  }

  @Test(arguments: ["\u{FEFF}", "\n "])
  func `a byte order mark or white space before the HAR is skipped`(start: String) throws {
    #expect(try Imported.of(start + Sample.har(Sample.entry(), version: "1.1")).report.imported == 1)
  }

  /// `{"a":1,"b":"bus"}` in gzip and base64.
  private static let gzip = "H4sIAAAAAAACA6tWSlSyMtRRSlKyUkoqLVaqBQAoExbFEQAAAA=="

  @Test(arguments: [("application/json", 17), ("application/gzip", 37), ("application/x-gzip", 37)])
  func `a compressed body is decoded, unless its media type is an archive`(type: String, size: Int) throws {
    let entry = Sample.entry(content: #"{"size": 17, "text": "\#(Self.gzip)", "encoding": "base64"}"#)
      .replacing("text/plain", with: type).replacing("\"br\"", with: "\"gzip\"")
    let response = try #require(try Imported.of(Sample.har(entry)).cassette?.interactions.first?.response)
    #expect(response.headers["Content-Encoding"] == nil)
    #expect(try response.body?.bytes().count == size)
  }

  @Test(.enabled(if: ContentCoding.brotli.canDecode, "needs libbrotlidec"))
  func `a Brotli body is decoded and redacted`() throws {
    // {"a":1,"b":"bus","access_token":"q8Zx3Lm9vT2sWp7K"}
    let coded = "CxmAeyJhIjoxLCJiIjoiYnVzIiwiYWNjZXNzX3Rva2VuIjoicThaeDNMbTl2VDJzV3A3SyJ9Aw=="
    let entry = Sample.entry(content: #"{"size": 51, "text": "\#(coded)", "encoding": "base64"}"#)
      .replacing("text/plain", with: "application/json")
    let response = try #require(try Imported.of(Sample.har(entry)).cassette?.interactions.first?.response)
    #expect(response.headers["Content-Encoding"] == nil)
    let text = String(decoding: try response.body?.bytes() ?? [], as: UTF8.self)
    #expect(text == #"{"a":1,"b":"bus","access_token":"{{secret:1}}"}"#)
  }

  @Test(arguments: [
    #""params": [{"name": "client_secret", "value": "q8Zx-3Lm9"}]"#, #""text": "client_secret=q8Zx-3Lm9""#,
  ])
  func `a form in params or text has its Content-Type, and is redacted`(data: String) throws {
    let data = #"{"mimeType": "application/x-www-form-urlencoded", \#(data)}"#
    let imported = try Imported.of(Sample.har(Sample.entry(method: "POST", postData: data)))
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(interaction.requestHeaders["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(try interaction.requestBody?.bytes() == Array("client_secret={{secret:1}}".utf8))
  }

  @Test(arguments: [
    #"{"method": "get", "url": "http://a.example/", "headers": {"A": "1", "B": ["2", "3"]}}"#,
    #"{"method": "GET", "url": "http://a.example/", "headers": [{"name": "A", "value": 1}, {"name": "B", "value": "2\n3"}]}"#,
  ])
  func `a handwritten HAR with other member types is imported`(request: String) throws {
    let response = #"{"status": "200", "content": {"text": {"a" : 1.0}}}"#
    let imported = try Imported.of(#"{"log": {"entries": [{"request": \#(request), "response": \#(response)}]}}"#)
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(interaction.method == .get && interaction.status == 200)
    #expect(interaction.requestHeaders == [("A", "1"), ("B", "2"), ("B", "3")])
    #expect(try interaction.response?.body?.bytes() == Array(#"{"a":1.0}"#.utf8))
  }

  @Test(arguments: [
    (#"7"#, ", which is not an object"), (#""x""#, ", which is not an object"),
    (#"[{"id": 1}]"#, ", which is not an object"),
    (#"{"interaction": 7}"#, ".interaction, which is invalid: "),
    (#"{"interaction": {"id": 7}}"#, ".interaction, which is invalid: "),
    (
      #"{"interaction": {"request": {"method": "GET", "url": "/"}, "response": {"status": 200}, "match": 7}}"#,
      ".interaction, which is invalid: "
    ),
    (#"{"chunks": [{"size": 2}]}"#, ".chunks, which differ from the body"),
    (#"{"chunks": [{"size": 1e300}]}"#, ".chunks, which differ from the body"),
  ])
  func `a foreign _mockserver member is reported and ignored`(own: String, words: String) throws {
    let content = #"{"size": 3, "mimeType": "text/plain", "text": "abc"}"#
    let entry = Sample.entry(content: content)
    let foreign = entry.dropLast() + ", \"_mockserver\": \(own)}"
    let imported = try Imported.of(Sample.har(String(foreign)))
    #expect(imported.report.skipped.isEmpty)
    let left = imported.report.left.map(\.what)
    #expect(left.contains { $0.hasPrefix("_mockserver\(words)") }, "\(left)")
    // The entry is imported as if the member were absent.
    #expect(imported.files == (try Imported.of(Sample.har(entry))).files)
  }

  @Test(arguments: [
    #""https://a b""#, #""ftp://a.example""#, #""//""#, "7", #""https://user:word@a.example""#, #""https://""#,
  ])
  func `an invalid _mockserver.origin is reported, and the origin of the recordings is used`(origin: String) throws {
    let har = Sample.har(Sample.entry()).replacing(
      "\"entries\"", with: "\"_mockserver\": {\"origin\": \(origin)}, \"entries\"")
    let imported = try Imported.of(har)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(imported.report.left.map(\.what) == ["_mockserver.origin, which is invalid"])
  }
}
