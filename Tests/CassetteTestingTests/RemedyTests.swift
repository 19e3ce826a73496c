import CassetteTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of the remedies in the text of failures, which a user would copy.
@Suite struct `Remedies in failures` {
  private func texts(_ issues: [Issue]) -> String { issues.map { $0.comments.first?.rawValue ?? "\($0)" }.joined() }

  private func ask(_ session: URLSession, _ url: String, body: String? = nil) async throws {
    var request = URLRequest(url: try #require(URL(string: url)))
    if let body {
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
    }
    _ = try? await session.data(for: request)
  }

  @Test func `the remedy for another host is .anyHost`() async throws {
    let issues = try await issues {
      try await withCassette("user", .relaxed) { try await ask($0, "https://staging.example.org/user") }
    }
    #expect(texts(issues).contains("matching: .anyHost"))
  }

  @Test func `the remedy for another value in a body is .body(ignoring:)`() async throws {
    let issues = try await issues {
      try await withCassette("likeness", .relaxed) { session in
        try await ask(
          session, "https://api.example.com/todos",
          body: #"{"id":"0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01","title":"Eggs"}"#)
      }
    }
    #expect(texts(issues).contains(#"matching: .body(ignoring: "$.title")"#))
  }

  @Test(arguments: [("/users/*", "/users/{id}"), ("/users/:name", "/users/{name}")])
  func `the remedy for a placeholder of another tool is a name in braces`(path: String, meant: String) async throws {
    let issues = try await issues {
      try await withCassette(nil, .relaxed, stubs: [CassetteStub(.get(path), .status(204))]) { session in
        try await ask(session, "https://api.example.com/users/kean")
      }
    }
    #expect(texts(issues).contains("as \"\(meant)\", with names in braces"))
  }

  @Test(arguments: [
    (#"{"log":{"version":"1.2","entries":[]}}"#, "is a HAR file, not a cassette", "other.json --into cassettes"),
    ("---\nhttp_interactions:\n- request:\n", "is a VCR file, not a cassette", "other.json --into cassettes"),
    ("openapi: 3.1.0\n", "is an OpenAPI document, not a cassette", "mockserver serve --openapi"),
    (#"{"openapi":"3.1.0"}"#, "is an OpenAPI document, not a cassette", "mockserver serve --openapi"),
  ])
  func `the remedy for a file of another tool is the command that converts or serves it`(
    content: String, words: String, command: String
  ) async throws {
    let folder = try ScratchFolder()
    try Data(content.utf8).write(to: URL(filePath: folder.path("other.json")))
    let error = await #expect(throws: CassetteError.self) {
      try await withCassette("other", in: folder.path) { _ in }
    }
    #expect(error?.description.contains(words) == true)
    #expect(error?.description.contains(command) == true)
  }

  @Test(.disabled(if: ProcessInfo.processInfo.environment["CI"]?.isEmpty == false, "CI refuses to record"))
  func `a cassette with "recording": "never" keeps its bytes in recording mode`() async throws {
    let folder = try ScratchFolder()
    let file = URL(filePath: folder.path("hand.json"))
    let text = #"""
      {
        "cassette": 1,
        "recording": "never",
        "interactions": [
          { "request": { "method": "GET", "url": "/user" }, "response": { "status": 204 } }
        ]
      }
      """#
    try Data(text.utf8).write(to: file)
    try await withCassette("hand", in: folder.path, mode: .record) { session in
      let (_, response) = try await session.data(from: #require(URL(string: "https://api.example.com/user")))
      #expect((response as? HTTPURLResponse)?.statusCode == 204)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `a cassette that eight threads load at once is read once`() {
    nonisolated(unsafe) var (isRead, count) = (false, 0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      RecentCassettes.inTurn("large") {
        count += isRead ? 0 : 1
        isRead = true
      }
    }
    #expect(count == 1)
  }
}
