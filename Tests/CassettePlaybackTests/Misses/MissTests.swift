import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePlayback
@testable import Cassettes

@Suite struct MissTests {
  private let deck = MissTests.deck()

  /// Returns a deck of six recordings, which the requests of these tests miss.
  static func deck() -> Deck {
    Exchange.deck([
      Exchange.recorded("GET /users/kean", id: "get-kean"),
      Exchange.recorded("GET /users/kean/repos?page=2", id: "repos-2"),
      Exchange.recorded("GET /users/octocat", id: "get-octocat"),
      Exchange.recorded("POST /articles", id: "post", sent: #"{"title":"Hi"}"#),
      Exchange.recorded("GET /repos/a/b/issues", id: "issues"),
      Exchange.recorded("GET /search?q=a&access_token=abc", id: "search"),
    ])
  }

  private func differences(_ line: String, body: String = "") throws -> [String] {
    try deck.miss(Exchange.request(line, body: body)).nearest.first?.mismatches.map(\.description) ?? []
  }

  @Test func `a miss names the request as never recorded and lists the three nearest recordings`() throws {
    let miss = try deck.miss(Exchange.request("GET /users/keam"))
    #expect(miss.reason == "GET /users/keam was never recorded")
    #expect(!miss.wasConsumed)
    #expect(miss.nearest.count == 3)
    #expect(miss.nearest.first?.id == "get-kean")
    #expect(miss.nearest.first?.request == "GET /users/kean")
    #expect(miss.text.contains("path: sent \"/users/keam\", recorded \"/users/kean\""))
  }

  @Test func `a miss without any recordings says that there are none`() throws {
    let miss = try Exchange.deck([]).miss(Exchange.request("GET /a"))
    #expect(miss.reason == "GET /a was never recorded: there are no recordings at all")
    #expect(miss.nearest.isEmpty)
    #expect(miss.remedy.contains("fixtures/a.json"))
  }

  @Test(arguments: [
    ("GET /users/kean/repos?page=3", ["query.page: sent \"3\", recorded \"2\""]),
    ("GET /users/kean/repos", ["query.page: not sent, recorded \"2\""]),
    ("GET /users/kean/repos?page=2&page=3", ["query.page: sent \"2, 3\", recorded \"2\""]),
    ("GET /users/kean/repos?page=2&x=1", ["query.x: sent \"1\", not recorded"]),
    ("GET /users/k%65an/repos?page=1", ["query.page: sent \"1\", recorded \"2\""]),
    ("DELETE /users/kean", ["method: sent \"DELETE\", recorded \"GET\""]),
    ("GET /search?q=a&access_token=xyz", ["query.access_token: sent \"{{secret}}\", recorded \"{{another secret}}\""]),
  ])
  func `a miss lists the differences from the nearest recording`(line: String, expected: [String]) throws {
    #expect(try differences(line) == expected)
  }

  @Test func `two values of a parameter differ from one value with a comma`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a?x=1&x=2", id: "a")])
    #expect(try deck.miss(Exchange.request("GET /a?x=1,%202")).nearest.first?.mismatches.map(\.part) == ["query.x"])
  }

