import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The answer that a client received: the status, the content type, and the body.
private struct Got: Equatable {
  var status: Int
  var type: String?
  var text: String
}

/// The ways in which a client sends requests.
private enum Way: CaseIterable, Sendable {
  case session, port, player, transport, executor
}

@Suite struct `Any client` {
  private static let stubs = [
    CassetteStub(.get("/json"), .json(["login": "kean"])),
    CassetteStub(.get("/text"), .text("hello")),
    CassetteStub(.get("/empty"), .status(204)),
    CassetteStub(.get("/missing"), .text("no", status: 404)),
    CassetteStub(.post("/echo"), .answering { .text(String(decoding: $0.httpBody ?? Data(), as: UTF8.self)) }),
    CassetteStub(.put("/echo"), .answering { .text($0.value(forHTTPHeaderField: "X-Name") ?? "none", status: 201) }),
    CassetteStub(.delete("/users/{id}"), .status(202)),
    CassetteStub(.get("/search").query("q", "swift"), .text("found")),
    CassetteStub(.get("/twice"), .text("one"), .text("two")),
    CassetteStub(.get("/moved"), .text("kept", status: 300)),
    CassetteStub(.get("/bytes"), .data(Data([0, 1, 2, 255]))),
    CassetteStub(.patch("/echo").body(.json(["a": 1])), .json(["b": 2], status: 200)),
  ]

  private static let requests: [(method: String, path: String, body: String)] = [
    ("GET", "/json", ""), ("GET", "/text", ""), ("GET", "/empty", ""), ("GET", "/missing", ""),
    ("POST", "/echo", "a body"), ("PUT", "/echo", "x"), ("DELETE", "/users/7", ""), ("GET", "/search?q=swift", ""),
    ("GET", "/twice", ""), ("GET", "/twice", ""), ("GET", "/moved", ""), ("GET", "/bytes", ""),
    ("PATCH", "/echo", #"{"a":1}"#),
  ]

  private static func ask(_ way: Way, _ request: (method: String, path: String, body: String), _ port: URL) async throws
    -> Got
  {
    let base = "https://api.example.com"
    let url = try #require(URL(string: way == .port ? port.absoluteString + request.path : base + request.path))
    let data = Data(request.body.utf8)
    switch way {
    case .session, .port:
      var asked = URLRequest(url: url)
      asked.httpMethod = request.method
      asked.setValue("Ada", forHTTPHeaderField: "X-Name")
      if !data.isEmpty { asked.httpBody = data }
      let session = way == .session ? URLSession.cassette : URLSession(configuration: .ephemeral)
      let (body, response) = try await session.data(for: asked)
      let answer = try #require(response as? HTTPURLResponse)
      return Got(
        status: answer.statusCode, type: answer.value(forHTTPHeaderField: "Content-Type"),
        text: String(decoding: body, as: UTF8.self))
    case .player:
      let answer = try await CassettePlayer.current.answer(
        request.method, url, headers: [("X-Name", "Ada")], body: data)
      return Got(
        status: answer.status, type: answer.headers["Content-Type"],
        text: String(decoding: try await answer.body.collect(), as: UTF8.self))
    case .transport:
      var asked = HTTPRequest(method: .init(rawValue: request.method), path: request.path)
      if let name = HTTPField.Name("X-Name") { asked.headerFields.append(HTTPField(name: name, value: "Ada")) }
      let content = AsyncStream<Data> { stream in
        stream.yield(data)
        stream.finish()
      }
      let (response, body) = try await CassetteTransport(player: .current).send(
        asked, body: data.isEmpty ? nil : HTTPBody(content), baseURL: try #require(URL(string: base)),
        operationID: "any")
      var text = Data()
      if let body { for try await piece in body { text += piece } }
      return Got(
        status: response.status.code,
        type: response.headerFields.first { $0.name.rawName.lowercased() == "content-type" }?.value,
        text: String(decoding: text, as: UTF8.self))
    case .executor:
      let client = CassetteHTTPClient(player: .current)
      let answer = try await client.execute(
        HTTPClientRequest(url: url.absoluteString, method: request.method, headers: [("X-Name", "Ada")], body: data))
      return Got(
        status: answer.status, type: answer.headers.first { $0.0.lowercased() == "content-type" }?.1,
        text: String(decoding: try await answer.body.collect(), as: UTF8.self))
    }
  }

  @Test func `gets the same answers, whatever it is made of`() async throws {
    var answers: [Way: [Got]] = [:]
    for way in Way.allCases {
      answers[way] = try await withMockServer(strictness: .relaxed, stubs: Self.stubs) { server in
        let port = server.url
        return try await withCassette(nil, .relaxed, stubs: Self.stubs) { _ in
          var got: [Got] = []
          for request in Self.requests { got.append(try await Self.ask(way, request, port)) }
          return got
        }
      }
    }
    let expected = try #require(answers[.session])
    #expect(expected.map(\.status) == [200, 200, 204, 404, 200, 201, 202, 200, 200, 200, 300, 200, 200])
    for way in Way.allCases { #expect(answers[way] == expected, "\(way)") }
  }

  @Test(.stub(.get("/user"), .json(["login": "kean"])))
  func `that misses fails its test with the same words`() async throws {
    let url = try #require(URL(string: "https://api.example.com/users"))
    let other = CassetteStub(.get("/user"), .status(204))
    try await withKnownIssue {
      try await withCassette(nil, .relaxed, stubs: [other]) { _ in
        _ = try? await CassettePlayer.current.answer("GET", url)
      }
    } matching: { issue in
      issue.comments.first?.rawValue.contains("GET /users was never recorded") == true
    }
    let user = try #require(URL(string: "https://api.example.com/user"))
    #expect(try await CassettePlayer.current.answer("GET", user).status == 200)
    #expect(sent(.get("/user")).count == 1)
  }

  @Test func `sees a streamed answer arrive in pieces`() async throws {
    try await withCassette("stream", in: "Cassettes") { _ in
      let url = try #require(URL(string: "https://api.example.com/stream"))
      let answer = try await CassettePlayer.current.answer("GET", url)
      var pieces: [String] = []
      for try await piece in answer.body { pieces.append(String(decoding: piece, as: UTF8.self)) }
      #expect(pieces == ["one\n", "two\n", "three\n"])
      #expect(answer.trailers["X-Checksum"] == "abc")
    }
  }
}
