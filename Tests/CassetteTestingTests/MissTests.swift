import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Issues of misses` {
  private struct Wrapped: Error {
    let underlying: any Error
  }

  private struct Offline: Error {}

  private func users(_ session: URLSession) async throws {
    _ = try await session.data(from: try #require(URL(string: "https://api.example.com/users")))
  }

  private func text(_ issues: [Issue]) -> [String] { issues.map { $0.comments.first?.rawValue ?? "" } }

  @Test func `a miss whose error the test throws is one issue at the line of the call`() async throws {
    let line = #line + 2
    let issues = try await issues {
      try await withCassette("user", .relaxed) { try await users($0) }
    }
    #expect(issues.map { $0.sourceLocation?.line } == [line])
    #expect(text(issues).first?.contains("GET /users was never recorded") == true)
    #expect(text(issues).first?.contains("then threw") == false)
  }

  @Test func `a miss whose error the client wraps is one issue`() async throws {
    let issues = try await issues {
      try await withCassette("user", .relaxed) { session in
        do { try await users(session) } catch { throw Wrapped(underlying: error) }
      }
    }
    #expect(issues.count == 1)
    #expect(text(issues).first?.contains("then threw") == false)
  }

  @Test func `a miss in a test that throws another error is one issue that names both`() async throws {
    let issues = try await issues {
      try await withCassette("user", .relaxed) { session in
        do { try await users(session) } catch { throw Offline() }
      }
    }
    #expect(issues.count == 1)
    #expect(text(issues).first?.contains("GET /users was never recorded") == true)
    #expect(text(issues).first?.contains("The test then threw: Offline()") == true)
  }

  @Test func `a miss of a request that is sent three times is one issue with the count`() async throws {
    let issues = try await issues {
      try await withCassette("user", .relaxed) { session in
        for _ in 0..<3 { await #expect(throws: URLError.self) { try await users(session) } }
      }
    }
    #expect(issues.count == 1)
    #expect(text(issues).first?.contains("The request was sent 3 times.") == true)
  }

  @Test func `a miss in a test with a trait is one issue at the line of the test for every thrown error`() async throws
  {
    let test = try #require(Test.current)
    for wraps in [false, true] {
      let issues = try await issues {
        let trait: CassetteTrait = .cassette("user", .relaxed)
        // Like the runner, records the error that a test throws as an issue.
        do {
          try await trait.provideScope(for: test, testCase: nil) {
            do { try await users(.cassette) } catch { throw wraps ? Offline() : error }
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(issues.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
      #expect(text(issues).first?.contains("GET /users was never recorded") == true)
    }
  }

  @Test func `a miss whose error the test records itself is one issue`() async throws {
    let test = try #require(Test.current)
    let found = Found()
    // The outermost trait, like the runner: with a known issue, no trait would receive the issue.
    let listener: IssueHandlingTrait = .compactMapIssues { issue in
      found.add(issue)
      return nil
    }
    let trait: CassetteTrait = .cassette("user", .relaxed)
    try await listener.provideScope(for: test, testCase: nil) {
      try await trait.provideScope(for: test, testCase: nil) {
        do { try await users(.cassette) } catch { Issue.record(error) }
      }
    }
    #expect(text(found.all).map { $0.prefix(30) } == ["GET /users was never recorded."])
  }
}
