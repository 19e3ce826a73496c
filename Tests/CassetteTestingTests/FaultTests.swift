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

@Suite struct `Faults over a cassette` {
  @Test(.cassette("user", .strict, with: .latency(.recorded), .latency(.milliseconds(1)), .status(429, first: 2)))
  func `stand in for answers, and leave the recordings`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session), status(session)] == [429, 429, 200])
  }

  @Test(.cassette("user", with: .timeout(on: "/user")))
  func `time out at once`() async {
    #expect(await status(.cassette) == URLError.timedOut.rawValue)
  }

  @Test(.cassette("user", with: .reset))
  func `break the connection`() async {
    #expect(await status(.cassette) == URLError.networkConnectionLost.rawValue)
  }

  @Test(.cassette("user", with: .truncate(on: "/user"), .throttle(bytesPerSecond: 10_000)))
  func `cut a body`() async {
    #expect(await status(.cassette) == URLError.networkConnectionLost.rawValue)
  }

  @Test(.stub(.get("/user"), .json(["login": "kean"])), .faults(.status(503, first: 1)))
  func `lie over stubs as well`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session)] == [503, 200])
  }

  @Test func `are told with withCassette`() async throws {
    try await withCassette("user", .strict, with: .status(503, first: 1)) { session in
      #expect(await [status(session), status(session)] == [503, 200])
    }
  }

  @Test(.mockServer("user", strictness: .strict, with: .status(503, first: 1)))
  func `are told with a server's trait`() async throws {
    let server = try #require(TestMockServer.current)
    let session = URLSession(configuration: .ephemeral)
    #expect(await [status(session, server.url), status(session, server.url)] == [503, 200])
  }

  @Test func `are told with withMockServer`() async throws {
    try await withMockServer(cassettes: "user", strictness: .strict, with: .reset(first: 1)) { server in
      let session = URLSession(configuration: .ephemeral)
      let lost = URLError.networkConnectionLost.rawValue
      #expect(await [status(session, server.url), status(session, server.url)] == [lost, 200])
    }
  }
}

@Suite(.cassette("user")) struct `A suite with a cassette and a test with faults` {
  @Test(.faults(.status(503, first: 1))) func `has them over the suite's cassette`() async {
    let session = URLSession.cassette
    #expect(await [status(session), status(session)] == [503, 200])
  }

  @Test func `has none in the next test`() async {
    #expect(await status(.cassette) == 200)
  }
}
