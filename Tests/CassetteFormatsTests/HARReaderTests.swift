import CassetteFormats
import CassetteHTTP
import Cassettes
import TestSupport
import Testing

struct HARReaderTests {
  @Test
  func `an entry becomes a recording with its fields, its body and its time`() throws {
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
  func `an entry without a final status is skipped with a word`(status: Int) throws {
    let entries = [Sample.entry(status: "\(status)"), Sample.entry()].joined(separator: ",")
    let imported = try Imported.of(Sample.har(entries))
    #expect(imported.report.imported == 1)
    #expect(imported.report.skipped.map(\.item) == ["entry 0"])
    #expect(imported.report.skipped.first?.reason.contains("status \(status)") == true)
  }

  @Test(arguments: ["\u{FEFF}", "\n "])
  func `what stands before the text is no obstacle`(start: String) throws {
    #expect(try Imported.of(start + Sample.har(Sample.entry(), version: "1.1")).report.imported == 1)
  }

  /// `{"a":1,"b":"bus"}`, compressed.
  private static let gzip = "H4sIAAAAAAACA6tWSlSyMtRRSlKyUkoqLVaqBQAoExbFEQAAAA=="

  @Test(arguments: [("application/json", 17), ("application/gzip", 37), ("application/x-gzip", 37)])
  func `a body that is still compressed is decoded, unless it is an archive`(type: String, size: Int) throws {
    let entry = Sample.entry(content: #"{"size": 17, "text": "\#(Self.gzip)", "encoding": "base64"}"#)
      .replacing("text/plain", with: type).replacing("\"br\"", with: "\"gzip\"")
    let response = try #require(try Imported.of(Sample.har(entry)).cassette?.interactions.first?.response)
    #expect(response.headers["Content-Encoding"] == nil)
    #expect(try response.body?.bytes().count == size)
  }

  @Test(.enabled(if: ContentCoding.brotli.canDecode, "needs libbrotlidec"))
  func `a body that is still Brotli is decoded, and its secret is taken out`() throws {
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
  func `a form without fields is a form, and its secret is taken out`(data: String) throws {
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
  func `what was written by hand is taken as it was meant`(request: String) throws {
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
    (#"{"id": 7}"#, ".id, which is invalid"), (#"{"url": "ftp://a"}"#, ".url, which is invalid"),
    (#"{"url": ["/"]}"#, ".url, which is invalid"), (#"{"repeat": "twice"}"#, ".repeat, which is invalid"),
    (#"{"recorded": {"at": "soon"}}"#, ".recorded, which is invalid"),
    (#"{"recorded": {"at": 5}}"#, ".recorded, which is invalid"),
    (#"{"recorded": {"total": -1}}"#, ".recorded, which is invalid"),
    (#"{"recorded": {"total": "inf"}}"#, ".recorded, which is invalid"),
    (#"{"recorded": "now"}"#, ".recorded, which is invalid"),
    (#"{"failure": {"code": 1e12}}"#, ".failure, which is invalid"),
    (#"{"failure": "lost"}"#, ".failure, which is invalid"), (#"{"reason": "x"}"#, ".reason, which is invalid"),
    (#"{"encoded": "yes"}"#, ".encoded, which is invalid"),
    (#"{"interim": [{"status": 101}]}"#, ".interim, which is invalid"),
    (#"{"interim": [{"status": 200}, 3]}"#, ".interim, which is invalid"),
    (#"{"interim": {}}"#, ".interim, which is invalid"), (#"{"trailers": "T"}"#, ".trailers, which is invalid"),
    (#"{"chunks": [{"size": 2}]}"#, ".chunks, which differ from the body"),
    (#"{"chunks": [{"size": 1e300}]}"#, ".chunks, which differ from the body"),
    (#"{"chunks": 3}"#, ".chunks, which is invalid"), (#"{"end": "never"}"#, ".end, which is invalid"),
    (#"{"match": 7}"#, ".match, which is invalid: "),
    (#"{"match": {"pat": "/a"}}"#, ".match, which is invalid: "),
    (#"{"match": {"query": {"a": {"matches": "("}}}}"#, ".match, which is invalid: "),
    (#"{"replay": {"delay": -1}}"#, ".replay, which is invalid: "),
    (#"{"replay": {"fault": {}}}"#, ".replay, which is invalid: "),
  ])
  func `what another tool calls _mockserver is named and passed over`(own: String, words: String) throws {
    let content = #"{"size": 3, "mimeType": "text/plain", "text": "abc"}"#
    let entry = Sample.entry(content: content)
    let foreign = entry.dropLast() + ", \"_mockserver\": \(own)}"
    let imported = try Imported.of(Sample.har(String(foreign)))
    #expect(imported.report.skipped.isEmpty)
    let left = imported.report.left.map(\.what)
    #expect(left.contains { $0.hasPrefix("_mockserver\(words)") }, "\(left)")
    // The rest of the entry is what it is without the member.
    #expect(imported.files == (try Imported.of(Sample.har(entry))).files)
  }

  @Test func `unknown members of _mockserver are named once`() throws {
    let foreign = Sample.entry().dropLast() + #", "_mockserver": {"a": 1, "b": {}}}"#
    let imported = try Imported.of(Sample.har("\(foreign), \(foreign)"))
    #expect(imported.report.left.map(\.what) == ["unknown members of _mockserver"])
    #expect(imported.report.left.map(\.count) == [4])
  }

  @Test(arguments: [
    #""https://a b""#, #""ftp://a.example""#, #""//""#, "7", #""https://user:word@a.example""#, #""https://""#,
  ])
  func `an origin that is none is named, and the one of the recordings counts`(origin: String) throws {
    let har = Sample.har(Sample.entry()).replacing(
      "\"entries\"", with: "\"_mockserver\": {\"origin\": \(origin)}, \"entries\"")
    let imported = try Imported.of(har)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(imported.report.left.map(\.what) == ["_mockserver.origin, which is invalid"])
  }
}
