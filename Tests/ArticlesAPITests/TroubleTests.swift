import ArticlesAPI
import CassetteTesting
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What goes wrong; the numbers of the articles in the cassette are statuses, or stand for what cannot be one.
@Suite struct `The articles client in trouble` {
  @Test(
    arguments: Player.allCases,
    [
      (304, ArticlesError.status(304, nil)), (403, .rateLimited(retryAfter: 30)),
      (418, .status(403, "This one is not for you.")), (429, .rateLimited(retryAfter: nil)),
    ])
  func `a status is an error with what the server said`(
    player: Player, answer: (article: Int, error: ArticlesError)
  ) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: answer.error) { try await client.article(answer.article) }
    }
  }

  @Test(arguments: Player.allCases) func `an article that is not there is a 404`(player: Player) async throws {
    try await player.play("articles", in: Player.shipped) { client async throws in
      await #expect(throws: ArticlesError.notFound("There is no article 404.")) { try await client.article(404) }
    }
  }

  @Test(arguments: Player.allCases) func `a 500 is reported, and asking again is the caller's`(player: Player)
    async throws
  {
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
  func `bad JSON is an error that keeps the status and names the place`(
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

  @Test(arguments: Player.allCases) func `a time-out is a time-out`(player: Player) async throws {
    try await player.play("troubles", timeout: 1) { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.article(20) }
      #expect(error?.code == .timedOut)
    }
  }

  @Test(arguments: Player.allCases) func `a reset connection is a lost one`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.article(21) }
      #expect(error?.code == .networkConnectionLost)
    }
  }

  @Test(arguments: Player.allCases) func `a body that breaks off is no article`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: URLError.self) { try await client.article(22) }
    }
  }

  @Test(arguments: Player.allCases) func `a cancelled task ends with a cancellation`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let task = Task { try await client.article(23) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(.timeLimit(.minutes(30))) func `a task is cancelled while its answer arrives`() async throws {
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
