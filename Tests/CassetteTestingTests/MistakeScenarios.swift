import CassetteTesting
import Foundation
import MockServerTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Tests with the common mistakes, which run only in the processes that `MistakeTests.swift` starts.

/// Sends a request through a session that no cassette answers, to a closed port.
private func sendElsewhere() async throws {
  let session = URLSession(configuration: .ephemeral)
  defer { session.invalidateAndCancel() }
  _ = try await session.data(from: #require(URL(string: "http://127.0.0.1:1/user")))
}

@Suite(.enabled(if: BlameRun.isOn)) struct ClientsWithoutCassette {
  @Test(.cassette("user")) func forgottenSession() async throws { try await sendElsewhere() }

  @Test(.cassette("user")) func otherData() async throws { #expect(Bool(false), "other data") }

  @Test func forgottenInWithCassette() async throws {
    try await withCassette("user") { _ in try await sendElsewhere() }
  }

  @Test(.mockServer("user")) func forgottenServer() async throws { try await sendElsewhere() }

  @Test(.cassette("user", .relaxed)) func withoutRequests() async throws { #expect(Bool(false), "other data") }
}

@Suite(.enabled(if: BlameRun.isOn)) struct ApproximateAnswers {
  @Test(.cassette("likeness"), arguments: [0]) func byDefault(number: Int) async throws { try await Self.ask() }

  @Suite(.strictness(.warns.refusingApproximations)) struct InStrictSuite {
    @Test(.cassette("likeness")) func inherited() async throws { try await ask() }
  }

  private static func ask() async throws {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com/todos")))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"id":"9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22","title":"Milk"}"#.utf8)
    _ = try await URLSession.cassette.data(for: request)
  }
}

@Suite(.enabled(if: BlameRun.isOn)) struct `Tests (with "quotes")` {
  @Test(.cassette("nowhere")) func `a name (in parentheses)`() async throws {}
  @Test func `a name (in parentheses) and more`() async throws {}
}

/// Tests that use a cassette with a syntax error.
@Suite(.enabled(if: BlameRun.isOn), .serialized) struct BrokenCassettes {
  static let folder = ProcessInfo.processInfo.environment["CASSETTE_BLAME_FOLDER"] ?? ""

  @Test(.cassette("broken", in: folder)) func firstBroken() {}
  @Test(.cassette("broken", in: folder)) func secondBroken() {}
}

@Suite(.enabled(if: BlameRun.isOn)) struct UnusedStubs {
  @Test(.stub(.get("/user"), .status(204)), .stub(.get("/never"), .status(204))) func first() async throws {
    try await BlameRun.get("/user", .cassette)
  }

  @Test(.stub(.get("/never"), .status(204))) func second() async throws {
    try await BlameRun.get("/never", .cassette)
  }
}

@Suite(.enabled(if: BlameRun.isOn)) struct DetachedOnTheSharedSession {
  @Test(.cassette("user", session: .shared)) func swallowed() async throws {
    try await BlameRun.get("/user", .shared)
    await Task.detached { await BlameRun.ignoringErrors("/swallowed", .shared) }.value
  }
}

final class FirstMistakes: XCTestCase {
  // Created before `setUp`, when no cassette has begun.
  private let session = BlameRun.isOn ? URLSession.cassette : .shared

  override func setUpWithError() throws {
    guard BlameRun.isOn else { return }
    try beginCassette("user")
  }

  func testMistake() async throws {
    guard BlameRun.isOn else { return }
    try await sendElsewhere()
  }

  func testProperty() async throws {
    guard BlameRun.isOn else { return }
    await BlameRun.ignoringErrors("/user", session)
  }
}

final class SecondMistakes: XCTestCase {
  override func setUpWithError() throws {
    guard BlameRun.isOn else { return }
    try beginCassette("user")
  }

  func testMistake() async throws {
    guard BlameRun.isOn else { return }
    try await BlameRun.get("/second", .cassette)
  }

  func testNowhere() async throws {
    guard BlameRun.isOn else { return }
    try await BlameRun.get("/user", .cassette)
    try await withCassette("nowhere") { _ in }
  }
}
