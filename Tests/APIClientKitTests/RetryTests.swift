import APIClientKit
import CassetteSystem
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Retries` {
  /// Sends a request to a stub with a sequence of answers, and returns the number of attempts, the waits and the error.
  private func statuses(
    of request: Request<Void>, _ answers: [CassetteStub.Answer], _ retry: Retry
  ) async throws -> (sent: Int, waits: [Duration], error: Thrown?) {
    let sent = Locked(0)
    let waits = Locked<[Duration]>([])
    var retry = retry
    retry.sleep = { wait in waits.withLock { $0.append(wait) } }
    let stub = CassetteStub(
      .any("/orders"),
      .answering { _ in
        sent.withLock {
          $0 += 1
          return answers[min($0, answers.count) - 1]
        }
      })
    let error = Locked<Thrown?>(nil)
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let client = APIClient(host: "api.example.com") {
        $0.session = .cassette
        $0.retry = retry
      }
      do { try await client.send(request) } catch let thrown { error.withLock { $0 = Thrown(error: thrown) } }
    }
    return (sent.withLock { $0 }, waits.withLock { $0 }, error.withLock { $0 })
  }

  @Test func `a failing request is retried until it succeeds`() async throws {
    let (sent, waits, error) = try await statuses(
      of: .get("/orders"), [.status(503), .failing(.networkConnectionLost), .status(200)], .times(3))
    #expect(sent == 3 && waits == [.zero, .zero] && error == nil)
  }

  @Test func `a request that keeps failing throws the last error after the maximum number of attempts`() async throws {
    let (sent, _, error) = try await statuses(
      of: .get("/orders"), [.status(503), .status(500), .status(502)], .times(3))
    #expect(sent == 3 && error?.status == 502)
  }

  @Test(arguments: [
    (Request<Void>.get("/orders"), 404), (.post("/orders"), 500), (.patch("/orders"), 503),
  ]) func `a client error or an unsafe method is not retried`(row: (request: Request<Void>, status: Int)) async throws {
    let (sent, _, error) = try await statuses(of: row.request, [.status(row.status)], .times(3))
    #expect(sent == 1 && error?.status == row.status)
  }

  @Test(arguments: ["GET", "POST"] as [HTTPMethod])
  func `a retry waits for the seconds in Retry-After`(method: HTTPMethod) async throws {
    let (sent, waits, error) = try await statuses(
      of: Request(path: "/orders", method: method), [.status(429, headers: ["Retry-After": "7"]), .status(200)],
      .times(2))
    #expect(sent == 2 && waits == [.seconds(7)] && error == nil)
  }

  @Test(arguments: ["600", "Sat, 22 Nov 2126 08:00:00 GMT"])
  func `a request is not retried if Retry-After exceeds the limit`(field: String) async throws {
    let (sent, _, error) = try await statuses(
      of: .get("/orders"), [.status(503, headers: ["Retry-After": field])], .times(2))
    #expect(sent == 1 && error?.status == 503)
  }

  @Test(.stub(.get("/orders"), .status(503)))
  func `cancelling a task that waits for a retry throws cancelled`() async throws {
    let (sleeps, sleep) = AsyncStream.makeStream(of: Void.self)
    let client = APIClient(host: "api.example.com") {
      $0.session = .cassette
      $0.retry = .times(2)
      $0.retry?.sleep = { _ in
        sleep.yield()
        try await Task.sleep(for: .seconds(86_400))
      }
    }
    let task = Task { try await client.send(.get("/orders")) }
    for await _ in sleeps { break }
    task.cancel()
    #expect(await thrown { try await task.value }?.code == .cancelled)
  }

  @Test func `backoff doubles the delay of each attempt up to the limit`() {
    let retry = Retry.backoff(attempts: 9, first: .seconds(1), limit: .seconds(6))
    for (attempt, most) in [(1, 1), (2, 2), (3, 4), (4, 6), (60, 6)] {
      let delay = retry.delay(attempt)
      #expect(delay <= .seconds(most) && delay >= .seconds(most) / 2)
    }
  }

  @Test func `a retry repeats a throwing closure`() async throws {
    let count = Locked(0)
    let answer = try await Retry.times(3) {
      if count.withLock({
        $0 += 1
        return $0
      }) < 3 {
        throw URLError(.timedOut)
      }
      return "fine"
    }
    #expect(answer == "fine" && count.withLock { $0 } == 3)
  }
}
