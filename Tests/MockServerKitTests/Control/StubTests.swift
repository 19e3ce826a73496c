import CassetteHTTP
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Stubs that are added while the server runs.
@Suite struct RuntimeStubTests {
  private static let files = [
    "test.json": Served.cassette([Served.recording("GET /a", "recorded")]), "fixtures/f.txt": "fixture",
  ]

  @Test func `a stub is played before recordings and fixtures, and a newer stub before older ones`() throws {
    let served = try Served(.platform, Self.files)
    #expect(try served.text("GET /a") == "recorded" && served.text("GET /f.txt") == "fixture")
    try served.stub("/a", "first")
    try served.stub("/f.txt", "stub")
    #expect(try served.text("GET /a") == "first" && served.text("GET /f.txt") == "stub")
    let second = try served.stub("/a", "second")
    #expect(second == "get-a-2")
    #expect(try served.text("GET /a") == "second")
    #expect(try served.text("GET /a?x=1") == "404")
    #expect(try served.steer("DELETE interactions/\(second)").status == 200)
    #expect(try served.text("GET /a") == "first")
    #expect(try served.steer("DELETE interactions").status == 200)
    #expect(try served.text("GET /a") == "recorded" && served.text("GET /f.txt") == "fixture")
  }

  @Test(arguments: [
    #"{"request":{"method":"get","url":"/x"},"response":{"status":201}}"#,
    #"{"request":{"method":"GET","url":"/x"},"match":{"method":["get"]},"response":{"status":201}}"#,
  ])
  func `a stub and an expectation with a standard method in lower case match requests in upper case`(
    stub: String
  ) throws {
    let served = try Served(.platform, Self.files)
    let added = try served.steer("POST interactions", stub)
    #expect(added.status == 201 && !added.text.contains("warnings"))
    #expect(try served.ask("GET /x").status == 201)
    #expect(try served.ask("get /x").status == 404)
    let expectation = #"{"request":{"method":"get","url":"/x"},"times":1}"#
    #expect(try served.steer("POST verify", expectation).status == 200)
  }

  @Test func `stubs that are added concurrently get different ids`() throws {
    let served = try Served(.platform, Self.files)
    let (url, stub) = (served.url, Served.recording("GET /own", "own"))
    let statuses = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { _ in
      let fields: HTTPHeaders = ["Content-Type": "application/json"]
      let status = try? WireClient(url).ask("POST /__mock/interactions", fields, body: stub).status
      statuses.withLock { $0.append(status ?? 0) }
    }
    #expect(statuses.withLock { $0 } == [Int](repeating: 201, count: 400))
  }

  @Test func `stubs of one call play in order, and recordings play after stubs that repeat once`() throws {
    let served = try Served(.platform, Self.files)
    let once = ",\"replay\":{\"repeat\":\"once\"}"
    let two = [Served.recording("GET /a", "one", more: once), Served.recording("GET /a", "two", more: once)]
    _ = try served.told("POST interactions", "[\(two.joined(separator: ",\n"))]", status: 201)
    #expect(try (0..<4).map { _ in try served.text("GET /a") } == ["one", "two", "recorded", "recorded"])
  }

  @Test func `a stub of a session is played only in that session, and before stubs of all sessions`() throws {
    let served = try Served(.platform, Self.files)
    try served.stub("/a", "hers", more: ",\"session\":\"her\"")
    try served.stub("/a", "everybody's")
    #expect(try served.text("GET /a", of: "her") == "hers")
    #expect(try served.text("GET /a", of: "him") == "everybody's" && served.text("GET /a") == "everybody's")
    let answer = try served.steer(
      "POST interactions", Served.recording("GET /b", "his"), [("X-Mock-Session", "him")])
    #expect(answer.status == 201 && answer.headers["Location"] == "/__mock/interactions/get-b")
    #expect(try served.text("GET /b", of: "him") == "his" && served.text("GET /b", of: "her") == "404")
  }

  @Test func `a reset removes stubs without keep, and a reset of a session only the stubs of that session`() throws {
    let served = try Served(.platform, Self.files)
    try served.stub("/kept", "kept", more: ",\"keep\":true")
    try served.stub("/gone", "gone", more: ",\"keep\":false")
    try served.stub("/hers", "hers", more: ",\"session\":\"her\"")
    #expect(try served.steer("POST reset", "{\"session\":\"her\"}").status == 200)
    #expect(try served.text("GET /hers", of: "her") == "404" && served.text("GET /gone") == "gone")
    #expect(try served.steer("POST reset", "{}").status == 200)
    #expect(try served.text("GET /gone") == "404" && served.text("GET /kept") == "kept")
  }

