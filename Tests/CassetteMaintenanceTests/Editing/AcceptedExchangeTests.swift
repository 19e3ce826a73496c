import CassetteHTTP
import CassetteSecrets
import Cassettes
import Testing

@testable import CassetteMaintenance

/// Exchanges that become recordings, with secrets redacted and a unique id.
@Suite struct AcceptedExchangeTests {
  private static let text = """
    {"cassette":1,"origin":"https://api.example","interactions":[
    {"id":"get-a","request":{"method":"GET","url":"/a","headers":[["Authorization","Bearer {{secret:1}}"]]},
     "response":{"status":200,"body":{"json":{"token":"{{secret:1}}"}}}}]}
    """

  private static func request(_ line: String, _ fields: HTTPHeaders = [], body: String = "") throws -> HTTPRequest {
    let words = line.split(separator: " ").map(String.init)
    return HTTPRequest(
      method: HTTPMethod(words[0]), target: try #require(HTTPTarget(words[1])), headers: fields, body: Array(body.utf8))
  }

  private static func cassette() throws -> Cassette { try EditableCassette(path: "a.json", Array(text.utf8)).cassette }

  @Test func `secrets of an accepted exchange get placeholders unused in the cassette`() throws {
    let request = try Self.request(
      "POST /b",
      ["Authorization": "Bearer s3cr3t-of-mine", "Host": "127.0.0.1:8080", "Content-Type": "application/json"],
      body: "{\"password\":\"hunter2hunter2\",\"name\":\"Kean\"}")
    let cassette = try Self.cassette()
    let outcome = cassette.interactions[0].outcome
    let made = try AcceptedExchange(request, outcome).recording(in: cassette, origin: "https://api.example")
    let text = String(decoding: try EditableCassette.text(of: made), as: UTF8.self)
    #expect(made.id == "post-b" && made.url == "/b", "\(made.url)")
    #expect(
      !text.contains("s3cr3t") && !text.contains("hunter2") && !text.contains("127.0.0.1") && text.contains("Kean"))
    #expect(text.contains("Bearer {{secret:2}}") && text.contains("{{secret:1}}"), "\(text)")
  }

  @Test func `a second recording of the same request gets a unique id`() throws {
    let cassette = try Self.cassette()
    let made = try AcceptedExchange(try Self.request("GET /a"), .response(RecordedResponse(status: 204)))
      .recording(in: cassette, origin: cassette.origin)
    #expect(made.id == "get-a-2" && made.status == 204)
  }
}
