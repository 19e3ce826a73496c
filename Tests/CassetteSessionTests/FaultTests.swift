import CassetteHTTP
import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Faults of CassettePlayer` {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func player(_ faults: CassetteFault..., stubs: CassetteStub...) -> CassettePlayer {
    var recordings: [Interaction] = [.made(.get, "/user", body: "0123456789"), .made(.get, "/other")]
    recordings[0].id = "get-user"
    recordings[1].id = "get-other"
    let player = CassettePlayer([Cassette(name: "test", interactions: recordings)])
    player.add(stubs)
    player.inject(faults)
    return player
  }

  @Test func `the requests of a player list the applied faults in their spelling`() async throws {
    let player = player(.status(429, first: 1), .truncate(after: 1, first: 1))
    let session = player.session()
    _ = try await session.data(from: url)
    await #expect(throws: URLError.self) { try await session.data(from: url) }
    _ = try await session.data(from: url)
    #expect(
      player.ledger.requests.map(\.answer) == [
        "fault .status(429, first: 1)", "test/get-user with .truncate(after: 1, first: 1)", "test/get-user",
      ])
  }

  @Test func `a truncating fault applies to the answer of a stub's closure`() async throws {
    let player = player(
      .truncate(after: 2), stubs: CassetteStub(.get("/user"), .answering { _ in .text("made") }))
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.code == .networkConnectionLost)
  }

  @Test func `a delegate receives a throttled body in pieces until it is truncated`() async throws {
    let player = player(.throttle(bytesPerSecond: 100), .truncate(after: 7))
    let pieces = Pieces()
    let session = player.session(delegate: pieces)
    session.dataTask(with: url).resume()
    #expect(await pieces.end()?.code == .networkConnectionLost)
    #expect(pieces.received == ["01234", "56"])
  }

  @Test func `a latency with a stub's delay ends as timedOut at the request's time-out`() async {
    let player = player(.latency(.seconds(30)), stubs: CassetteStub(.get("/user"), .text("late").delay(.seconds(30))))
    var request = URLRequest(url: url)
    request.timeoutInterval = 0.05
    let error = await #expect(throws: URLError.self) { try await player.session().data(for: request) }
    #expect(error?.code == .timedOut)
  }

  @Test func `a delayed request can be cancelled`() async {
    let session = player(.latency(.seconds(86_400))).session()
    let task = session.dataTask(with: url)
    let error = await withCheckedContinuation { continuation in
      let waiting = session.dataTask(with: url) { _, _, error in continuation.resume(returning: error) }
      waiting.resume()
      waiting.cancel()
    }
    task.cancel()
    #expect((error as? URLError)?.code == .cancelled)
  }

  @Test func `sequential requests in another order than recorded are reported`() async throws {
    let player = player()
    let session = player.session()
    let other = try #require(URL(string: "https://api.example.com/other"))
    _ = try await session.data(from: other)
    #expect(player.ledger.outOfOrder.isEmpty)
    _ = try await session.data(from: url)
    #expect(player.ledger.outOfOrder.count == 1)
    #expect(player.ledger.outOfOrder.first?.hasPrefix("GET /other — \"get-other\" of \"test\"") == true)
  }

  @Test func `concurrent requests in another order than recorded are not reported`() async throws {
    let player = player(.latency(.seconds(86_400), on: "/other"))
    let session = player.session()
    var other = URLRequest(url: try #require(URL(string: "https://api.example.com/other")))
    // A busy machine may need longer than the default time-out of a minute.
    other.timeoutInterval = 86_400
    let waiting = session.dataTask(with: other) { _, _, _ in }
    waiting.resume()
    while player.ledger.count == 0 { await Task.yield() }
    _ = try await session.data(from: url)
    waiting.cancel()
    #expect(player.ledger.requests.map(\.answer) == ["test/get-other", "test/get-user"])
    #expect(player.ledger.outOfOrder.isEmpty)
  }

  @Test func `stubs requested in any order are not reported`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/other"), .status(200)), CassetteStub(.get("/user"), .status(200))])
    let session = player.session()
    for path in ["/user", "/other"] {
      _ = try await session.data(from: try #require(URL(string: "https://api.example.com\(path)")))
    }
    #expect(player.ledger.outOfOrder.isEmpty)
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `a request after the end is reported with masked secrets`() async throws {
    let heard = Locked<[String]>([])
    let player = player()
    let session = player.session()
    player.end("was sent too late") { message, _ in heard.withLock { $0.append(message) } }
    let late = try #require(URL(string: "https://api.example.com/user?token=abc"))
    await #expect(throws: URLError.self) { try await session.data(from: late) }
    #expect(
      heard.withLock { $0 } == [
        "GET https://api.example.com/user?token={{secret}} was sent too late: it cannot be answered"
      ])
  }
}

/// A delegate that collects the chunks and the error of a task.
private final class Pieces: NSObject, URLSessionDataDelegate, Sendable {
  private let pieces = Locked<[String]>([])
  private let (stream, signal) = AsyncStream.makeStream(of: URLError?.self)

  var received: [String] { pieces.withLock { $0 } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    pieces.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    signal.yield(error as? URLError)
  }

  func end() async -> URLError? {
    for await error in stream { return error }
    return nil
  }
}