  @Test func `a stub can be shown and replaced, and interactions list it first`() throws {
    let served = try Served(.platform, Self.files)
    let id = try served.stub("/b", "old", more: ",\"match\":{\"query\":{\"x\":{\"absent\":true}}}")
    #expect(try served.text("GET /b") == "old")
    let shown = try served.told("GET interactions/\(id)")
    let interaction = try #require(shown["interaction"] as? [String: Any])
    #expect((interaction["response"] as? [String: Any])?["status"] as? Int == 200 && interaction["match"] != nil)
    #expect(shown["firstPlayedBy"] as? Int == 1 && shown["stub"] as? Bool == true)
    #expect(try served.steer("PUT interactions/\(id)", Served.recording("GET /b", "new")).status == 200)
    #expect(try served.text("GET /b") == "new")
    #expect(try served.steer("PUT interactions/nobody", Served.recording("GET /b", "new")).status == 404)
    let list = try #require(try served.told("GET interactions")["interactions"] as? [[String: Any]])
    #expect(list.map { $0["id"] as? String }.prefix(2) == ["get-b", "get-a"])
    #expect((try served.told("GET interactions/get-a")["interaction"] as? [String: Any])?["request"] != nil)
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    var body: String
    var words: String
    var testDescription: String { body }
  }

