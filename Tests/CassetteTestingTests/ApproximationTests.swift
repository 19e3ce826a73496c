import Foundation
import MockServerTesting
import Testing

@testable import CassetteTesting
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of the reports of answers by recordings that differ from the request.
@Suite struct `Approximate answers` {
  private static let milk = #"{"id":"0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01","title":"Milk"}"#
  private static let another = #"{"id":"9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22","title":"Milk"}"#

  @discardableResult
  private static func post(_ body: String, to origin: String = "https://api.example.com", _ session: URLSession)
    async throws -> Int?
  {
    var request = URLRequest(url: try #require(URL(string: "\(origin)/todos")))
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  private func expect201(_ status: Int?) { #expect(status == 201) }

  private func texts(_ issues: [Issue]) -> [String] { issues.map { $0.comments.first?.rawValue ?? "" } }

  @Test(.enabled(if: Issue.canWarn))
  func `an approximate answer is a warning at the line of the test and names the difference`()
    async throws
  {
    let line = #line + 2
    let found = try await issues {
      try await withCassette("likeness") { expect201(try await Self.post(Self.another, $0)) }
    }
    #expect(found.count == 1)
    #expect(found.first?.sourceLocation?.line == line)
    #expect(found.first?.failsTest == false)
    #expect(texts(found).first?.contains("differs from it in body $.id") == true)
  }

  @Test func `an approximate answer fails a strict test, and is a miss with exact matching`() async throws {
    let careful = try await issues {
      try await withCassette("likeness", .strict, matching: .careful) { _ = try await Self.post(Self.another, $0) }
    }
    #expect(careful.count == 1)
    #expect(careful.map(\.failsTest) == [true])
    let exact = try await issues {
      try await withCassette("likeness", .strict) { _ = try? await Self.post(Self.another, $0) }
    }
    #expect(texts(exact).first?.contains("POST /todos was never recorded with this body") == true)
    #expect(texts(exact).first?.contains("ignore generated values") == true)
  }

  @Test func `a difference that the test's matching ignores is not reported`() async throws {
    try await withCassette("likeness", .strict, matching: .exact, .body(ignoring: "$.id"), .anyHost) { session in
      expect201(try await Self.post(Self.another, to: "https://staging.example.com", session))
    }
  }

  @Test func `a request to another origin or with another title is a miss`() async throws {
    let found = try await issues {
      try await withCassette("likeness", .relaxed) { session in
        _ = try? await Self.post(Self.milk, to: "https://evil.example.org", session)
        _ = try? await Self.post(Self.milk.replacing("Milk", with: "Eggs"), session)
      }
    }
    #expect(texts(found).contains { $0.contains("was never recorded from this origin") })
    #expect(texts(found).contains { $0.contains("sent \"Eggs\", recorded \"Milk\"") })
  }

  @Test func `a recording that is requested again is a miss only in a strict test`() async throws {
    try await withCassette("likeness") { session in
      for _ in 0..<3 { expect201(try await Self.post(Self.milk, session)) }
    }
    let found = try await issues {
      try await withCassette("likeness", .strict) { session in
        for _ in 0..<2 { _ = try? await Self.post(Self.milk, session) }
      }
    }
    #expect(texts(found).first?.contains("was recorded once and has already been played") == true)
  }

  @Test func `an approximate answer of a mock server is reported with its difference`() async throws {
    let found = try await issues {
      try await withMockServer(cassettes: "likeness") { server in
        let session = URLSession(configuration: .ephemeral)
        expect201(try await Self.post(Self.another, to: server.url.absoluteString, session))
      }
    }
    #expect(texts(found).first?.contains("differs from it in body $.id") == true)
  }

  @Test(.cassette("likeness", matching: .body(ignoring: "$.id")))
  func `a difference that the trait's matching ignores is not reported`() async throws {
    expect201(try await Self.post(Self.another, .cassette))
  }

  @Test func `an invalid path in .body(ignoring:) is an error that names the path`() async throws {
    var problem = ""
    do {
      try await withCassette("likeness", matching: .body(ignoring: "id")) { _ in }
    } catch let error as CassetteError {
      problem = error.message
    }
    #expect(
      problem == "matching: \"id\" is not a path such as \"$.items[*].id\": a path begins with \"$\" at character 1")
  }
}
