import CassetteTesting
import Foundation
import Testing

@testable import CassetteSession
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Sent requests` {
  private func post(_ json: String, to path: String = "/todos") async throws {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    request.httpMethod = "POST"
    request.httpBody = Data(json.utf8)
    _ = try await URLSession.cassette.data(for: request)
  }

  @Test(.stub(.post("/todos"), .status(201))) func `sent selects requests by method and path`() async throws {
    try await post(#"{"title":"Milk"}"#)
    #expect(sent(.post("/todos")).json["title"] == "Milk")
    #expect(sent(.post("/todos")).text == #"{"title":"Milk"}"#)
    #expect(sent(.get("/todos")).isEmpty)
    #expect(URLSession.cassette.requests.map(\.method) == ["POST"])
  }

  @Test(.stub(.post("/todos"), .status(201)), .stub(.post("/lists/{id}"), .status(201)))
  func `sent returns requests in the order of sending`() async throws {
    try await post(#"{"title":"Milk"}"#)
    try await post("{}", to: "/lists/7")
    try await post(#"{"title":"Tea"}"#)
    #expect(sent(.post("/todos")).map { $0.json["title"] } == ["Milk", "Tea"])
    #expect(sent(.post("/todos"))[1].json["title"] == "Tea")
    #expect(sent(.post("/lists/{id}")).url?.path == "/lists/7")
  }

  @Test(.stub(.post("/todos?list=1"), .status(201)))
  func `reading the JSON of no or of two sent requests is an issue at its line`()
    async throws
  {
    try await post("{}", to: "/todos?list=1")
    try await post("not JSON", to: "/todos?list=1")
    let line = #line + 2
    let issues = try await issues {
      #expect(sent(.get("/lists")).json == nil)
      #expect(sent(.post("/todos")).json == nil)
      #expect(sent(.post("/todos").anyQuery).json == nil)
    }
    let texts = issues.map { $0.comments.first?.rawValue ?? "" }
    #expect(issues.map { $0.sourceLocation?.line } == [line, line + 1, line + 2])
    #expect(
      texts.first?.contains("no request GET /lists was sent; the sent requests:\n  POST https://api.example.com/todos")
        == true)
    #expect(texts.dropFirst().first?.contains(".anyQuery") == true)
    #expect(texts.last?.contains("2 requests POST /todos were sent: select one") == true)
  }

  @Test func `sent outside of a test with a cassette is an issue`() async throws {
    let issues = try await issues { #expect(sent(.get("/todos")).isEmpty) }
    #expect(issues.first?.comments.first?.rawValue.contains("outside of a test with .cassette") == true)
  }

  @Test func `sent in withCassette returns the requests of its session`() async throws {
    try await withCassette("user") { session in
      _ = try await Client(session: session).user()
      #expect(sent(.get("/user")).count == 1)
    }
  }
}

@Suite(.stub(.get("/user"), .json(["login": "suite"]))) struct `Stubs of suites` {
  @Test func `the stub of a suite answers in each of its tests`() async throws {
    #expect(try await Client(session: .cassette).user().login == "suite")
  }

  @Test(.stub(.get("/{anything}"), .json(["login": "test"]), strictness: .strict))
  func `the stub of a test takes precedence over the stub of its suite for every request`() async throws {
    for _ in 0..<2 { #expect(try await Client(session: .cassette).user().login == "test") }
  }

  @Suite(.stub(.get("/user"), .json(["login": "inner"]))) struct `Stubs of nested suites` {
    @Test func `the stub of an inner suite takes precedence over the stub of the outer suite`() async throws {
      for _ in 0..<2 { #expect(try await Client(session: .cassette).user().login == "inner") }
    }
  }
}

@Suite struct `Stubs with a file` {
  @Test(.stub(.get("/user"), .file("Cassettes/more/answer.txt", type: "application/json")))
  func `a stub with a file answers with the file beside the test`() async throws {
    #expect(try await Client(session: .cassette).user().login == "from a file")
  }

  @Test func `a stub with a missing file fails before the test's body, with its line and the nearest name`()
    async throws
  {
    let error = await #expect(throws: CassetteError.self) {
      try await withCassette(stubs: [CassetteStub(.get("/user"), .file("Cassettes/more/anser.txt"))]) { _ in
        Issue.record("must not run")
      }
    }
    #expect(error?.description.contains("SentTests.swift:") == true)
    #expect(error?.description.contains("did you mean \"answer.txt\"?") == true)
  }
}
