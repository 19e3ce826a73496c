import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Failed requests` {
  /// Sends a request and returns its error.
  private func failure<Value: Decodable>(of request: Request<Value>, _ client: APIClient) async -> Thrown? {
    await thrown { try await client.send(request) }
  }

  @Test(arguments: Player.allCases)
  func `a decoding error has the status and the data of the response`(player: Player) async throws {
    try await player.play { client in
      let error = await failure(of: Request<Order>.get("/orders/bad"), client)
      #expect(error?.error is DecodingError)
      #expect(error?.status == 200)
      #expect(error?.data == Data(#"{"id": 1, "placed_at": "#.utf8))
    }
  }

  @Test(arguments: Player.allCases)
  func `an error response that is not JSON has a status and no message`(player: Player) async throws {
    try await player.play { client in
      let error = await failure(of: Request<Order>.get("/orders/html"), client)
      #expect(error?.status == 502)
      #expect(error?.message == nil)
    }
  }

  @Test(arguments: Player.allCases)
  func `an error response has the server's message and header fields`(player: Player) async throws {
    try await player.play { client in
      let limited = await failure(of: Request<Order>.get("/orders/limited"), client)
      #expect(limited?.status == 403)
      #expect(limited?.message == "API rate limit exceeded")
      #expect(limited?.header("retry-after") == "60")
      let missing = await failure(of: Request<Order>.get("/orders/missing"), client)
      #expect(missing?.status == 404)
      #expect(missing?.message == "There is no order \"missing\"")
      #expect(missing?.curl?.contains("/orders/missing'") == true)
    }
  }

  @Test(arguments: Player.allCases)
  func `status 401 with a challenge throws an error with the server's message`(player: Player) async throws {
    try await player.play { client in
      let error = await failure(of: Request<Order>.get("/vault"), client)
      #expect(error?.status == 401)
      #expect(error?.message == "Who are you?")
    }
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: Player.allCases)
    func `a redirect of a POST request with status 307 throws an error`(player: Player) async throws {
      try await player.play { client in
        let error = await failure(of: Request<Order>.post("/orders/moved", body: NewOrder(lineItems: [])), client)
        #expect(error?.status == 307)
        #expect(error?.header("Location")?.hasSuffix("/orders") == true)
      }
    }
  #endif

  @Test(arguments: Player.allCases)
  func `status 422 throws an error whose body is decoded`(player: Player) async throws {
    struct Invalid: Decodable {
      let fields: [String: String]
    }
    try await player.play { client in
      let error = await failure(of: Request<Order>.post("/orders/invalid"), client)
      #expect(error?.status == 422)
      #expect(error?.message == "Validation failed")
      #expect(error?.body(as: Invalid.self)?.fields == ["line_items": "is empty"])
    }
  }

  /// Retries until a number of attempts is reached.
  private struct Retrying: RetryDelegate {
    let attempts: Int
    func client(
      _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool { attempts < self.attempts }
  }

  @Test(arguments: Player.allCases)
  func `a request is retried if the delegate returns true`(player: Player) async throws {
    try await player.play("api", .with { $0.delegate = Retrying(attempts: 2) }) { client in
      let text: String = try await client.value(for: .get("/orders/flaky"))
      #expect(text == "fine")
    }
  }

  @Test(arguments: Player.allCases)
  func `a request is retried at most as often as the delegate allows`(player: Player) async throws {
    let count = Locked(0)
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.delegate = Retrying(attempts: 3)
      configuration.observe = { _ in count.withLock { $0 += 1 } }
    }
    try await player.play("api", .with(configure)) { client in
      #expect(await failure(of: Request<Order>.get("/orders/missing"), client)?.status == 404)
    }
    #expect(count.withLock { $0 } == 3)
  }

  @Test(
    arguments: Player.allCases, [("/orders/slow", [URLError.timedOut]), ("/orders/reset", [.networkConnectionLost])])
  func `a failed connection throws the URL error's code and the path`(
    player: Player, row: (path: String, codes: [URLError.Code])
  ) async throws {
    try await player.play { client in
      var request = Request<Order>.get(row.path)
      // Only the request without a response has a short time-out, because a busy machine answers late.
      request.timeout = .seconds(row.path == "/orders/slow" ? 1 : 600)
      let error = await failure(of: request, client)
      let code = try #require(error?.code, "\(error)")
      #expect(row.codes.contains(code))
      #expect(error?.error.localizedDescription.contains(row.path) == true)
      #expect(error?.status == nil)
    }
  }

  @Test(.stub(.get("/search?access_token=hush"), .failing(.timedOut)))
  func `the error of a failed connection masks secrets in its URL`() async throws {
    let seen = Locked<[String]>([])
    let client = APIClient(baseURL: URL(string: "https://api.example.com")) {
      $0.session = .cassette
      $0.observe = { exchange in seen.withLock { $0.append("\(exchange)") } }
    }
    let request = Request<Data>.get("/search", query: [("access_token", "hush")])
    let error = try #require(await failure(of: request, client))
    for text in seen.withLock({ $0 }) + ["\(error)"] {
      #expect(text.contains("access_token=***") && !text.contains("hush"))
    }
  }

  @Test(arguments: Player.allCases)
  func `a truncated response throws an error with the received data`(player: Player) async throws {
    try await player.play { client in
      let error = await failure(of: Request<Order>.get("/orders/truncated"), client)
      #expect(error?.code != nil, "\(error)")
      #expect(error?.status == 200)
      #expect(error?.data == Data(#"{"id": 1, "#.utf8))
    }
  }

  @Test(arguments: Player.allCases)
  func `cancelling the task of a download throws cancelled`(player: Player) async throws {
    try await player.play { client in
      let file = FileManager.default.temporaryDirectory.appending(path: "cancel-\(UUID())")
      let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await client.download(for: Request<Data>.get("/orders/endless"), to: file) { _ in arrival.yield() }
      }
      for await _ in arrived { break }
      task.cancel()
      #expect(await thrown { try await task.value }?.code == .cancelled)
      try? FileManager.default.removeItem(at: file.appendingPathExtension("part"))
    }
  }

  @Test(arguments: Player.allCases) func `a request in a cancelled task throws cancelled`(player: Player) async throws {
    try await player.play { client in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.send(Request<Data>.get("/orders/1"))
      }
      #expect(await thrown { try await task.value }?.code == .cancelled)
    }
  }
}
