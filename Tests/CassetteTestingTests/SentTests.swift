import CassetteTesting
import Foundation
import Testing

@testable import CassetteSession
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `What a test sent` {
  private func post(_ json: String, to path: String = "/todos") async throws {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    request.httpMethod = "POST"
    request.httpBody = Data(json.utf8)
    _ = try await URLSession.cassette.data(for: request)
  }

  @Test(.stub(.post("/todos"), .status(201))) func `is asked for by method and path`() async throws {
    try await post(#"{"title":"Milk"}"#)
    #expect(sent(.post("/todos")).json["title"] == "Milk")
    #expect(sent(.post("/todos")).text == #"{"title":"Milk"}"#)
    #expect(sent(.get("/todos")).isEmpty)
    #expect(URLSession.cassette.requests.map(\.method) == ["POST"])
  }

  @Test(.stub(.post("/todos"), .status(201)), .stub(.post("/lists/{id}"), .status(201)))
  func `is in the order it came`() async throws {
    try await post(#"{"title":"Milk"}"#)
    try await post("{}", to: "/lists/7")
    try await post(#"{"title":"Tea"}"#)
    #expect(sent(.post("/todos")).map { $0.json["title"] } == ["Milk", "Tea"])
    #expect(sent(.post("/todos"))[1].json["title"] == "Tea")
    #expect(sent(.post("/lists/{id}")).url?.path == "/lists/7")
  }

  @Test(.stub(.post("/todos?list=1"), .status(201))) func `that is nothing, or more than one, is an issue at the line`()
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

  @Test func `cannot be asked for outside of a test with a cassette`() async throws {
    let issues = try await issues { #expect(sent(.get("/todos")).isEmpty) }
    #expect(issues.first?.comments.first?.rawValue.contains("outside of a test with .cassette") == true)
  }

  @Test func `is what withCassette's own session sent`() async throws {
    try await withCassette("user") { session in
      _ = try await Client(session: session).user()
      #expect(sent(.get("/user")).count == 1)
    }
  }
}

@Suite(.stub(.get("/user"), .json(["login": "suite"]))) struct `A suite with a stub` {
  @Test func `has it in each test`() async throws {
    #expect(try await Client(session: .cassette).user().login == "suite")
  }

  @Test(.stub(.get("/{anything}"), .json(["login": "test"]), strictness: .strict))
  func `and a test's own comes before it, as long as it is asked`() async throws {
    for _ in 0..<2 { #expect(try await Client(session: .cassette).user().login == "test") }
  }

  @Suite(.stub(.get("/user"), .json(["login": "inner"]))) struct `with a suite in it` {
    @Test func `whose stub is nearer`() async throws {
      for _ in 0..<2 { #expect(try await Client(session: .cassette).user().login == "inner") }
    }
  }
}

@Suite struct `A stub of a file` {
  @Test(.stub(.get("/user"), .file("Cassettes/more/answer.txt", type: "application/json")))
  func `is the file beside the test`() async throws {
    #expect(try await Client(session: .cassette).user().login == "from a file")
  }

  @Test func `that is not there fails before anything runs, at the line, with the nearest name`() async throws {
    let error = await #expect(throws: CassetteError.self) {
      try await withCassette(stubs: [CassetteStub(.get("/user"), .file("Cassettes/more/anser.txt"))]) { _ in
        Issue.record("must not run")
      }
    }
    #expect(error?.description.contains("SentTests.swift:") == true)
    #expect(error?.description.contains("did you mean \"answer.txt\"?") == true)
  }
}
