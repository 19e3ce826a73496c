import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Ignored differences, configured in code or at the top of a file.
@Suite struct MatchingTests {
  @Test func `options ignore body paths, query parameters and hosts, and require header fields`() throws {
    let recorded = Exchange.recorded(
      "POST /a?ts=1&q=x", id: "a", asked: ["X-Tenant": "one", "X-Other": "1"], sent: #"{"createdAt":"then","n":1}"#)
    let deck = Exchange.deck(
      [recorded], origin: "https://a.example", matching: .body(ignoring: "$.createdAt"), .query(ignoring: "ts"),
      .headers("X-Tenant"), .anyHost, knowsOrigins: true)
    func answer(_ line: String, tenant: String = "one", _ body: String) throws -> String {
      let request = try Exchange.request(line, ["X-Tenant": tenant], body: body)
      if let playback = deck.plan(request).playback { return playback.approximation?.parts ?? "equal" }
      return "miss"
    }
    #expect(try answer("POST https://b.example/a?q=x&ts=77", #"{"n":1,"createdAt":"now"}"#) == "equal")
    #expect(try answer("POST https://b.example/a?q=x", #"{"n":1}"#) == "equal")
    #expect(try answer("POST https://b.example/a?q=y&ts=77", #"{"n":1,"createdAt":"now"}"#) == "miss")
    #expect(try answer("POST https://b.example/a?q=x&ts=77", #"{"n":2,"createdAt":"now"}"#) == "miss")
    #expect(try answer("POST https://b.example/a?q=x&ts=77", tenant: "two", #"{"n":1}"#) == "miss")
  }

  @Test func `an invalid body path in the options is a problem`() {
    #expect(
      CassetteMatchingOptions.body(ignoring: "createdAt").problems == [
        "\"createdAt\" is not a path such as \"$.items[*].id\": a path begins with \"$\" at character 1"
      ])
  }

  @Test func `the matching level and rules at the top of a file apply to all its recordings`() throws {
    let text = """
      {"cassette":1,"matching":"exact","match":{"query":{"ts":"ignore"},"origin":"ignore","recordedHeaders":["X-Tenant"],
       "body":{"ignore":["$.at"]}},"interactions":[
       {"request":{"method":"POST","url":"/a?ts=1","body":{"json":{"at":1,"n":1}}},"response":{"status":200}},
       {"request":{"method":"POST","url":"/b","body":{"json":{"at":1,"by":1}}},"response":{"status":200},
        "match":{"body":{"ignore":["$.by"]}}}]}
      """
    let cassette = try CassetteFile.read(bytes: Array(text.utf8), name: "test", file: nil)
    #expect(cassette.matching == .exact)
    let deck = Deck(CassetteLibrary(cassettes: [cassette]), matching: .loose)
    #expect(try deck.id(for: Exchange.request("POST /a?ts=2", body: #"{"at":2,"n":1}"#)) == "post-a")
    #expect(
      try deck.id(for: Exchange.request("POST /a?ts=2", body: #"{"at":2,"n":1}"#)) == "miss",
      "exact matching plays a recording once")
    #expect(
      try deck.id(for: Exchange.request("POST /b", body: #"{"at":2,"by":2}"#)) == "post-b", "both paths are ignored")
    let written = try CassetteFile.bytes(of: cassette)
    let again = try CassetteFile.read(bytes: written, name: "test", file: nil)
    #expect(again.matching == .exact)
    #expect(again.match == cassette.match)
    #expect(try CassetteFile.bytes(of: again) == written)
  }

  @Test(arguments: [
    (#""matching":"exakt""#, "2:12: \"matching\" must be \"exact\", \"careful\", \"loose\", did you mean \"exact\"?"),
    (
      #""match":{"path":"/a"}"#,
      "2:9: \"method\", \"url\", \"path\", \"priority\" and a body to compare are allowed only in the \"match\" of a recording"
    ),
  ])
  func `an invalid matching member at the top of a file is a problem with line and column`(
    member: String, message: String
  ) {
    let text = "{\"cassette\":1,\n\(member)}"
    let problem = CassetteFile.problems(bytes: Array(text.utf8), name: "test", file: nil).first
    #expect(problem?.description.hasSuffix(message) == true, problem.map { "\($0)" } ?? "none")
  }
}
