import CassetteTesting
import Foundation
import MockServerTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// More tests for the processes that `BlameTests.swift` starts, named as in `BlameScenarios.swift`.

/// A request that waits at a gate while its test ends.
@Suite(.enabled(if: BlameRun.isOn), .serialized) struct HeldAtTheEnd {
  private static let gate = CassetteGate()
  private static let isAnswered = Meeting()

  @Test(.stub(.get("/user"), .status(204).held(by: gate))) func innocent6a() async throws {
    let session = URLSession.cassette
    Task.detached {
      await BlameRun.ignoringErrors("/user", session)
      await Self.isAnswered.open()
    }
    await Self.gate.reached()
  }

  @Test(.stub(.get("/user"), .status(204))) func innocent6b() async throws {
    await Self.gate.release()
    await Self.isAnswered.wait()
    try await BlameRun.get("/user", .cassette)
  }
}

/// A detached task that continues to poll during the later tests of a serialized suite.
@Suite(.enabled(if: BlameRun.isOn), .serialized) struct PollingOn {
  private static let isOver = Meeting()
  private static let hasPolled = Meeting()

  @Test(.stub(.get("/poll"), .status(204), strictness: .strict)) func owner7() async throws {
    let session = URLSession.cassette
    try await BlameRun.get("/poll", session)
    Task.detached {
      await Self.isOver.wait()
      for _ in 0..<20 { await BlameRun.ignoringErrors("/poll", session) }
      await Self.hasPolled.open()
    }
  }

  @Test(.stub(.get("/poll"), .status(204))) func innocent7a() async throws {
    await Self.isOver.open()
    try await BlameRun.get("/poll", .cassette)
  }

  @Test(.stub(.get("/poll"), .status(204))) func innocent7b() async throws {
    await Self.hasPolled.wait()
    try await BlameRun.get("/poll", .cassette)
  }
}

/// A client that one case of a parameterized test leaves to another.
@Suite(.enabled(if: BlameRun.isOn)) struct OneOfTheCases {
  private static let client = GlobalClient()
  private static let isMade = Meeting()
  private static let isUsed = Meeting()

  @Test(.stub(.get("/user").anyQuery, .status(204)), arguments: 0..<8) func owner8(number: Int) async throws {
    if number == 0 {
      Self.client.session = .cassette
      await Self.isMade.open()
      await Self.isUsed.wait()
    }
    if number == 1 {
      await Self.isMade.wait()
      if let session = Self.client.session { await BlameRun.ignoringErrors("/user?case=1", session) }
      await Self.isUsed.open()
    }
    try await BlameRun.get("/user?case=\(number)", .cassette)
  }
}

/// A client that a suite creates in its initializer, which runs for each test.
@Suite(.enabled(if: BlameRun.isOn), .stub(.get("/user"), .status(204))) struct MadeInInit {
  private let session: URLSession

  init() { session = URLSession(configuration: .cassette) }

  @Test func innocent9a() async throws { try await BlameRun.get("/user", session) }
  @Test func innocent9b() async throws { try await BlameRun.get("/user", session) }
  @Test(arguments: 0..<4) func innocent9c(number: Int) async throws { try await BlameRun.get("/user", session) }
}

/// A client that a test without a cassette creates.
@Suite(.enabled(if: BlameRun.isOn)) struct MadeWithoutCassette {
  private static let client = GlobalClient()
  private static let isMade = Meeting()

  @Test func innocent10a() async throws {
    Self.client.session = .cassette
    await Self.isMade.open()
  }

  @Test(.stub(.get("/user"), .status(204))) func owner10() async throws {
    await Self.isMade.wait()
    if let session = Self.client.session { await BlameRun.ignoringErrors("/user", session) }
  }

  @Test(.stub(.get("/user"), .status(204))) func innocent10b() async throws {
    await Self.isMade.wait()
    try await BlameRun.get("/user", .cassette)
  }
}

/// A session of a test's configuration that two other tests use at the same time.
@Suite(.enabled(if: BlameRun.isOn)) struct OneSessionForAll {
  private static let client = GlobalClient()
  private static let isMade = Meeting()
  private static let (isUsed, isUsedAgain) = (Meeting(), Meeting())

  @Test(.stub(.get("/user"), .status(204))) func owner11() async throws {
    let session = URLSession(configuration: .cassette)
    Self.client.session = session
    try await BlameRun.get("/user", session)
    await Self.isMade.open()
    await Self.isUsed.wait()
    await Self.isUsedAgain.wait()
  }

  @Test(.stub(.get("/user"), .status(204))) func guest11a() async throws {
    try await use()
    await Self.isUsed.open()
  }

  @Test(.stub(.get("/user"), .status(204))) func guest11b() async throws {
    try await use()
    await Self.isUsedAgain.open()
  }

  private func use() async throws {
    await Self.isMade.wait()
    if let session = Self.client.session {
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await BlameRun.ignoringErrors("/user", session) } }
      }
    }
    try await BlameRun.get("/user", .cassette)
  }
}

