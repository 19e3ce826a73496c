import CassetteHTTP
import ServerTestSupport
import Testing

@testable import MockServerKit

/// How the server reports responses that were recorded after a change, and resources.
@Suite struct CauseReportTests {
  private static let todo = [
    #"{"id":"there","request":{"method":"GET","url":"/todos/1"},"response":{"status":200}}"#,
    #"{"id":"deleted","request":{"method":"DELETE","url":"/todos/1"},"response":{"status":204}}"#,
    #"{"id":"gone","request":{"method":"GET","url":"/todos/1"},"response":{"status":404}}"#,
  ]

  @Test(arguments: LoopKind.allCases)
  func `a GET recorded after a DELETE is played only in the session that sent the DELETE`(kind: LoopKind) throws {
    let served = try Served(kind, Self.todo)
    for _ in 0..<3 { #expect(try served.ask("GET /todos/1").status == 200) }
    let other: HTTPHeaders = [("X-Mock-Session", "other")]
    #expect(try served.ask("DELETE /todos/1", other).status == 204)
    #expect(try served.ask("GET /todos/1", other).status == 404)
    #expect(try served.ask("GET /todos/1").status == 200)
  }

  @Test func `the journal and the interactions name the change that a recording follows`() throws {
    let served = try Served(.platform, Self.todo)
    #expect(try served.ask("DELETE /todos/1").status == 204)
    #expect(try served.ask("GET /todos/1").status == 404)
    #expect(try served.ask("GET /__mock/journal").text.contains(#""recording":"gone""#))
    #expect(try served.ask("GET /__mock/journal").text.contains(#""after":"deleted""#))
    #expect(try served.ask("GET /__mock/interactions").text.contains(#""after":"deleted""#))
  }

  @Test(arguments: LoopKind.allCases) func `a resource answers requests, and the journal names it`(kind: LoopKind)
    throws
  {
    let served = try Served(kind, ["a.json": #"{"cassette":1,"resource":{"path":"/todos"}}"#])
    let made = try served.ask("POST /todos", [("Content-Type", "application/json")], body: #"{"title":"a"}"#)
    #expect(made.status == 201)
    #expect(made.headers["Location"] == "\(served.url)/todos/1")
    #expect(try served.ask("GET /todos/1").text == #"{"id":1,"title":"a"}"#)
    #expect(try served.ask("GET /todos/2").status == 404)
    #expect(try served.ask("GET /__mock/journal").text.contains(#""recording":"/todos""#))
    _ = try served.ask("POST /__mock/reset", [("Content-Type", "application/json")], body: "{}")
    #expect(try served.ask("GET /todos").text == "[]")
  }
}
