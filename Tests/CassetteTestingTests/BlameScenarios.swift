import CassetteTesting
import Foundation
import MockServerTesting
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A point that several tests of a process wait for.
actor Meeting {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOver = false

  func wait() async {
    if isOver { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOver = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Tests that run only in a process started by the tests in `BlameTests.swift`.
///
/// Tests named `innocent…` must pass; the others misuse a session.
enum BlameRun {
  static let isOn = ProcessInfo.processInfo.environment["CASSETTE_BLAME"] != nil

  static func get(_ path: String, _ session: URLSession) async throws {
    _ = try await session.data(from: #require(URL(string: "https://api.example.com\(path)")))
  }

  static func ignoringErrors(_ path: String, _ session: URLSession) async { _ = try? await get(path, session) }
}

/// A client that is created once, with the session of the first test that uses it.
final class GlobalClient: @unchecked Sendable {
  // `@unchecked Sendable`: the meetings of the tests order all accesses.
  var session: URLSession?
}

@Suite(.enabled(if: BlameRun.isOn)) struct LeakedWhileRunning {
  private static let client = GlobalClient()
  private static let isMade = Meeting()
  private static let isUsed = Meeting()

  @Test(.cassette("user", .relaxed)) func owner1() async throws {
    Self.client.session = .cassette
    try await BlameRun.get("/user", .cassette)
    await Self.isMade.open()
    await Self.isUsed.wait()
  }

  @Test(.stub(.get("/mine"), .status(204))) func guest1() async throws {
    await Self.isMade.wait()
    if let session = Self.client.session { await BlameRun.ignoringErrors("/missing", session) }
    await Self.isUsed.open()
    try await BlameRun.get("/mine", .cassette)
  }

  @Test(.stub(.get("/user"), .status(204))) func innocent1() async throws {
    await Self.isMade.wait()
    try await BlameRun.get("/user", .cassette)
    await Self.isUsed.wait()
  }
}

@Suite(.enabled(if: BlameRun.isOn), .serialized) struct LeakedAfterTheEnd {
  private static let client = GlobalClient()

  @Test(.stub(.get("/user"), .status(204))) func owner2() async throws {
    let session = URLSession.cassette
    Self.client.session = session
    try await BlameRun.get("/user", session)
  }

  @Test(.stub(.get("/user"), .status(204))) func innocent2() async throws {
    if let session = Self.client.session { await BlameRun.ignoringErrors("/user", session) }
    try await BlameRun.get("/user", .cassette)
  }
}

@Suite(.enabled(if: BlameRun.isOn)) struct LateAndDetached {
  private static let isOver = Meeting()
  private static let isDone = Meeting()

  @Test func owner3() async throws {
    let session = try await withCassette("user", .strict) { session in
      try await BlameRun.get("/user", session)
      return session
    }
    await Task.detached { await BlameRun.ignoringErrors("/user", session) }.value
    await Self.isOver.open()
    await Self.isDone.wait()
  }

  @Test(.stub(.get("/user"), .status(204))) func innocent3() async throws {
    await Self.isOver.wait()
    try await BlameRun.get("/user", .cassette)
    await Self.isDone.open()
  }
}

@Suite(.enabled(if: BlameRun.isOn)) struct SharedAndDetached {
  @Test(.stub(.get("/user"), .status(204), session: .shared)) func innocent4() async throws {
    try await BlameRun.get("/user", .shared)
  }

  @Test(.stub(.get("/user"), .status(204), session: .shared), .stub(.get("/own"), .status(204)))
  func innocent5() async throws {
    await Task.detached { await BlameRun.ignoringErrors("/user", .shared) }.value
    try await BlameRun.get("/own", .shared)
    try await BlameRun.get("/user", .cassette)
  }
}

@Suite(.enabled(if: ProcessInfo.processInfo.environment["CASSETTE_BLAME"] == "network")) struct DeniedNetwork {
  private static let isDenied = Meeting()
  private static let isAsked = Meeting()

  @Test(.noNetwork) func innocent6() async throws {
    await Self.isDenied.open()
    await Self.isAsked.wait()
  }

  @Test func guest6() async throws {
    await Self.isDenied.wait()
    await Task.detached {
      let session = URLSession(configuration: .ephemeral)
      _ = try? await session.data(from: URL(string: "http://203.0.113.9/asked") ?? URL(filePath: "/"))
    }.value
    await Self.isAsked.open()
  }
}

@Suite(.enabled(if: ProcessInfo.processInfo.environment["CASSETTE_BLAME"] == "shared")) struct DeniedBesideAGuest {
  private static let isDenied = Meeting()
  private static let isAsked = Meeting()

  @Test(.noNetwork, .stub(.get("/user"), .status(204))) func innocent15() async throws {
    await Self.isDenied.open()
    await Self.isAsked.wait()
    try await BlameRun.get("/user", .cassette)
  }

  @Test func owner15() async throws {
    await Self.isDenied.wait()
    await BlameRun.ignoringErrors("/asked", .shared)
    await BlameRun.ignoringErrors("/asked", .shared)
    await Self.isAsked.open()
  }
}

@Suite(.enabled(if: BlameRun.isOn)) struct UnplayedInTheRun {
  @Test(.cassette("pair")) func innocent7() async throws { try await BlameRun.get("/first", .cassette) }

  @Test(.cassette("pair"), arguments: 0..<20) func innocent8(number: Int) async throws {
    try await BlameRun.get("/first", .cassette)
  }

  @Test(.cassette("likeness", .relaxed)) func idle9() async throws {}

  @Test(.cassette("likeness")) func unused9() async throws {}

  @Test(.mockServer("user")) func unused10() async throws {}
}
