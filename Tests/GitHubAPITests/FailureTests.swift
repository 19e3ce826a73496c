import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Dispatch
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Player {
  /// Runs a closure with a client that receives an empty list with a `Link` field.
  static func stubbed(link: String, _ body: (GitHubClient) async throws -> Void) async throws {
    let stub = CassetteStub(.get("/list"), .status(200, headers: ["Link": link], body: Array("[]".utf8)))
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in try await body(GitHubClient(session: .cassette)) }
  }
}

@Suite struct `Errors of the GitHub client` {
  /// Sends a request that fails, and returns its status and error.
  private func refusal<Value: Decodable & Sendable>(
    of request: Request<Value>, _ client: GitHubClient
  ) async -> (status: Int?, error: GitHubError?) {
    let failure = await #expect(throws: GitHubFailure.self) { try await client.send(request) }
    guard case .status(let status, let error)? = failure else { return (nil, nil) }
    return (status, error)
  }

  @Test(arguments: Player.allCases)
  func `an unknown repository throws status 404 with a link to the documentation`(player: Player) async throws {
    try await player.play { client in
      let (status, error) = await refusal(of: GitHub.repos("kean", "missing").get, client)
      #expect(status == 404)
      #expect(error?.message == "Not Found")
      #expect(error?.documentationURL?.host() == "docs.github.com")
    }
  }

  @Test(arguments: Player.allCases)
  func `an exceeded rate limit throws status 403 with the limit`(player: Player) async throws {
    try await player.play { client in
      let (status, error) = await refusal(of: GitHub.searchRepositories("swift"), client)
      #expect(status == 403)
      #expect(error?.rateLimit?.remaining == 0)
      #expect(error?.rateLimit?.resource == "search")
    }
  }

  @Test(arguments: Player.allCases) func `a request without a token throws status 401`(player: Player) async throws {
    try await player.play { client in
      let (status, error) = await refusal(of: GitHub.user.get, client)
      #expect(status == 401)
      #expect(error?.message == "Requires authentication")
    }
  }

  @Test(arguments: Player.allCases)
  func `an issue without a title throws status 422 with the missing field`(player: Player) async throws {
    try await player.play(token: "some-token") { client in
      let issue = NewIssue(title: nil, body: "An issue without a title")
      let (status, error) = await refusal(of: GitHub.repos("kean", "Nuke").issues.post(issue), client)
      #expect(status == 422)
      #expect(error?.errors?.map(\.field) == ["title"])
      #expect(error?.errors?.map(\.code) == ["missing_field"])
    }
  }

  @Test(arguments: Player.allCases)
  func `a refused issue throws an error with the server's message`(player: Player) async throws {
    try await player.play("failures") { client in
      let (_, error) = await refusal(of: GitHub.repos("a", "b").issues.post(NewIssue(title: "x")), client)
      #expect(error?.errors?.map(\.message) == ["Issues are disabled"])
    }
  }

  @Test(arguments: Player.allCases)
  func `an error response without a message throws its status`(player: Player) async throws {
    try await player.play("failures") { client in
      let (status, error) = await refusal(of: GitHub.users("unicorn").get, client)
      #expect(status == 502)
      #expect(error == nil)
    }
  }

  /// Retries once after a status 500.
  private struct Retrying: RetryDelegate {
    func client(
      _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool { attempts == 1 && (error as? APIError)?.status == 500 }
  }

  @Test(arguments: Player.allCases)
  func `a request is retried by its delegate after status 500`(player: Player) async throws {
    try await player.play("failures", .with { $0.delegate = Retrying() }) { client in
      let user = try await client.value(for: GitHub.users("flaky").get)
      #expect(user.login == "flaky")
    }
  }

  @Test(arguments: Player.allCases)
  func `a request is repeated with a fresh token after status 401`(player: Player) async throws {
    let tokens = Tokens(Token(access: "expired")) { _ in Token(access: "fresh") }
    try await player.play("failures", .with { $0.tokens = tokens }) { client in
      let user = try await client.value(for: GitHub.user.get)
      #expect(user.login == "kean")
      #expect(await tokens.current?.access == "fresh")
    }
  }

  @Test(
    arguments: Player.allCases,
    [("bad", nil), ("slow", URLError.timedOut), ("reset", .networkConnectionLost), ("truncated", nil)])
  func `an undecodable body or a failed connection throws an unexpected failure`(
    player: Player, row: (login: String, code: URLError.Code?)
  ) async throws {
    try await player.play("failures") { client in
      var request = GitHub.users(row.login).get
      // Only the request without a response has a short time-out, because a busy machine answers late.
      request.timeout = .seconds(row.login == "slow" ? 1 : 600)
      let failure = await #expect(throws: GitHubFailure.self) { try await client.send(request) }
      guard case .unexpected(let error)? = failure else { return #expect(Bool(false), "\(failure)") }
      switch error {
      case is DecodingError: #expect(row.login == "bad")
      case let error as URLError: if let code = row.code { #expect(error.code == code) }
      default: #expect(Bool(false), "\(error)")
      }
    }
  }

  @Test(arguments: Player.allCases) func `a cancelled request throws CancellationError`(player: Player) async throws {
    let (sendings, sending) = AsyncStream.makeStream(of: Void.self)
    try await player.play("failures", .with { $0.delegate = Announcing(sending: sending) }) { client in
      let task = Task { try await client.value(for: GitHub.users("endless").get) }
      for await _ in sendings { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  /// Yields to a stream before a request is sent.
  private struct Announcing: SendDelegate {
    let sending: AsyncStream<Void>.Continuation
    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws { sending.yield() }
  }

  @Test func `a client without a base URL throws invalidURL`() async throws {
    let failure = await #expect(throws: GitHubFailure.self) {
      try await GitHubClient(baseURL: nil).send(GitHub.user.get)
    }
    guard case .invalidURL? = failure else { return #expect(Bool(false), "\(failure)") }
  }
}

@Suite struct `Completion handlers of the GitHub client` {
  @Test(arguments: Player.allCases)
  func `a request for a result returns the value or the failure`(player: Player) async throws {
    try await player.play { client in
      let user = try await client.result(of: GitHub.users("kean").get).get()
      #expect(user.login == "kean")
      let missing = await client.result(of: GitHub.repos("kean", "missing").get)
      guard case .failure(.status(404, _)) = missing else { return #expect(Bool(false), "\(missing)") }
    }
  }

  @Test(arguments: Player.allCases)
  func `a completion handler is called on the given queue`(player: Player) async throws {
    let queue = DispatchQueue(label: "callbacks")
    try await player.play { client in
      let login = try await withCheckedThrowingContinuation { done in
        client.send(GitHub.users("kean").get, queue: queue) { result in
          dispatchPrecondition(condition: .onQueue(queue))
          done.resume(with: result.map(\.login))
        }
      }
      #expect(login == "kean")
      let status: Void = try await withCheckedThrowingContinuation { done in
        client.send(GitHub.user.emails.delete(["octocat@example.com", "support@example.com"]), queue: queue) {
          done.resume(with: $0)
        }
      }
      _ = status
    }
  }

  @Test(arguments: Player.allCases)
  func `a cancelled request calls its completion handler with a cancellation error`(player: Player) async throws {
    try await player.play("failures") { client in
      let result: Result<User, GitHubFailure> = await withCheckedContinuation { done in
        client.send(GitHub.users("endless").get, queue: .global()) { done.resume(returning: $0) }.cancel()
      }
      guard case .failure(.unexpected(let error)) = result else { return #expect(Bool(false), "\(result)") }
      #expect(error is CancellationError)
    }
  }
}
