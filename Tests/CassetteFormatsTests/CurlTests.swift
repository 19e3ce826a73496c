import CassetteFormats
import CassetteHTTP
import Cassettes
import Testing

struct CurlTests {
  private func script(_ url: String, body: String = "") throws -> String {
    let interaction = Interaction(
      method: .post, url: url, requestHeaders: [("Content-Type", "text/plain")],
      requestBody: body.isEmpty ? nil : .storing(Array(body.utf8)),
      outcome: .response(RecordedResponse(status: 200)))
    let cassette = Cassette(name: "a", origin: "https://api.example.com", interactions: [interaction])
    return String(decoding: try CurlWriter.bytes(of: cassette), as: UTF8.self)
  }

  @Test func `a body too long for a shell word is piped to curl`() throws {
    let long = try script("/a", body: String(repeating: "it's ", count: 30_000))
    #expect(long.contains("printf '%s' 'it'\\''s ") && long.hasSuffix(" --data-binary @-\n"))
    let short = try script("/a", body: "it's")
    #expect(short.contains("--data-raw 'it'\\''s'") && !short.contains("printf"))
  }

  @Test(arguments: [
    ("/a/../b", true), ("/./a", true), ("/a/%2e%2E", true), ("/a/..?x", true), ("/a.b/...", false),
    ("/a?x=/../", false),
  ])
  func `a target with dot segments is exported with --path-as-is`(url: String, isSaid: Bool) throws {
    #expect(try script(url).contains("--path-as-is") == isSaid)
  }
}
