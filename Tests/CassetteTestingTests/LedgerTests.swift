import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `The end of a test` {
  /// What a piece of a test reports, kept from failing this one.
  private func issues(_ body: () async throws -> Void) async throws -> [Issue] {
    let found = Found()
    try await withKnownIssue(isIntermittent: true) {
      try await body()
    } matching: { issue in
      found.add(issue)
      return true
    }
    return found.all
  }

  @Test func `a miss is an issue at the place of the call, with the explanation`() async throws {
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

  @Test func `a recording that never played fails a strict test`() async throws {
    let issues = try await issues { try await withCassette("user", .strict) { _ in } }
    #expect(issues.count == 1)
    #expect(issues.first?.comments.first?.rawValue.contains("get-user") == true)
  }

  @Test func `a recording that never played is a warning by default`() async throws {
    let issues = try await issues { try await withCassette("user") { _ in } }
    #if compiler(>=6.3)
      #expect(issues.map(\.severity) == [.warning])
    #endif
  }

  @Test func `a relaxed test hears nothing`() async throws {
    try await withCassette("user", .relaxed) { _ in }
  }

  @Test func `a cassette that is not there is an error with the nearest name`() async {
    await #expect {
      try await withCassette("usr") { _ in }
    } throws: { error in
      "\(error)".contains("did you mean \"user\"?") && "\(error)".contains("Cassettes/usr.json")
    }
  }
}

/// Issues, gathered from wherever they are reported.
final class Found: @unchecked Sendable {
  // Sendable unchecked: guarded by the lock.
  private let lock = NSLock()
  private var issues: [Issue] = []

  func add(_ issue: Issue) { lock.withLock { issues.append(issue) } }

  var all: [Issue] { lock.withLock { issues } }
}
