import CassetteSession
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `A stub` {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func text(_ session: URLSession, _ request: URLRequest) async throws -> String {
    String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  @Test func `JSON keeps the order it is written in`() async throws {
    let player = CassettePlayer()
    player.add([Stub(.get("/user"), .json(["login": "kean", "id": 1, "tags": [true, nil, 1.5, "\"\n"]]))])
    let text = try await text(player.session(), URLRequest(url: url))
    #expect(text == #"{"login":"kean","id":1,"tags":[true,null,1.5,"\"\n"]}"#)
  }

  @Test func `several answers play one after the other, the last again and again`() async throws {
    let player = CassettePlayer()
    player.add([Stub(.get("/user"), .text("1"), .text("2"))])
    let session = player.session()
    var answers: [String] = []
    for _ in 0..<3 { answers.append(try await text(session, URLRequest(url: url))) }
    #expect(answers == ["1", "2", "2"])
  }

  @Test func `a closure sees the request and its body`() async throws {
    let player = CassettePlayer()
    player.add([
      Stub(.post("/user"), .answering { .text("\($0.httpMethod ?? "") \($0.httpBody?.count ?? 0)", status: 201) })
    ])
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let (data, response) = try await player.session().upload(for: request, from: Data("four".utf8))
    #expect(String(decoding: data, as: UTF8.self) == "POST 4")
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }

  @Test func `an error is the task's error`() async {
    let player = CassettePlayer()
    player.add([Stub(.get("/user"), .failing(.notConnectedToInternet))])
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.code == .notConnectedToInternet)
  }

  @Test func `a miss names the stub by its file and line`() async {
    let player = CassettePlayer()
    player.add([Stub(.get("/users"), .status(204))])
    let line = #line - 1
    await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(player.ledger.misses.first?.text.contains("StubTests.swift:\(line)") == true)
  }
}
