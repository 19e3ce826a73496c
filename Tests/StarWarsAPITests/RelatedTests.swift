import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

@Suite struct `Related resources` {
  @Test(arguments: Player.allCases) func `come in the order of the links`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let film = try await client.film(1)
      #expect(try await client.characters(of: film).map(\.id) == film.characters.map(\.id))
      #expect(try await client.planets(of: film).map(\.name) == ["Tatooine", "Alderaan", "Yavin IV"])
      #expect(try await client.starships(of: film).map(\.id) == [2, 3, 5, 9, 10, 11, 12, 13])
      #expect(try await client.vehicles(of: film).map(\.id) == [4, 6, 7, 8])
      #expect(try await client.species(of: film).map(\.name) == ["Human", "Droid", "Wookie", "Rodian", "Hutt"])
    }
  }

  @Test(arguments: Player.allCases) func `lead from a person and a planet`(player: Player) async throws {
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

  @Test(arguments: Player.allCases) func `lead to those who fly, drive and are of a kind`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.pilots(of: client.starship(10)).map(\.name).contains("Han Solo"))
      #expect(try await client.pilots(of: client.vehicle(14)).map(\.name) == ["Luke Skywalker", "Wedge Antilles"])
      #expect(try await client.people(of: client.species(3)).map(\.name) == ["Chewbacca", "Tarfful"])
      #expect(try await client.species(of: client.person(13)).map(\.name) == ["Wookie"])
    }
  }

  @Test func `a person without a homeworld has none`() async throws {
    #expect(try await StarWarsClient.failing.homeworld(of: Person(id: 1, name: "Yoda")) == nil)
  }

  @Test(.timeLimit(.minutes(30)), arguments: [1, 3, 4, 5, 20, 100])
  func `are asked for together, and never more than four`(count: Int) async throws {
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

  @Test(.timeLimit(.minutes(30))) func `fail together when one fails`() async throws {
    let client = StarWarsClient.failing(except: { client in
      client.person = { id in
        guard id != 3 else { throw StarWarsError.status(404, detail: nil) }
        // Ends only because it is cancelled.
        try await Task.sleep(for: .seconds(6_000))
        return Person(id: id, name: "\(id)")
      }
    })
    var film = Film(id: 1, title: "A crowd")
    film.characters = (1...20).map { Link($0) }
    await #expect(throws: StarWarsError.status(404, detail: nil)) { try await client.characters(of: film) }
  }
}

/// Lets nobody through before a number of them are inside, and remembers how many were inside at once.
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
    // Time for one too many to come in.
    for _ in 0..<20 { await Task.yield() }
    inside -= 1
  }
}
