import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// The remedies of a miss.
@Suite struct RemedyTests {
  private static let uuids = ["0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01", "9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22"]

  private let deck = MissTests.deck()

  @Test(arguments: [
    ("GET /users/kean/repos?page=3", "copy \"repos-2\" at test and set \"url\": \"/users/kean/repos?page=3\""),
    ("PUT /users/kean", "copy \"get-kean\" at test and set \"method\": \"PUT\""),
    ("PUT /users/kean", "fixtures/users/kean.PUT.json"), ("GET /", "fixtures/index.json"),
  ])
  func `the remedy names the key to change or the fixture to add`(line: String, remedy: String) throws {
    #expect(try deck.miss(Exchange.request(line)).remedy.contains(remedy))
  }

  @Test(arguments: [
    // Only the query differs: a fixture would answer in place of the recordings.
    ("GET /users/kean/repos?page=3", "copy \"repos-2\" at test and set \"url\": \"/users/kean/repos?page=3\""),
    // The body differs as well, and the URL is equal.
    (
      "PUT /articles",
      "copy \"post\" at test and set \"method\": \"PUT\"; or put the response into fixtures/articles.PUT.json next to the cassettes"
    ),
    (
      "PUT /article",
      "copy \"post\" at test and set \"method\": \"PUT\" and \"url\": \"/article\""
        + "; or put the response into fixtures/article.PUT.json next to the cassettes"
    ),
  ])
  func `the remedy proposes no change that the nearest recording already has`(line: String, remedy: String) throws {
    #expect(try deck.miss(Exchange.request(line, body: "{}")).remedy == remedy)
  }

  @Test(arguments: [
    ("/a", "a.json"), ("/a/", "a/index.json"), ("/a/b.c", "a/b.c.json"), ("/a?b=c", "a.json"), ("/", "index.json"),
    ("/../a", nil), ("/.git/a", nil), ("/a//b", nil), ("//a", nil), ("/a%20b", "a b.json"), ("/a%2fb", nil),
    ("/%2e%2e/a", nil), ("/a%0a", nil), ("/index", nil), ("/a.POST", nil),
    ("/a/.", nil), ("/a.404", nil),
  ])
  func `a fixture is proposed only if its name can answer the request`(target: String, file: String?) throws {
    let remedy = try Exchange.deck([]).miss(Exchange.request("GET \(target)")).remedy
    let advice = file.map { "put the response into fixtures/\($0) next to the cassettes" }
    #expect(remedy == advice ?? "add a recording of it to a cassette")
  }

  @Test func `no fixture is proposed for a single cassette file without a folder of fixtures`() throws {
    let folder = try ScratchFolder()
    let lone = #"{"cassette":1,"interactions":[]}"#
    let other =
      #"{"cassette":1,"interactions":[{"id":"b","request":{"method":"GET","url":"/b"},"#
      + #""response":{"status":200,"headers":[]}}]}"#
    try folder.write(lone, to: "lone.json")
    try folder.write(other, to: "other.json")
    func remedy(_ path: String, fixtures: String? = nil) throws -> String {
      try Deck(CassetteLibrary.load([path], fixtures: fixtures)).miss(Exchange.request("GET /a")).remedy
    }
    #expect(try remedy(folder.path("lone.json")) == "add a recording of it to \(folder.path("lone.json"))")
    #expect(try remedy(folder.path("other.json")).hasSuffix("set \"url\": \"/a\""))
    #expect(try remedy(folder.path).hasSuffix("or put the response into fixtures/a.json next to the cassettes"))
    try folder.makeFolder("more")
    #expect(try remedy(folder.path("lone.json"), fixtures: folder.path("more")).contains("fixtures/a.json"))
  }

  @Test func `the remedy of a miss among stubs is another stub`() throws {
    var stub = Exchange.recorded("GET /a", id: "get-a")
    stub.place = SourcePlace(file: "Tests/UserTests.swift", line: 12, column: 3)
    var library = CassetteLibrary(cassettes: [Cassette(name: "stubs", interactions: [stub])])
    library.hasRoomForFixtures = false
    let miss = try Deck(library).miss(Exchange.request("GET /b"))
    #expect(miss.remedy == "add a stub for it next to the one at Tests/UserTests.swift:12")
  }

  @Test func `the remedy of a miss near a fixture is a copy of the fixture`() throws {
    let deck = Exchange.deck(
      [], fixtures: [Exchange.recorded("POST /feedback", id: "feedback.POST.201.json", status: 201)])
    #expect(
      try deck.miss(Exchange.request("GET /feedback")).remedy
        == "copy fixtures/feedback.POST.201.json to fixtures/feedback.json")
    let image = Exchange.deck([], fixtures: [Exchange.fixture("GET /logo", id: "logo.png")])
    #expect(
      try image.miss(Exchange.request("GET /logo2")).remedy
        == "put the response into fixtures/logo2.json next to the cassettes")
  }

  @Test func `the remedies of a miss are to record it, to allow the difference and to ignore the value`() throws {
    let recorded = Exchange.recorded("POST /a", id: "a", sent: #"{"id":"\#(Self.uuids[0])","n":1}"#)
    let deck = Exchange.deck([recorded], matching: .exact, recording: .test(filter: "profile"))
    let miss = try deck.miss(Exchange.request("POST /a", body: #"{"id":"\#(Self.uuids[1])","n":1}"#))
    #expect(
      miss.remedies == [
        "record it: CASSETTE_MODE=record-missing swift test --filter profile",
        "allow the difference in this test: matching: .body(ignoring: \"$.id\")",
        "ignore generated values: set \"match\": {\"body\": {\"ignore\": [\"$.id\"]}} on \"a\" at test",
      ])
    #expect(miss.reason == "POST /a was never recorded with this body")
  }

  @Test func `the record command quotes a file name and prefixes a leading hyphen`() {
    let origin = "http://a.test"
    for command in [RecordCommand.server, .proxy] {
      #expect(command.line(origin: origin, file: "-x/a.json")?.hasSuffix(" --cassette ./-x/a.json") == true)
      #expect(
        command.line(origin: origin, file: "--x/it's.json")?.hasSuffix(" --cassette './--x/it'\\''s.json'") == true)
    }
  }

  @Test func `the remedy for a generated query value is to ignore the parameter`() throws {
    let deck = Exchange.deck(
      [Exchange.recorded("GET /a?nonce=\(Self.uuids[0])", id: "a")], recording: .server)
    let miss = try deck.miss(Exchange.request("GET /a?nonce=\(Self.uuids[1])"))
    #expect(
      miss.remedies == [
        "record it: mockserver record --missing --upstream URL --cassette FILE",
        "ignore generated values: set \"match\": {\"query\": {\"nonce\": \"ignore\"}} on \"a\" at test",
      ])
  }

  @Test func `the miss of a preflight request names the requested method`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /todo", id: "get")])
    let miss = try deck.miss(
      Exchange.request(
        "OPTIONS /todos", ["Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST"]))
    #expect(miss.reason == "the preflight request cannot be answered, because POST /todos was never recorded")
    #expect(miss.remedy.contains("\"method\": \"POST\""))
  }
}
