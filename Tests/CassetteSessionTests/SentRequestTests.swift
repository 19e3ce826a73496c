import CassetteHTTP
import CassetteSession
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Requests of a player` {
  private func request(_ method: String, _ path: String, json: String? = nil) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    request.httpMethod = method
    if let json {
      request.httpBody = Data(json.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    return request
  }

  private func player() -> CassettePlayer {
    let player = CassettePlayer()
    player.add([
      CassetteStub(.any("/todos").anyQuery, .status(201)),
      CassetteStub(.get("/old"), .status(302, headers: ["Location": "/todos"])),
    ])
    return player
  }

  @Test func `the requests of a session have method, URL, fields, body and JSON in the order of sending`() async throws
  {
    let player = player()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "one"]
    let session = player.session(configuration: configuration)
    _ = try await session.data(
      for: request("POST", "/todos?list=1", json: #"{"title":"Milk","count":2.0,"tags":["a"]}"#))
    _ = try await session.data(for: request("GET", "/todos"))
    let sent = session.requests
    #expect(sent.map(\.method) == ["POST", "GET"])
    #expect(sent.first?.url.absoluteString == "https://api.example.com/todos?list=1")
    #expect(sent.first?.headers["content-type"] == "application/json")
    #expect(sent.first?.headers["X-App"] == "one")
    #expect(sent.first?.body.count == 41)
    #expect(sent.first?.json["title"] == "Milk")
    #expect(sent.first?.json["count"] == 2)
    #expect(sent.first?.json["tags"][0] == "a")
    #expect(sent.first?.json["tags"][1] == nil)
    #expect(sent.first?.json == ["tags": ["a"], "title": "Milk", "count": 2])
    #expect(sent.last?.json == nil)
    struct Todo: Decodable { let title: String }
    #expect(try sent.first?.decode(Todo.self).title == "Milk")
  }

  @Test func `the requests of a session include each hop of a redirect and the body of an upload`() async throws {
    let player = player()
    let session = player.session()
    _ = try await session.data(for: request("GET", "/old"))
    _ = try await session.upload(for: request("PUT", "/todos"), from: Data("four".utf8))
    #expect(
      session.requests.map(\.description) == [
        "GET https://api.example.com/old", "GET https://api.example.com/todos", "PUT https://api.example.com/todos",
      ])
    #expect(session.requests.last?.text == "four")
  }

  @Test func `the requests are equal for all sessions of a player and empty for other sessions`() async throws {
    let player = player()
    _ = try await player.session().data(for: request("GET", "/todos"))
    #expect(player.session().requests.count == 1)
    #expect(URLSession(configuration: .ephemeral).requests.isEmpty)
  }

  @Test func `the requests of a session are available after the end of its player`() async throws {
    let player = player()
    let session = player.session()
    _ = try await session.data(for: request("GET", "/todos"))
    player.end()
    #expect(session.requests.count == 1)
  }

  @Test(
    arguments: [
      (CassetteStub.Request.post("/todos"), false), (.post("/todos?list=1"), true), (.post("/todos").anyQuery, true),
      (.get("/todos").anyQuery, false), (.any("/todos").anyQuery, true), (.post("/{what}").anyQuery, true),
      (.post("/todos").query("list", "1"), true), (.post("/todos").query("list", .matches("\\d+")), true),
      (.post("/todos").query("list", .matches("[a-z]+")), false),
      (.post("https://api.example.com/todos").anyQuery, true),
      (.post("https://other.example.com/todos").anyQuery, false),
      (.post("/todos").anyQuery.body(.json(["title": "Milk"])), true),
      (.post("/todos").anyQuery.body(.json(["title": "Tea"])), false),
      (.post("/todos").anyQuery.header("content-type", .contains("json")), true),
    ])
  func `a sent request matches the stub requests that would answer it`(wanted: CassetteStub.Request, isOne: Bool)
    async throws
  {
    let player = player()
    _ = try await player.session().data(for: request("POST", "/todos?list=1", json: #"{"title":"Milk"}"#))
    #expect(player.requests.map { $0.matches(wanted) } == [isOne])
  }
}
