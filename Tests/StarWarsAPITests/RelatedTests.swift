import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

@Suite struct `Related resources of the Star Wars API` {
  @Test(arguments: Player.allCases)
  func `related resources are returned in the order of the links`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let film = try await client.film(1)
      #expect(try await client.characters(of: film).map(\.id) == film.characters.map(\.id))
      #expect(try await client.planets(of: film).map(\.name) == ["Tatooine", "Alderaan", "Yavin IV"])
      #expect(try await client.starships(of: film).map(\.id) == [2, 3, 5, 9, 10, 11, 12, 13])
      #expect(try await client.vehicles(of: film).map(\.id) == [4, 6, 7, 8])
      #expect(try await client.species(of: film).map(\.name) == ["Human", "Droid", "Wookie", "Rodian", "Hutt"])
    }
  }

  @Test(arguments: Player.allCases)
  func `films, vehicles and homeworld of a person and residents of a planet are fetched`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let luke = try await client.person(1)
      #expect(try await client.films(of: luke).count == 4)
      #expect(try await client.starships(of: luke).map(\.id) == [12, 22])
      let tatooine = try #require(try await client.homeworld(of: luke))
      #expect(tatooine.name == "Tatooine")
      #expect(try await client.residents(of: tatooine).map(\.id) == [1, 2, 4, 6, 7, 8, 9, 11, 43, 62])
      #expect(try await client.vehicles(of: luke).map(\.id) == [14, 30])
    }
  }

  @Test(arguments: Player.allCases)
  func `pilots of a starship or vehicle and people of a species are fetched`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.pilots(of: client.starship(10)).map(\.name).contains("Han Solo"))
      #expect(try await client.pilots(of: client.vehicle(14)).map(\.name) == ["Luke Skywalker", "Wedge Antilles"])
      #expect(try await client.people(of: client.species(3)).map(\.name) == ["Chewbacca", "Tarfful"])
      #expect(try await client.species(of: client.person(13)).map(\.name) == ["Wookie"])
    }
  }

  @Test func `the homeworld of a person without one is nil, without a request`() async throws {
    #expect(try await StarWarsClient.failing.homeworld(of: Person(id: 1, name: "Yoda")) == nil)
  }

  @Test(.timeLimit(.minutes(30)), arguments: [1, 3, 4, 5, 20, 100])
  func `related resources are fetched concurrently, four at a time`(count: Int) async throws {
    let turnstile = Turnstile(opensAt: min(count, StarWarsClient.concurrency))
    let client = StarWarsClient.failing(except: { client in
      client.person = { id in
        await turnstile.pass()
        return Person(id: id, name: "\(id)")
      }
    })
    var film = Film(id: 1, title: "A crowd")
    film.characters = (0..<count).map { Link($0) }
    #expect(try await client.characters(of: film).map(\.id) == Array(0..<count))
    #expect(await turnstile.greatest == min(count, 4))
  }

  @Test(.timeLimit(.minutes(30)))
  func `one failing related resource cancels the other requests and throws`() async throws {
    let client = StarWarsClient.failing(except: { client in
      client.person = { id in
        guard id != 3 else { throw StarWarsError.status(404, detail: nil) }
        // This sleep ends only by cancellation.
        try await Task.sleep(for: .seconds(6_000))
        return Person(id: id, name: "\(id)")
      }
    })
    var film = Film(id: 1, title: "A crowd")
    film.characters = (1...20).map { Link($0) }
    await #expect(throws: StarWarsError.status(404, detail: nil)) { try await client.characters(of: film) }
  }
}

/// Blocks callers until a given number of them are inside, and records the maximum number inside at once.
private actor Turnstile {
  private let opensAt: Int
  private var inside = 0
  private var waiting: [CheckedContinuation<Void, Never>]? = []
  private(set) var greatest = 0

  init(opensAt: Int) { self.opensAt = opensAt }

  func pass() async {
    inside += 1
    greatest = max(greatest, inside)
    if inside == opensAt {
      for one in waiting ?? [] { one.resume() }
      waiting = nil
    } else if waiting != nil {
      await withCheckedContinuation { waiting?.append($0) }
    }
    // Gives another caller time to enter.
    for _ in 0..<20 { await Task.yield() }
    inside -= 1
  }
}
