import CassetteFormats
import CassetteHTTP
import Cassettes
import Testing

/// What an import and an export leave as it was.
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
  func `a target is imported as it was sent`(text: String) throws {
    let imported = try Imported.of(text.replacing("%", with: Self.target), redaction: nil)
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(interaction.pathAndQuery == Self.target)
  }

  @Test func `brackets are exported as they were sent`() throws {
    let interaction = Interaction(
      id: "a", method: .get, url: "/a?cb=[X]", outcome: .response(RecordedResponse(status: 200)))
    let cassette = Cassette(name: "a", origin: "https://api.example.com", interactions: [interaction])
    let har = String(decoding: try HARWriter.bytes(of: cassette, version: "1"), as: UTF8.self)
    #expect(har.contains(#""url": "https://api.example.com/a?cb=[X]""#))
    #expect(String(decoding: try CurlWriter.bytes(of: cassette), as: UTF8.self).contains("/a?cb=[X]'"))
    #expect(String(decoding: try WireMockWriter.export(cassette).bytes, as: UTF8.self).contains("\"/a?cb=[X]\""))
  }

  @Test func `a coding that a recorder undid is remembered, and comes back from HAR`() throws {
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

  @Test func `statuses up to 999 are imported`() throws {
    let imported = try Imported.of(Sample.har(Sample.entry(status: "720")))
    #expect(imported.cassette?.interactions.first?.status == 720)
  }

  @Test func `vcrpy's parsed_body is the body, and that its text is not known is said`() throws {
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

  @Test func `a body in a form that is not known is named`() throws {
    let imported = try Imported.of(
      #"""
      {"version": 1, "interactions": [{"request": {"method": "GET", "uri": "https://a.example/x", "headers": {}},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"packed": "x"}}}]}
      """#)
    #expect(imported.report.left.map(\.what) == ["bodies of responses in a form that is not known"])
  }
}
