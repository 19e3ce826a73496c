import CassetteFormats
import CassetteHTTP
import Cassettes
import Testing

/// Recordings in each format whose request body is empty or unknown.
struct EmptyBodyTests {
  /// Imports one request, and returns its body; nil if the body is unknown.
  private func sent(_ text: String) throws -> [UInt8]? {
    let imported = try Imported.of(text, redaction: nil)
    let interaction = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    return try interaction.requestBody?.bytes()
  }

  private func vcr(_ body: String) -> String {
    #"""
    {"http_interactions": [{"request": {"method": "post", "uri": "https://api.example.com/a"\#(body)},
      "response": {"status": {"code": 201}, "headers": {}, "body": ""}}]}
    """#
  }

  @Test func `a HAR POST without postData has an empty body, and a GET none`() throws {
    #expect(try sent(Sample.har(Sample.entry(method: "POST"))) == [])
    #expect(try sent(Sample.har(Sample.entry())) == nil)
  }

  @Test func `a HAR body size without a text is reported as a missing body`() throws {
    let entry = Sample.entry(method: "POST").replacing(#""httpVersion""#, with: #""bodySize": 12, "httpVersion""#)
    let imported = try Imported.of(Sample.har(entry))
    #expect(imported.cassette?.interactions.map { $0.requestBody == nil } == [true])
    #expect(imported.report.left.map(\.what) == ["request bodies missing from the HAR: any request body matches"])
  }

  @Test func `an empty string or null as the body of a VCR cassette is an empty body`() throws {
    #expect(try sent(vcr(#", "body": {"encoding": "UTF-8", "string": ""}"#)) == [])
    #expect(try sent(vcr(#", "body": """#)) == [])
    #expect(try sent(vcr(#", "body": null"#)) == [])
    #expect(try sent(vcr("")) == nil)
  }

  @Test func `a nock definition without a body matches any body`() throws {
    let definition = #"[{"scope": "https://api.example.com", "method": "POST", "path": "/a"%, "status": 201}]"#
    #expect(try sent(definition.replacing("%", with: #", "body": """#)) == [])
    #expect(try sent(definition.replacing("%", with: "")) == nil)
  }

  @Test func `a WireMock mapping without body patterns matches any body`() throws {
    let mapping = #"{"request": {"method": "POST", "url": "/a"}, "response": {"status": 201}}"#
    #expect(try sent(mapping) == nil)
  }

  @Test func `a Postman request without a body has an empty body`() throws {
    let text = #"""
      {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "a", "request": {"method": "POST", "url": "https://api.example.com/a"}, "response": [
         {"name": "ok", "code": 201, "body": "{}"}]}]}
      """#
    #expect(try sent(text) == [])
  }

  @Test func `an empty body and an unknown body are kept by exports to HAR and WireMock`() throws {
    for body in [Body.storing([]), nil] {
      let interaction = Interaction(
        id: "a", method: .post, url: "/a", requestBody: body, outcome: .response(RecordedResponse(status: 201)))
      let cassette = Cassette(name: "a", origin: "https://api.example.com", interactions: [interaction])
      let har = String(decoding: try HARWriter.bytes(of: cassette, version: "1"), as: UTF8.self)
      #expect(try sent(har) == (body == nil ? nil : []))
      let mappings = String(decoding: try WireMockWriter.export(cassette).bytes, as: UTF8.self)
      #expect(try sent(mappings) == (body == nil ? nil : []))
    }
  }
}