/// A delegate that sends another request when the first one ends, which is after the end of the test.
@Suite(.enabled(if: BlameRun.isOn), .serialized) struct DelegateAfterTheEnd {
  private final class Follower: NSObject, URLSessionDataDelegate {
    let isDone = Meeting()

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let url = URL(string: "https://api.example.com/next"), task.originalRequest?.url != url else {
        Task { [isDone] in await isDone.open() }
        return
      }
      session.dataTask(with: url).resume()
    }
  }

  private static let gate = CassetteGate()
  private static let follower = Follower()

  @Test(.stub(.get("/user"), .status(204).held(by: gate), strictness: .strict)) func owner12() async throws {
    let session = URLSession(configuration: .cassette, delegate: Self.follower, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: "https://api.example.com/user"))).resume()
    await Self.gate.reached()
  }

  @Test(.stub(.get("/next"), .status(204))) func innocent12() async throws {
    await Self.gate.release()
    await Self.follower.isDone.wait()
    try await BlameRun.get("/next", .cassette)
  }
}

/// The URL of a test's mock server that another test uses, while the server runs and after it has stopped.
@Suite(.enabled(if: BlameRun.isOn)) struct ForeignServer {
  private static let address = GlobalClient.Address()
  private static let (isStarted, isUsed, isStopped) = (Meeting(), Meeting(), Meeting())

  @Test func owner13() async throws {
    try await withMockServer(stubs: [CassetteStub(.get("/mine"), .status(204))]) { server in
      Self.address.url = server.url
      try await ask("/mine", server.url)
      await Self.isStarted.open()
      await Self.isUsed.wait()
    }
    await Self.isStopped.open()
  }

  @Test(.stub(.get("/user"), .status(204))) func guest13() async throws {
    await Self.isStarted.wait()
    let url = try #require(Self.address.url)
    try? await ask("/theirs", url)
    await Self.isUsed.open()
    await Self.isStopped.wait()
    await #expect(throws: URLError.self) { try await ask("/mine", url) }
    try await BlameRun.get("/user", .cassette)
  }

  @Test(.mockServer(stubs: [CassetteStub(.get("/mine"), .status(204))])) func innocent13() async throws {
    await Self.isStarted.wait()
    try await ask("/mine", try #require(TestMockServer.current).url)
    await Self.isUsed.wait()
  }

  private func ask(_ path: String, _ url: URL) async throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: url.appending(path: path))
  }
}

extension GlobalClient {
  /// An address that several tests use.
  final class Address: @unchecked Sendable {
    // `@unchecked Sendable`: the meetings of the tests order all accesses.
    var url: URL?
  }
}

/// A test that plays a cassette within its own cassette, and sends requests of child tasks through both sessions.
@Suite(.enabled(if: BlameRun.isOn)) struct NestedSessions {
  @Test(.stub(.get("/outer"), .status(204)), arguments: 0..<4) func innocent14(number: Int) async throws {
    let outer = URLSession.cassette
    try await withCassette(stubs: [CassetteStub(.get("/inner"), .status(204))]) { inner in
      try await withThrowingTaskGroup { group in
        for _ in 0..<5 {
          group.addTask { try await BlameRun.get("/inner", inner) }
          group.addTask { try await BlameRun.get("/outer", outer) }
        }
        try await group.waitForAll()
      }
    }
    try await BlameRun.get("/outer", outer)
  }
}

/// A session that a test of XCTest keeps for the next test.
final class LeakedBetweenXCTests: XCTestCase {
  private static let client = GlobalClient()

  func test1Owner16() async throws {
    guard BlameRun.isOn else { return }
    try beginCassette(stubs: [CassetteStub(.get("/user"), .status(204))])
    Self.client.session = .cassette
    try await BlameRun.get("/user", .cassette)
  }

  func test2Innocent16() async throws {
    guard BlameRun.isOn else { return }
    try beginCassette(stubs: [CassetteStub(.get("/user"), .status(204))])
    if let session = Self.client.session { await BlameRun.ignoringErrors("/user", session) }
    try await BlameRun.get("/user", .cassette)
  }
}
