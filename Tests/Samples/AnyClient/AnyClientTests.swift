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
    CassetteStub(.any("/status/{code}"), .answering { .status(Int($0.url?.lastPathComponent ?? "") ?? 500) }),
    CassetteStub(
      .get("/paths/{name}").anyQuery,
      .answering { .text("\($0.url?.path(percentEncoded: true) ?? "")?\($0.url?.query(percentEncoded: true) ?? "")") }),
    CassetteStub(
      .any("/measure"),
      .answering { .text("\($0.httpMethod ?? "") \($0.httpBody?.count ?? 0) \($0.httpBody?.last ?? 0)", status: 201) }),
    CassetteStub(.get("/types/csv"), .text("a;b", type: "text/csv")),
    CassetteStub(.get("/types/html"), .text("<p>é</p>", type: "text/html; charset=utf-8")),
    CassetteStub(.get("/types/problem"), .text("{}", type: "application/problem+json", status: 422)),
    CassetteStub(.get("/types/list"), .json([1, "two", nil, true, ["three": 3.5]])),
    CassetteStub(.get("/large"), .text(String(repeating: "0123456789", count: 20_000))),
    CassetteStub(.get("/named").header("X-Name", "Ada"), .text("for Ada")),
  ]

  private static let requests: [(method: String, path: String, body: String)] =
    [
      ("GET", "/json", ""), ("GET", "/text", ""), ("GET", "/empty", ""), ("GET", "/missing", ""),
      ("POST", "/echo", "a body"), ("PUT", "/echo", "x"), ("DELETE", "/users/7", ""), ("GET", "/search?q=swift", ""),
      ("GET", "/twice", ""), ("GET", "/twice", ""), ("GET", "/twice", ""), ("GET", "/moved", ""), ("GET", "/bytes", ""),
      ("PATCH", "/echo", #"{"a":1}"#), ("GET", "/types/csv", ""), ("GET", "/types/html", ""),
      ("GET", "/types/problem", ""), ("GET", "/types/list", ""), ("GET", "/large", ""), ("GET", "/named", ""),
    ]
    + [200, 201, 202, 203, 400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 501, 502, 503].map {
      ("GET", "/status/\($0)", "")
    }
    + [
      "a", "a%20b", "a%2Fb", "J%C3%BCrgen", "a?q=1", "a?q=1&q=2", "a?q=a%20b", "a?q=%C3%A9&empty=", "a?flag", "a:b@c",
    ].map { ("GET", "/paths/\($0)", "") }
    + ["POST", "PUT", "PATCH", "DELETE"].map { ($0, "/measure", #"{"title":"Milk"}"#) }
    + ["", "ü", "a=1&b=2", "two\r\nlines", String(repeating: "x", count: 100_000)].map { ("POST", "/measure", $0) }
    + ["HEAD", "OPTIONS", "PURGE"].map { ($0, "/status/200", "") }

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
    #expect(expected.count == 60)
    #expect(expected.prefix(12).map(\.status) == [200, 200, 204, 404, 200, 201, 202, 200, 200, 200, 200, 300])
    for way in Way.allCases {
      for (number, request) in Self.requests.enumerated() {
        #expect(answers[way]?[number] == expected[number], "\(way): \(request.method) \(request.path)")
      }
    }
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

  @Test(arguments: [Way.session, .player, .transport, .executor])
  fileprivate func `sees a streamed answer arrive in pieces`(way: Way) async throws {
    try await withCassette("stream", in: "Cassettes") { _ in
      let url = try #require(URL(string: "https://api.example.com/stream"))
      var pieces: [String] = []
      switch way {
      case .session, .port:
        let collector = Collector()
        let session = URLSession(configuration: .cassette, delegate: collector, delegateQueue: nil)
        session.dataTask(with: url).resume()
        for await piece in collector.pieces { pieces.append(piece) }
      case .player:
        let answer = try await CassettePlayer.current.answer("GET", url)
        for try await piece in answer.body { pieces.append(String(decoding: piece, as: UTF8.self)) }
        #expect(answer.trailers["X-Checksum"] == "abc")
      case .transport:
        let base = try #require(URL(string: "https://api.example.com"))
        let asked = HTTPRequest(method: .init(rawValue: "GET"), path: "/stream")
        let (_, body) = try await CassetteTransport(player: .current).send(
          asked, body: nil, baseURL: base, operationID: "stream")
        if let body { for try await piece in body { pieces.append(String(decoding: piece, as: UTF8.self)) } }
      case .executor:
        let answer = try await CassetteHTTPClient(player: .current).execute(
          HTTPClientRequest(url: url.absoluteString))
        for try await piece in answer.body { pieces.append(String(decoding: piece, as: UTF8.self)) }
      }
      #expect(pieces == ["one\n", "two\n", "three\n"])
    }
  }
}

/// A delegate that yields each piece of a body.
private final class Collector: NSObject, URLSessionDataDelegate, Sendable {
  let pieces: AsyncStream<String>
  private let next: AsyncStream<String>.Continuation

  override init() { (pieces, next) = AsyncStream.makeStream() }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    next.yield(String(decoding: data, as: UTF8.self))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    next.finish()
  }
}