  @Test(arguments: [
    Refused(body: "{\"request\":{\"method\":\"GET\",\"url\":\"/a\"}}", words: "\"response\" is missing"),
    Refused(
      body: "{\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\n \"respnse\":{\"status\":200}}",
      words: "line 2, column 2: unknown key \"respnse\", did you mean \"response\"?"),
    Refused(
      body: "{\"keep\":true,\n\"request\":{\"method\":\"GET\",\"uri\":\"/a\"},\"response\":{\"status\":200}}",
      words: "line 2, column 27"),
    Refused(
      body: "{\"keep\":1,\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\"response\":{\"status\":200}}",
      words: "true or false"),
    Refused(
      body:
        "{\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\"response\":{\"status\":200,\"body\":{\"file\":\"bodies/a\"}}}",
      words: "not supported here"),
    Refused(body: "[]", words: "send an interaction"), Refused(body: "{", words: "not JSON"),
  ])
  func `an invalid interaction is refused with its line and column`(refused: Refused) throws {
    let served = try Served(.platform, Self.files)
    let answer = try served.steer("POST interactions", refused.body)
    #expect(answer.status == 400)
    let detail =
      try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])["detail"] as? String
    #expect(detail?.contains(refused.words) == true, "\(detail ?? "")")
    #expect(try served.text("GET /a") == "recorded")
  }

  @Test func `a stub with an id in use is refused with 409`() throws {
    let served = try Served(.platform, Self.files)
    let stub = "{\"id\":\"mine\",\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\"response\":{\"status\":204}}"
    #expect(try served.steer("POST interactions", stub).status == 201)
    #expect(try served.steer("POST interactions", stub).status == 409)
  }

  @Test func `a saved stub is appended to a cassette inside the folder, and other paths are refused`() throws {
    let served = try Served(.platform, Self.files) { $0.watches = true }
    let id = try served.stub("/new", "saved")
    for name in ["../out", "/tmp/out", "a\\\\b", "nowhere/out", ""] {
      #expect([400, 409].contains(try served.steer("POST interactions/save", "{\"cassette\":\"\(name)\"}").status))
    }
    #expect(try served.steer("POST interactions/nobody/save", "{\"cassette\":\"test\"}").status == 404)
    let saved = try served.told("POST interactions/\(id)/save", "{\"cassette\":\"test\"}")
    #expect(saved["cassette"] as? String == "\(served.folder)/test.json")
    #expect(try served.steer("GET health?generation=2&seconds=60").status == 200)
    #expect(try served.steer("POST reset", "{}").status == 200)
    #expect(try served.text("GET /new") == "saved" && served.text("GET /a") == "recorded")
  }

  @Test func `saving a stub adds lines to the cassette and changes no other line, and saves each stub once`() throws {
    let text = """
      {"cassette": 1, "interactions": [
        {"request": {"method": "GET", "url": "/a"}, "response": {"status": 200, "body": {"text": "recorded"}}}
      ]}

      """
    let served = try Served(.platform, ["test.json": text])
    for _ in 1...2 { _ = try served.stub("/new", "saved") }
    let saved = try served.told("POST interactions/save", "{\"cassette\":\"test\"}")
    let written = try String(contentsOfFile: "\(served.folder)/test.json", encoding: .utf8)
    for line in text.split(separator: "\n") { #expect(written.contains(line), "\(written)") }
    let ids = try CassetteFile.read(path: "\(served.folder)/test.json").interactions.map(\.id)
    #expect(saved["ids"] as? [String] == Array(ids.dropFirst()) && Set(ids).count == 3)
    _ = try served.stub("/newer", "saved")
    let again = try served.told("POST interactions/save", "{\"cassette\":\"test\"}")
    #expect((again["ids"] as? [String])?.count == 3)
    let more = try CassetteFile.read(path: "\(served.folder)/test.json").interactions.map(\.id)
    #expect(more.count == 4, "a saved stub is saved only once: \(more)")
  }

  @Test func `a stub with a value in a secret member is not saved`() throws {
    let served = try Served(.platform, Self.files)
    let id = try served.stub("/login", "{\"token\":\"abc123def456\"}")
    let refused = try served.steer("POST interactions/\(id)/save", "{\"cassette\":\"new\"}")
    #expect(refused.status == 409 && refused.text.contains("token is not redacted"), "\(refused.text)")
    #expect(!refused.text.contains("abc123def456"))
    #expect(!FileManager.default.fileExists(atPath: "\(served.folder)/new.json"))
  }

  @Test func `a stub that contains a token is not saved, and the file stays unchanged`() throws {
    let served = try Served(.platform, Self.files)
    let before = try String(contentsOfFile: "\(served.folder)/test.json", encoding: .utf8)
    let token = "ghp_" + String(repeating: "a1B2", count: 9)
    let id = try served.stub("/login", token)
    #expect(try served.text("GET /login") == token, "the answer is the text of the stub")
    let refused = try served.steer("POST interactions/\(id)/save", "{\"cassette\":\"test\"}")
    #expect(refused.status == 409 && refused.text.contains("not saved") && !refused.text.contains(token))
    #expect(try String(contentsOfFile: "\(served.folder)/test.json", encoding: .utf8) == before)
  }

  @Test func `a miss names the nearest stub`() throws {
    let served = try Served(.platform, Self.files)
    try served.stub("/users/7", "seven")
    let answer = try served.ask("GET /users/8")
    #expect(answer.status == 404 && answer.text.contains("\"id\": \"get-users-7\""), "\(answer.text)")
  }

  @Test func `stubs and recordings share the state of a scenario, and the state can be set`() throws {
    let served = try Served(
      .platform,
      [
        Served.recording("GET /cart", "empty", more: ",\"replay\":{\"when\":{\"cart\":\"Started\"}}"),
        Served.recording("POST /cart", "added", more: ",\"replay\":{\"then\":{\"cart\":\"full\"}}"),
      ])
    try served.stub("/cart", "full", more: ",\"replay\":{\"when\":{\"cart\":\"full\"}}")
    #expect(try served.text("GET /cart") == "empty")
    #expect(try served.told("GET scenarios/cart")["state"] as? String == "Started")
    #expect(try served.text("POST /cart") == "added" && served.text("GET /cart") == "full")
    #expect(try served.text("GET /cart", of: "her") == "empty")
    #expect(try served.steer("PUT scenarios/cart?session=her", "{\"state\":\"full\"}").status == 200)
    #expect(try served.text("GET /cart", of: "her") == "full")
    #expect(try served.steer("PUT scenarios/cart", "{\"state\":\"ful\"}").text.contains("did you mean \\\"full\\\""))
    #expect(try served.steer("PUT scenarios/card", "{\"state\":\"full\"}").status == 404)
    let sessions = try #require(try served.told("GET sessions")["sessions"] as? [[String: Any]])
    #expect(sessions.map { $0["name"] as? String } == ["", "her"])
    #expect((sessions.last?["scenarios"] as? [String: String]) == ["cart": "full"])
  }
}
