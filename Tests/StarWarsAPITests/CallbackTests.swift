import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

#if canImport(Combine)
  import Combine
#endif

@Suite struct `Star Wars client with callbacks` {
  private struct Refused: Error {}

  @Test(arguments: Player.allCases)
  func `the client gets a resource of every kind by its number`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await answer { client.getFilm(2, $0) }.get().title == "The Empire Strikes Back")
      #expect(try await answer { client.getPerson(4, $0) }.get().name == "Darth Vader")
      #expect(try await answer { client.getPlanet(1, $0) }.get().name == "Tatooine")
      #expect(try await answer { client.getSpecies(3, $0) }.get().name == "Wookie")
      #expect(try await answer { client.getStarship(10, $0) }.get().name == "Millennium Falcon")
      #expect(try await answer { client.getVehicle(4, $0) }.get().name == "Sand Crawler")
    }
  }

  @Test(arguments: Player.allCases)
  func `the generic get method calls back with the result of any method`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let found = await answer { _ = client.get({ try await $0.search(.planets, "hoth") }, $0) }
      #expect(try found.get().map(\.name) == ["Hoth"])
    }
  }

  @Test func `a failing method calls back with its error`() async {
    let outcome = await answer { StarWarsClient.failing.getFilm(1, $0) }
    #expect(throws: StarWarsError.unexpected("film")) { try outcome.get() }
  }

  @Test func `a client made of callbacks is called with await`() async throws {
    let client = StarWarsClient(
      getFilm: { _, done in done(.failure(Refused())) },
      getStarship: { id, done in done(.success(Starship(id: id, name: "Mine"))) })
    await #expect(throws: Refused.self) { try await client.film(1) }
    #expect(try await client.starship(7).id == 7)
    await #expect(throws: StarWarsError.unexpected("person")) { try await client.person(1) }
  }

  @Test func `a method replaced by a callback leaves the other methods unchanged`() async throws {
    var client = StarWarsClient.unreleasedFilms
    client.getPlanet = { id, done in done(.success(Planet(id: id, name: "Mine"))) }
    #expect(try await client.planet(3).name == "Mine")
    #expect(try await client.film(7).title == "A Quiet Day on Naboo")
  }

  @Test func `a second call of the completion handler is ignored`() async throws {
    let client = StarWarsClient(getFilm: { id, done in
      done(.success(Film(id: id, title: "First")))
      done(.failure(Refused()))
    })
    #expect(try await client.film(1).title == "First")
  }

  @Test func `a cancelled task throws although its completion handler is never called`() async {
    let client = StarWarsClient(getFilm: { _, _ in })
    let task = Task { try await client.film(1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `cancelling the task returned by the generic get method calls back with an error`() async {
    let client = StarWarsClient.failing(except: { client in
      client.film = { id in
        try await Task.sleep(for: .seconds(6_000))
        return Film(id: id, title: "Late")
      }
    })
    let outcome = await answer { done in client.get({ try await $0.film(1) }, done).cancel() }
    #expect(throws: CancellationError.self) { try outcome.get() }
  }

  #if canImport(Combine)
    @Test func `a publisher publishes the resource`() async throws {
      for try await film in StarWarsClient.unreleasedFilms.publisher(\.film, 7).values {
        #expect(film.title == "A Quiet Day on Naboo")
      }
    }
  #endif

  /// Returns the result that a function passes to its completion handler.
  private func answer<Value: Sendable>(
    _ ask: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }
  }
}
