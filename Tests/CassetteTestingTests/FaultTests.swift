import CassetteTesting
import Foundation
import MockServerTesting
import Testing

@testable import CassetteSession
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Returns the status of `GET /user`, or the code of the error.
private func status(_ session: URLSession, _ base: URL? = URL(string: "https://api.example.com")) async -> Int {
  guard let url = URL(string: "/user", relativeTo: base) else { return 0 }
  do {
    let (_, response) = try await session.data(from: url)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  } catch {
    return (error as? URLError)?.code.rawValue ?? 0
  }
}

@Suite struct `Faults of a test` {
  @Test(.cassette("user", .strict, with: .latency(.recorded), .latency(.milliseconds(1)), .status(429, first: 2)))
  func `an answer by a fault leaves the recording for the next request`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session), status(session)] == [429, 429, 200])
  }

  @Test(.cassette("user", with: .timeout(on: "/user")))
  func `a request with .timeout fails at once with timedOut`() async {
    #expect(await status(.cassette) == URLError.timedOut.rawValue)
  }

  @Test(.cassette("user", with: .reset))
  func `a request with .reset fails with networkConnectionLost`() async {
    #expect(await status(.cassette) == URLError.networkConnectionLost.rawValue)
  }

  @Test(.cassette("user", with: .truncate(on: "/user"), .throttle(bytesPerSecond: 10_000)))
  func `a request with .truncate fails with networkConnectionLost`() async {
    #expect(await status(.cassette) == URLError.networkConnectionLost.rawValue)
  }

  @Test(.stub(.get("/user"), .json(["login": "kean"])), .faults(.status(503, first: 1)))
  func `a fault with first: 1 replaces the first answer of a stub`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session)] == [503, 200])
  }

  @Test func `a fault of withCassette replaces the first answer of its cassette`() async throws {
    try await withCassette("user", .strict, with: .status(503, first: 1)) { session in
      #expect(await [status(session), status(session)] == [503, 200])
    }
  }

  @Test(.mockServer("user", strictness: .strict, with: .status(503, first: 1)))
  func `a fault of .mockServer replaces the first answer of the server`() async throws {
    let server = try #require(TestMockServer.current)
    let session = URLSession(configuration: .ephemeral)
    #expect(await [status(session, server.url), status(session, server.url)] == [503, 200])
  }

  @Test func `a fault of withMockServer breaks the first connection to the server`() async throws {
    try await withMockServer(cassettes: "user", strictness: .strict, with: .reset(first: 1)) { server in
      let session = URLSession(configuration: .ephemeral)
      let lost = URLError.networkConnectionLost.rawValue
      #expect(await [status(session, server.url), status(session, server.url)] == [lost, 200])
    }
  }
}

@Suite(.cassette("user")) struct `Faults of a test in a suite with a cassette` {
  @Test(.faults(.status(503, first: 1))) func `the faults of a test apply to the cassette of its suite`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session)] == [503, 200])
  }

  @Test func `the faults of a test do not apply to another test of its suite`() async {
    #expect(await status(.cassette) == 200)
  }
}
