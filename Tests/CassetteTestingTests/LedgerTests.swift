import Foundation
import MockServerTesting
import Testing

@testable import CassetteTesting
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Reports at the end of a test` {
  @Test func `a miss is one issue at the line of withCassette, with its explanation`() async throws {
    let line = #line + 2
    let issues = try await issues {
      try await withCassette("user", .relaxed) { session in
        let url = try #require(URL(string: "https://api.example.com/users"))
        _ = try? await session.data(from: url)
      }
    }
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(issue.sourceLocation?.line == line)
    #expect(issue.comments.first?.rawValue.contains("GET /users was never recorded") == true)
    #expect(issue.comments.first?.rawValue.contains("Cassettes/user.json:5") == true)
  }

  @Test func `a recording that was never played fails a strict test`() async throws {
    let issues = try await issues {
      try await withCassette("pair", .strict) { try await get("/first", $0) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.comments.first?.rawValue.contains("get-second") == true)
  }

  @Test func `a recording that was never played is not reported by a test of the default strictness`() async throws {
    try await withCassette("pair") { try await get("/first", $0) }
  }

  @Test func `a relaxed test that sends no request has no issue`() async throws {
    try await withCassette("user", .relaxed) { _ in }
  }

  private func get(_ path: String, _ session: URLSession) async throws {
    _ = try await session.data(from: try #require(URL(string: "https://api.example.com\(path)")))
  }

  private func text(_ issues: [Issue]) -> [String] { issues.map { $0.comments.first?.rawValue ?? "" } }

  @Test(arguments: Issue.canWarn ? [CassetteStrictness.strict, .warns, .relaxed] : [.strict, .relaxed])
  func `requests in another order than recorded are reported by the strictness of the test`(
    strictness: CassetteStrictness
  ) async throws {
    let issues = try await issues {
      try await withCassette("pair", strictness, matching: .careful) { session in
        try await get("/second", session)
        try await get("/first", session)
        try await get("/second", session)
      }
    }
    #expect(issues.count == (strictness == .relaxed ? 0 : 1))
    #expect(issues.allSatisfy { $0.failsTest == (strictness == .strict) })
    for text in text(issues) {
      #expect(text.contains("sent in another order than recorded"))
      #expect(text.contains("GET /second — \"get-second\" of \"pair\""))
      #expect(text.contains("was requested before GET /first — \"get-first\" of \"pair\""))
    }
  }

  @Test func `repeated requests in the recorded order pass a strict test`() async throws {
    try await withCassette("pair", .strict, matching: .careful) { session in
      for path in ["/first", "/first", "/second", "/first"] { try await get(path, session) }
    }
  }

  @Test func `a fault that applies to no request fails a strict test`() async throws {
    let issues = try await issues {
      try await withCassette("user", .strict, with: .reset(on: "/usr")) { try await get("/user", $0) }
    }
    #expect(text(issues).first?.contains(".reset(on: \"/usr\")") == true)
    #expect(issues.count == 1)
  }

  @Test(arguments: Issue.canWarn ? [CassetteStrictness.strict, .warns] : [.strict])
  func `a request after the end of its test is an issue at the line of that test`(strictness: CassetteStrictness)
    async throws
  {
    let found = Found()
    let line = #line + 2
    let issues = try await issues(found) {
      let session = try await withCassette("user", strictness) { session in
        try await get("/user", session)
        return session
      }
      for _ in 0..<3 { await #expect(throws: URLError.self) { try await get("/user?token=abc", session) } }
      await found.first()
    }
    #expect(issues.count == 1)
    #expect(issues.first?.sourceLocation?.line == line)
    #expect(text(issues).first?.contains("GET https://api.example.com/user?token={{secret}} was sent after") == true)
    #expect(text(issues).first?.contains("a request after the end of its test is an issue") == true)
    #expect(issues.map(\.failsTest) == [strictness == .strict])
  }

  @Test func `a recording that a mock server never played fails a strict test`() async throws {
    let issues = try await issues {
      try await withMockServer(cassettes: "pair", strictness: .strict) { server in
        _ = try await URLSession(configuration: .ephemeral).data(from: server.url.appending(path: "first"))
      }
    }
    #expect(text(issues).first?.contains("pair/get-second") == true)
    #expect(issues.map(\.failsTest) == [true])
  }

  @Test func `a missing cassette is an error with its path and the nearest name`() async {
    await #expect {
      try await withCassette("usr") { _ in }
    } throws: { error in
      "\(error)".contains("did you mean \"user\"?") && "\(error)".contains("Cassettes/usr.json")
    }
  }
}