  @Test func `differences of JSON bodies are listed by path`() throws {
    let expected = [
      "method: sent \"PUT\", recorded \"POST\"", "body.$.title: sent \"Ho\", recorded \"Hi\"",
      "body.$.draft: sent true, not recorded",
    ]
    #expect(try differences("PUT /articles", body: #"{"title":"Ho","draft":true}"#) == expected)
    #expect(
      try differences("PUT /articles") == [
        "method: sent \"PUT\", recorded \"POST\"", #"body: not sent, recorded "{"title":"Hi"}""#,
      ])
    #expect(
      try differences("PUT /articles", body: "text").last
        == #"body: sent "text", recorded "{"title":"Hi"}""#)
  }

  @Test func `the explanation of a miss contains no secret`() throws {
    let deck = Exchange.deck([
      Exchange.recorded(
        "POST /login?code=s3cret", id: "login", asked: ["Authorization": "Bearer s3cret", "Accept": "x"],
        sent: #"{"password":"s3cret","user":{"token":"s3cret"},"list":[{"api_key":"s3cret"}],"a":1}"#)
    ])
    for body in [
      #"{"password":"s3cret2","user":"s"}"#,
      #"{"password":{"new":"s3cret2"},"list":[{"secret":"s3cret2"}],"more":{"token":"s3cret2"}}"#, "{}",
    ] {
      let request = try Exchange.request(
        "PUT /login?code=s3cret2&token=s3cret3", ["Authorization": "Basic s3cret2"], body: body)
      let miss = try deck.miss(request)
      #expect(!miss.text.contains("s3cret"), "\(miss.text)")
    }
    let mismatches = Matcher.mismatches(
      of: RequestReading(try Exchange.request("POST /login?code=s3cret", ["Authorization": "Basic s3cret2"])),
      from: 0, in: Matcher.Context(table: deck.table, knowsOrigins: false))
    #expect(mismatches.map(\.part) == ["body"])
    #expect(!"\(mismatches)".contains("s3cret"))
  }

  @Test(arguments: [
    ("POST /login?TOKEN=1", ""), ("POST /login?TOKEN", ""), ("POST /login", #"{"TOKEN":"x"}"#),
    ("POST /login", #"{"a":{"TOKEN":1}}"#), ("POST /login", "TOKEN=1&a=2"),
  ])
  func `a token in the name of a parameter or member is not in the explanation`(line: String, body: String) throws {
    let token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    let deck = Exchange.deck([Exchange.recorded("POST /login?a=1", id: "login", sent: #"{"a":{"b":1}}"#)])
    let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
    let request = try Exchange.request(
      line.replacing("TOKEN", with: token), ["Content-Type": type], body: body.replacing("TOKEN", with: token))
    let miss = try deck.miss(request)
    #expect(!miss.text.contains(token), "\(miss.text)")
  }

  @Test func `a miss of used-up recordings names the requests that played them`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("POST /x", id: "other", sent: "other", repeats: .once), Exchange.recorded("GET /y", id: "y"),
      Exchange.recorded("POST /x", id: "first", sent: "body", repeats: .once),
      Exchange.recorded("POST /x", id: "second", sent: "body", repeats: .once),
    ])
    let request = try Exchange.request("POST /x", body: "body")
    _ = try deck.plan(Exchange.request("GET /y"))
    #expect(deck.ids(for: request, times: 2) == ["first", "second"])
    let miss = try deck.miss(request)
    #expect(miss.wasConsumed)
    #expect(miss.number == 4)
    #expect(
      miss.reason
        == "POST /x was recorded 2 times and has already been played: \"first\" by request 2, \"second\" by request 3")
    #expect(miss.nearest.map(\.id) == ["first", "second"])
    #expect(miss.remedy.contains("\"repeat\": \"last\" } on \"second\""))
  }

  @Test(arguments: [
    (RecordCommand.server, "reset: POST /__mock/reset"), (.proxy, "reset: POST /__mock/reset"),
    (.test(filter: "A/b"), "reset: CassettePlayer.reset() or TestMockServer.reset()"),
    (.unknown, "reset: CassettePlayer.reset() or TestMockServer.reset()"),
  ])
  func `a miss of a consumed recording names the reset of its player only`(
    command: RecordCommand, reset: String
  ) throws {
    let deck = Exchange.deck([Exchange.recorded("GET /x", id: "x", repeats: .once)])
    deck.record(by: command)
    _ = try deck.plan(Exchange.request("GET /x"))
    let remedy = try deck.miss(Exchange.request("GET /x")).remedy
    #expect(remedy.hasSuffix(reset))
  }

  @Test(arguments: [
    ("GET /users/keam", ["get-kean", "repos-2", "get-octocat"]), ("DELETE /users/kean", ["get-kean", "get-octocat"]),
    ("GET /user/kean", ["get-kean", "repos-2"]), ("POST /user/kean", ["get-kean"]), ("POST /user/kean?a=1", []),
    ("GET /orders", []),
    ("GET /repos/a/c/issues", ["issues"]), ("PUT /articles?draft=1", ["post"]),
  ])
  func `a recording is near if its path is similar, and its method, path and query do not all differ`(
    line: String, near: [String]
  ) throws {
    #expect(try deck.miss(Exchange.request(line)).nearest.map(\.id).sorted() == near.sorted())
  }

  @Test func `a miss without a near recording still names the origin to record`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET https://api.test/users/kean", id: "kean")], recording: .server)
    let miss = try deck.miss(Exchange.request("POST /orders"))
    #expect(miss.nearest.isEmpty)
    #expect(miss.remedies.first == "record it: mockserver record --missing --upstream https://api.test --cassette FILE")
  }

  @Test func `a HEAD request for a used-up recording is a miss that says so`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /x", id: "x", repeats: .once)])
    _ = try deck.plan(Exchange.request("GET /x"))
    let miss = try deck.miss(Exchange.request("HEAD /x"))
    #expect(miss.reason == "HEAD /x was recorded once and has already been played: \"x\" by request 1")
  }

  @Test func `the nearest of ten thousand recordings are found`() throws {
    var recordings = (0..<10_000).map { Exchange.recorded("GET /items/\($0)/parts?page=1", id: "\($0)") }
    recordings.insert(Exchange.recorded("POST /orders/7", id: "orders"), at: 5_000)
    let deck = Exchange.deck(recordings)
    #expect(try deck.miss(Exchange.request("GET /items/7777/parts?page=2")).nearest.first?.id == "7777")
    #expect(try deck.miss(Exchange.request("GET /items/123/part?page=1")).nearest.first?.id == "123")
    #expect(try deck.miss(Exchange.request("PUT /orders/7")).nearest.first?.id == "orders")
    #expect(try deck.miss(Exchange.request("GET /items/42/parts?page=1&x")).nearest.count == 3)
  }

  @Test(arguments: [
    "GET /", "GET /a", "GET /a/", "POST /a/b", "GET /a%20b", "GET /caf%C3%A9/x", "GET /report.pdf", "DELETE /v1.2/",
    "GET /404",
  ])
  func `the fixture that a remedy names has the method and path of the request`(line: String) throws {
    let request = try Exchange.request(line)
    let file = try #require(Remedy.fixture(for: request))
    let name = FixtureName(relativePath: file)
    #expect(name.method == request.method)
    #expect(name.paths.contains(request.pathAndQuery), "\(file)")
  }

  @Test func `control characters of a request are not in the text of its miss`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a?x=1", id: "a")])
    let miss = try deck.miss(Exchange.request("GET /a?x=%1B%5B31m%0Anear:%9B%7F"))
    #expect(!miss.text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    #expect(miss.nearest.first?.mismatches.first?.description.contains("\n") == false)
  }
}
