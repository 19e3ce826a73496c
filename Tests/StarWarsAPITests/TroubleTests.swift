import CassetteTesting
import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Errors.
///
/// The number of a film in the cassette is its status, or an arbitrary number for other faults.
@Suite struct `Errors of the Star Wars client` {
  @Test(
    arguments: Player.allCases,
    [
      (304, StarWarsError.status(304, detail: nil)),
      (401, .status(401, detail: "Authentication credentials were not provided.")),
      (403, .rateLimited(retryAfter: 42)),
      (418, .status(403, detail: "You do not have permission to perform this action.")),
      (422, .status(422, detail: "A film has a number.")),
      (429, .rateLimited(retryAfter: 7)),
    ])
  func `an error status throws an error with the server's message`(
    player: Player, answer: (film: Int, error: StarWarsError)
  ) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: answer.error) { try await client.film(answer.film) }
    }
  }

  @Test(arguments: Player.allCases) func `an unknown resource throws status 404`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      await #expect(throws: StarWarsError.status(404, detail: "Not found")) { try await client.person(17) }
    }
  }

  @Test(arguments: Player.allCases)
  func `status 500 is thrown without a retry, and the caller's second request succeeds`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: StarWarsError.status(500, detail: nil)) { try await client.film(500) }
      #expect(try await client.film(500).title == "A New Hope")
    }
  }

  @Test(arguments: Player.allCases) func `a chain of redirects is followed`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      #expect(try await client.film(301).id == 1)
    }
  }

  @Test(arguments: Player.allCases, [(10, "JSON"), (11, "\"soon\" is not a date"), (12, "episodeId"), (13, "JSON")])
  func `undecodable JSON throws an error with the URL and the path of the value`(
    player: Player, answer: (film: Int, problem: String)
  ) async throws {
    try await player.play("troubles") { client async throws in
      let error = await #expect(throws: StarWarsError.self) { try await client.film(answer.film) }
      guard case .undecodable(let url, let problem) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(url.path.contains("films/\(answer.film)"))
      #expect(problem.contains(answer.problem))
      #expect(error?.localizedDescription.contains(url.absoluteString) == true)
    }
  }

  @Test(arguments: Player.allCases)
  func `a response later than the time-out throws timedOut`(player: Player) async throws {
    try await player.play("troubles", timeout: 1) { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.film(20) }
      #expect(error?.code == .timedOut)
    }
  }

  @Test(arguments: Player.allCases)
  func `a reset connection throws networkConnectionLost`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let error = await #expect(throws: URLError.self) { try await client.film(21) }
      #expect(error?.code == .networkConnectionLost)
    }
  }

  @Test(arguments: Player.allCases) func `a truncated body throws a URL error`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      await #expect(throws: URLError.self) { try await client.film(22) }
    }
  }

  @Test(arguments: Player.allCases) func `a body sent in several pieces is decoded`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      #expect(try await client.film(24).title == "A New Hope")
    }
  }

  @Test(arguments: Player.allCases) func `a cancelled task throws CancellationError`(player: Player) async throws {
    try await player.play("troubles") { client async throws in
      let task = Task { try await client.film(23) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `a task cancelled while it waits for a response throws CancellationError`() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let slow = CassetteStub(
      .get("/api/films/23/"),
      .answering { _ in
        ask.yield()
        return .json([:]).delay(.seconds(60))
      })
    try await withCassette(stubs: [slow]) { session in
      let client = StarWarsClient.live(
        baseURL: try #require(URL(string: "https://swapi.dev/api/")), session: session)
      let task = Task { try await client.film(23) }
      for await _ in asked { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
