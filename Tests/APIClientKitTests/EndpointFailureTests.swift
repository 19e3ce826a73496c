import APIClientKit
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Endpoint failures` {
  /// Returns an endpoint for an order at any path.
  private func order(_ path: String, _ change: (inout Request<Data>) -> Void = { _ in }) -> Endpoint<Guest, Order> {
    var request = Request<Data>.get(path)
    // Only the request without a response has a short time-out, because a busy machine answers late.
    request.timeout = .seconds(path == "/orders/slow" ? 1 : 600)
    change(&request)
    return Endpoint(request)
  }

  /// The kind of an endpoint's error.
  enum Kind: Sendable { case status, decoding, transport }

  @Test(
    arguments: Player.allCases,
    [
      ("/orders/limited", Int?(403), Kind.status), ("/orders/missing", 404, .status), ("/orders/html", 502, .status),
      ("/orders/bad", 200, .decoding), ("/orders/truncated", 200, .transport), ("/orders/slow", Int?.none, .transport),
      ("/orders/reset", Int?.none, .transport),
    ])
  func `an endpoint's error has the status and the type of the failure`(
    player: Player, row: (path: String, status: Int?, kind: Kind)
  ) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let error = await thrown { try await Client(api).send(order(row.path)) }
      #expect(error?.status == row.status)
      switch error?.error {
      case is APIError: #expect(row.kind == .status)
      case is DecodingError: #expect(row.kind == .decoding)
      case is URLError: #expect(row.kind == .transport)
      default: #expect(Bool(false), "\(error)")
      }
    }
  }

  @Test(arguments: Player.allCases)
  func `status 422 throws an error with the server's message`(player: Player) async throws {
    try await player.play { api async throws in
      let refused = Endpoint<Guest, Order>(.post("/orders/invalid"))
      let error = await #expect(throws: APIError.self) { try await Client(api).send(refused) }
      #expect(error?.status == 422 && error?.message == "Validation failed")
    }
  }

  @Test(arguments: Player.allCases) func `an error thrown by map is thrown by send`(player: Player) async throws {
    struct Unwelcome: Error {}
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let endpoint = order("/orders/1").map { _ -> Int in throw Unwelcome() }
      await #expect(throws: Unwelcome.self) { try await Client(api).send(endpoint) }
    }
  }

  /// Retries once after status 500.
  private struct Retrying: RetryDelegate {
    func client(
      _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool { attempts == 1 && (error as? APIError)?.status == 500 }
  }

  @Test(arguments: Player.allCases)
  func `an endpoint is retried by a delegate after status 500`(player: Player) async throws {
    try await player.play("api", .with { $0.delegate = Retrying() }) { api async throws in
      let flaky = Endpoint<Guest, String>(.get("/orders/flaky")) { data, _ in String(decoding: data, as: UTF8.self) }
      #expect(try await Client(api).send(flaky) == "fine")
    }
  }

  @Test(arguments: Player.allCases)
  func `an endpoint is sent again with a fresh token after status 401`(player: Player) async throws {
    let tokens = Tokens { _ in Token(access: "new") }
    try await player.play("api", .with { $0.tokens = tokens }) { api async throws in
      let customer = await Client(api).signedIn(with: Token(access: "old"))
      let me = Endpoint<Customer, String>(.get("/me")) { data, _ in String(decoding: data, as: UTF8.self) }
      #expect(try await customer.send(me) == "kean")
      #expect(await tokens.current?.access == "new")
    }
  }

  @Test(arguments: Player.allCases)
  func `a redirected endpoint returns the value of the new location`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      #expect(try await Client(api).send(order("/orders/latest")).id == 1)
    }
  }

  @Test(arguments: Player.allCases)
  func `a revalidated endpoint returns the cached value after status 304`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let kept = order("/orders/1") { $0.cache = .revalidate }
      let first = try await Client(api).send(kept)
      #expect(try await Client(api).send(kept) == first)
    }
  }

  @Test(arguments: Player.allCases)
  func `cancelling the task of an endpoint throws cancelled`(player: Player) async throws {
    try await player.play { api async throws in
      let (sendings, sending) = AsyncStream.makeStream(of: Void.self)
      let endless = Endpoint<Guest, Data>(.get("/orders/endless")) { data, _ in data }
      let task = Task {
        sending.yield()
        return try await Client(api).send(endless)
      }
      for await _ in sendings { break }
      task.cancel()
      #expect(await thrown { try await task.value }?.code == .cancelled)
    }
  }
}
