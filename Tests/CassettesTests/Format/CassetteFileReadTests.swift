import CassetteHTTP
import TestSupport
import Testing

@testable import Cassettes

@Suite struct CassetteFileReadTests {
  @Test func `the documented cassette is read with all its values`() throws {
    let cassette = try read(documentedCassette)
    #expect(cassette.name == "test")
    #expect(cassette.origin == "https://api.github.com")
    #expect(cassette.warnings.isEmpty)
    let interaction = try #require(cassette.interactions.first)
    #expect(interaction.id == "get-users-octocat")
    #expect(interaction.method == .get)
    #expect(interaction.url == "/users/octocat")
    #expect(interaction.requestHeaders.map(\.name) == ["Accept", "Authorization"])
    #expect(interaction.requestBody == nil)
    #expect(interaction.status == 200)
    let response = try #require(interaction.response)
    #expect(response.headers.values(of: "set-cookie") == ["a=1", "b=2"])
    #expect(response.headers["ETag"] == "\"5c1e\"")
    #expect(String(decoding: try #require(response.body).bytes(), as: UTF8.self) == #"{"login":"octocat","id":583231}"#)
    #expect(interaction.recorded == RecordedFacts(at: "2026-11-21T01:00:00Z", firstByte: 0.083, total: 0.091))
    #expect(interaction.repeatPolicy == .last)
    #expect(interaction.place == SourcePlace(file: "test.json", line: 5, column: 5))
    let line = interaction.withRequestLine { method, url in "\(method.count) \(url.count)" }
    #expect(line == "3 14")
  }

  @Test(arguments: ["[]", "[ ]", "[\n]"])
  func `an empty list of fields is read as empty in every position`(list: String) throws {
    let text = """
      {"cassette": 1, "interactions": [
        {"request": {"headers": \(list), "method": "GET", "url": "/a"},
         "response": {"status": 200, "interim": [{"headers": \(list), "status": 103}], "headers": \(list),
           "trailers": \(list), "body": {"json": {"a": 1}}}},
        {"request": {"method": "GET", "url": "/b", "headers": [["A", "b"]]}, "response": {"status": 204}}
      ]}
      """
    let interactions = try read(text).interactions
    let response = try #require(interactions.first?.response)
    #expect(interactions.first?.requestHeaders.isEmpty == true)
    #expect(response.headers.isEmpty && response.trailers.isEmpty)
    #expect(response.interim.map(\.headers.isEmpty) == [true])
    #expect(interactions.last?.requestHeaders == [("A", "b")])
  }

  @Test func `optional members of an interaction have default values`() throws {
    #expect(try read(#"{"cassette":1}"#).interactions.isEmpty)
    let interaction = try #require(try read(cassette()).interactions.first)
    #expect(interaction.id == "get-a")
    #expect(interaction.requestHeaders.isEmpty)
    #expect(interaction.response?.headers.isEmpty == true)
    #expect(interaction.response?.body == nil)
    #expect(interaction.recorded == nil)
  }

  @Test func `keys are read in any order, and a byte order mark is skipped`() throws {
    let text =
      #"{"interactions":[{"response":{"status":204},"request":{"url":"/a\u002fb","method":"\u0047ET"}}],"cassette":1}"#
    let interaction = try #require(try read("\u{feff}" + text).interactions.first)
    #expect(interaction.method == .get)
    #expect(interaction.url == "/a/b")
    #expect(interaction.withRequestLine { $0.count + $1.count } == 7)
  }

  @Test func `a failure is read instead of a response, by its code or its name`() throws {
    let interaction = try #require(
      try read(cassette(response: nil, more: #""failure":{"code":-1001,"name":"timedOut"}"#)).interactions.first)
    #expect(interaction.failure == RecordedFailure(code: -1001, name: "timedOut"))
    #expect(interaction.status == nil)
    #expect(interaction.response == nil)
    let named = try read(cassette(response: nil, more: #""failure":{"name":"cannotFindHost"}"#)).interactions.first
    #expect(named?.failure?.code == -1003)
    let numbered = try read(cassette(response: nil, more: #""failure":{"code":-1005}"#)).interactions.first
    #expect(numbered?.failure?.name == "networkConnectionLost")
  }

  @Test func `an interaction without a captured response keeps the reason when it is written`() throws {
    let failure = #""failure": { "code": 0, "name": "notCaptured: the body is in pieces" }"#
    let interaction = try #require(try read(cassette(response: nil, more: failure)).interactions.first)
    #expect(interaction.failure == .notCaptured("the body is in pieces"))
    #expect(interaction.failure?.gap == "not captured: the body is in pieces")
    let written = try CassetteFile.bytes(of: Cassette(name: "a", interactions: [interaction]))
    #expect(String(decoding: written, as: UTF8.self).contains(failure))
    let named = try read(cassette(response: nil, more: #""failure":{"name":"notCaptured: a"}"#)).interactions.first
    #expect(named?.failure == .notCaptured("a"))
  }

  @Test(arguments: RepeatPolicy.allCases)
  func `the repeat policy is read from replay`(_ policy: RepeatPolicy) throws {
    let cassette = try read(cassette(more: #""replay":{"repeat":"\#(policy.rawValue)"}"#))
    #expect(cassette.interactions.first?.repeatPolicy == policy)
  }

  @Test func `missing ids are derived from method and path`() throws {
    let requests = [
      ("GET", "/users/octocat?page=1", nil), ("GET", "/users/octocat", nil), ("get", "/Users//Octocat/", nil),
      ("POST", "https://api.example.com/v1/a%20b.json", nil), ("GET", "/", nil), ("OPTIONS", "*", nil),
      ("GET", "/", "get-users-octocat-2"), ("DELETE", "http://example.com", nil), ("GET", "/日本", nil),
    ]
    let interactions = requests.map { method, url, id in
      let id = id.map { "\"id\":\"\($0)\"," } ?? ""
      return #"{\#(id)"request":{"method":"\#(method)","url":"\#(url)"},"response":{"status":200}}"#
    }
    let cassette = try read("{\"cassette\":1,\"interactions\":[\(interactions.joined(separator: ","))]}")
    #expect(
      cassette.interactions.map(\.id) == [
        "get-users-octocat", "get-users-octocat-3", "get-users-octocat-4", "post-v1-a-b-json", "get", "options",
        "get-users-octocat-2", "delete", "get-2",
      ])
  }

  @Test func `changing a property of an interaction keeps the others`() throws {
    var interaction = try #require(try read(documentedCassette).interactions.first)
    let untouched = interaction
    interaction.url = "/users/kean"
    #expect(interaction.url == "/users/kean")
    #expect(interaction.id == "get-users-octocat")
    #expect(interaction.place?.line == 5)
    #expect(interaction.withRequestLine { $1.count } == 11)
    #expect(untouched.url == "/users/octocat")
  }

  @Test(arguments: [
    (documentedCassette, true), (#"{"a":{"cassette":1}}"#, false), (#"{"$schema":"x", "cassette" : 2}"#, true),
    ("[{\"cassette\":1}]", false), ("", false), ("\"cassette\"", false), (#"{"a":1}"#, false),
    (#"{"a":1,} "#, false), (#"{"a" 1, "cassette": 1"#, true), (#"{"a":["cassette"]}"#, false),
  ])
  func `a file is recognised as a cassette by its cassette key`(_ text: String, _ isOne: Bool) {
    #expect(Cassette.isCassette(Array(text.utf8)) == isOne)
  }
}
