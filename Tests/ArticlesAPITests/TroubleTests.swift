import ArticlesAPI
import CassetteTesting
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Errors.
///
/// The number of an article in the cassette is its status, or an arbitrary number for other faults.
@Suite struct `Errors of the articles client` {
  @Test(
    arguments: Player.allCases,
    [
      (304, ArticlesError.status(304, nil)), (403, .rateLimited(retryAfter: 30)),
      (418, .status(403, "This one is not for you.")), (429, .rateLimited(retryAfter: nil)),
    ])
  func `an error status throws an error with the server's message`(
    player: Player, answer: (article: Int, error: ArticlesError)
  ) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: answer.error) { try await client.article(answer.article) }
    }
  }

  @Test(arguments: Player.allCases) func `an unknown article throws notFound`(player: Player) async throws {
    try await player.play("articles", in: Player.shipped) { client async throws in
      await #expect(throws: ArticlesError.notFound("There is no article 404.")) { try await client.article(404) }
    }
  }

  @Test(arguments: Player.allCases)
  func `status 500 is thrown without a retry, and the caller's second request succeeds`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: ArticlesError.status(500, nil)) { try await client.article(500) }
      #expect(try await client.article(500).title == "Hello")
    }
  }

  @Test(arguments: Player.allCases) func `a redirect is followed`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      #expect(try await client.article(301).id == 1)
    }
  }

  @Test(arguments: Player.allCases, [(10, "JSON"), (11, "date"), (12, "title")])
  func `undecodable JSON throws an error with the status and the path of the value`(
    player: Player, answer: (article: Int, problem: String)
  ) async throws {
    try await player.play("troubles") { client async throws in
      let error = await #expect(throws: ArticlesError.self) { try await client.article(answer.article) }
      guard case .undecodable(200, let problem) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problem.contains(answer.problem))
    }
  }

  @Test(arguments: Player.allCases)
  func `a response later than the time-out throws timedOut`(player: Player) async throws {
    try await player.play("troubles", timeout: 1) { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.article(20) }
      #expect(error?.code == .timedOut)
    }
  }

  @Test(arguments: Player.allCases)
  func `a reset connection throws networkConnectionLost`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.article(21) }
      #expect(error?.code == .networkConnectionLost)
    }
  }

  @Test(arguments: Player.allCases) func `a truncated body throws a URL error`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: URLError.self) { try await client.article(22) }
    }
  }

  @Test(arguments: Player.allCases) func `a cancelled task throws CancellationError`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let task = Task { try await client.article(23) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `a task cancelled while it waits for a response throws CancellationError`() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let slow = CassetteStub(
      .get("/v2/articles/23"),
      .answering { _ in
        ask.yield()
        return .json([:]).delay(.seconds(60))
      })
    try await withCassette(stubs: [slow]) { session in
      let client = ArticlesClient(
        baseURL: try #require(URL(string: "https://api.domain.com")), session: session,
        tokens: MemoryTokenStore(.bearer("abc")))
      let task = Task { try await client.article(23) }
      for await _ in asked { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
