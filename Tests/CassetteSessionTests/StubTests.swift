import CassetteHTTP
import CassettePlayback
import CassetteSession
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct CassetteStubTests {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func text(_ session: URLSession, _ request: URLRequest) async throws -> String {
    String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  @Test func `a JSON answer keeps the member order of its literal`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .json(["login": "kean", "id": 1, "tags": [true, nil, 1.5, "\"\n"]]))])
    let text = try await text(player.session(), URLRequest(url: url))
    #expect(text == #"{"login":"kean","id":1,"tags":[true,null,1.5,"\"\n"]}"#)
  }

  @Test func `several answers of a stub play in order, and the last repeats`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .text("1"), .text("2"))])
    let session = player.session()
    var answers: [String] = []
    for _ in 0..<3 { answers.append(try await text(session, URLRequest(url: url))) }
    #expect(answers == ["1", "2", "2"])
  }

  @Test func `the closure of a stub receives the request and its body`() async throws {
    let player = CassettePlayer()
    player.add([
      CassetteStub(
        .post("/user"), .answering { .text("\($0.httpMethod ?? "") \($0.httpBody?.count ?? 0)", status: 201) })
    ])
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let (data, response) = try await player.session().upload(for: request, from: Data("four".utf8))
    #expect(String(decoding: data, as: UTF8.self) == "POST 4")
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }

  @Test func `a stub with .failing fails the task with its error`() async {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .failing(.notConnectedToInternet))])
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.code == .notConnectedToInternet)
  }

  @Test func `a miss names the stub by its file and line`() async {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/users"), .status(204))])
    let line = #line - 1
    await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(player.ledger.misses.first?.text.contains("StubTests.swift:\(line)") == true)
  }

  private struct User: Encodable {
    let name = "kean"
    let id = 7
  }

  private func answer(_ answer: CassetteStub.Answer) async throws -> (String, HTTPURLResponse?) {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), answer)])
    let (data, response) = try await player.session().data(from: url)
    return (String(decoding: data, as: UTF8.self), response as? HTTPURLResponse)
  }

  @Test func `an encodable value is answered as JSON`() async throws {
    let (text, response) = try await answer(.json(User(), status: 201))
    #expect(text == #"{"id":7,"name":"kean"}"#)
    #expect(response?.statusCode == 201)
    #expect(response?.value(forHTTPHeaderField: "Content-Type") == "application/json")
    #expect(try await answer(.json([User()])).0 == #"[{"id":7,"name":"kean"}]"#)
  }

  @Test func `data is answered unchanged with its type and added header fields`() async throws {
    let (text, response) = try await answer(.data(Data("bytes".utf8), type: "image/x-test").header("ETag", "\"1\""))
    #expect(text == "bytes")
    #expect(response?.value(forHTTPHeaderField: "Content-Type") == "image/x-test")
    #expect(response?.value(forHTTPHeaderField: "Etag") == "\"1\"")
  }

  @Test func `a value that cannot be encoded fails its request with the stub's file and line`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .json(Double.nan))])
    let line = #line - 1
    await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(player.ledger.problems.first?.contains("StubTests.swift:\(line)") == true)
    #expect(player.ledger.problems.first?.contains("cannot be encoded as JSON") == true)
  }

  private func post(_ path: String, _ body: String, _ session: URLSession) async throws -> String {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  @Test func `a path template matches any segment, and a literal path is preferred`() async throws {
    let player = CassettePlayer()
    player.add([
      CassetteStub(.post("/users/{name}"), .text("anybody")), CassetteStub(.post("/users/kean"), .text("kean")),
    ])
    let session = player.session()
    #expect(try await post("/users/ada", "", session) == "anybody")
    #expect(try await post("/users/kean", "", session) == "kean")
    await #expect(throws: URLError.self) { try await post("/users/ada/repos", "", session) }
    await #expect(throws: URLError.self) { try await post("/users/ada?page=1", "", session) }
  }

  @Test func `a stub accepts any query or a condition on one parameter`() async throws {
    let player = CassettePlayer()
    player.add([
      CassetteStub(.post("/any").anyQuery, .text("any")),
      CassetteStub(.post("/search").query("q", .contains("swift")).anyQuery, .text("some")),
    ])
    let session = player.session()
    #expect(try await post("/any", "", session) == "any")
    #expect(try await post("/any?a=1&b", "", session) == "any")
    #expect(try await post("/search?q=in+swift&page=2", "", session) == "some")
    await #expect(throws: URLError.self) { try await post("/search?q=rust", "", session) }
  }

  @Test func `the body condition that a request meets selects its stub`() async throws {
    let player = CassettePlayer()
    player.add([
      CassetteStub(.post("/todos").body(.json(["title": "Milk", "done": false])), .text("equal")),
      CassetteStub(.post("/todos").body(.json(containing: ["title": "Tea"])), .text("contains")),
      CassetteStub(.post("/todos").body(.value("$.kind", .matches("a+"))), .text("pattern")),
      CassetteStub(.post("/todos").body(.form("title", "Jam")), .text("form")),
      CassetteStub(.post("/todos").body(.contains("plain")), .text("text")),
    ])
    let session = player.session()
    #expect(try await post("/todos", #"{"done":false,"title":"Milk"}"#, session) == "equal")
    #expect(try await post("/todos", #"{"done":true,"title":"Tea"}"#, session) == "contains")
    #expect(try await post("/todos", #"{"kind":"aaa"}"#, session) == "pattern")
    #expect(try await post("/todos", "title=Jam&x=1", session) == "form")
    #expect(try await post("/todos", "so plain", session) == "text")
    await #expect(throws: URLError.self) { try await post("/todos", #"{"title":"Milk"}"#, session) }
  }

  @Test func `a stub of an inner scope is preferred, and the overridden one is not reported as unplayed`() async throws
  {
    let player = CassettePlayer()
    player.add([CassetteStub(.post("/users/kean"), .text("suite"))], scope: 1)
    player.add([CassetteStub(.post("/users/{name}"), .text("test"))], scope: 2)
    let session = player.session()
    for _ in 0..<2 { #expect(try await post("/users/kean", "", session) == "test") }
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `a stub is preferred to a recording, which is not reported as unplayed`() async throws {
    var cassette = Cassette(name: "users")
    for path in ["/user", "/other"] {
      cassette.interactions.append(
        Interaction(method: .get, url: path, outcome: .response(RecordedResponse(status: 204))))
    }
    let player = CassettePlayer([cassette])
    player.add([CassetteStub(.get("/user"), .text("stub"))])
    for _ in 0..<2 { #expect(try await text(player.session(), URLRequest(url: url)) == "stub") }
    #expect(player.ledger.neverPlayed.count == 1)
    #expect(player.ledger.neverPlayed.first?.contains("GET /other") == true)
  }
}
