import CassetteTesting
import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

@Suite struct `Live Star Wars client` {
  private static let films = [
    "A New Hope", "The Empire Strikes Back", "Return of the Jedi", "The Phantom Menace", "Attack of the Clones",
    "Revenge of the Sith",
  ]

  @Test(arguments: Player.allCases) func `a film is fetched with its properties`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let film = try await client.film(1)
      #expect(film.title == "A New Hope")
      #expect(film.id == 1)
      #expect(film.episodeId == 4)
      #expect(film.characters.map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 18, 19, 81])
    }
  }

  @Test(arguments: Player.allCases)
  func `the client gets a resource of every kind by its number`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.person(4).name == "Darth Vader")
      #expect(try await client.planet(1).name == "Tatooine")
      #expect(try await client.starship(10).name == "Millennium Falcon")
      #expect(try await client.vehicle(4).name == "Sand Crawler")
      #expect(try await client.species(3).name == "Wookie")
    }
  }

  @Test(arguments: Player.allCases) func `the first page of every kind is fetched`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.films(nil).results.count == 6)
      #expect(try await client.people(nil).results.count == 10)
      #expect(try await client.planets(nil).results.first?.name == "Tatooine")
      #expect(try await client.starships(nil).results.map(\.name).contains("Death Star"))
      #expect(try await client.vehicles(nil).results.first?.name == "Sand Crawler")
      #expect(try await client.speciesList(nil).results.first?.name == "Human")
    }
  }

  @Test(arguments: Player.allCases) func `dates with and without a time are decoded`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let film = try await client.film(1)
      // 1977-05-25, and 2014-12-10T14:23:31.880Z.
      #expect(film.releaseDate == Date(timeIntervalSince1970: 233_366_400))
      #expect(abs(film.created.timeIntervalSince1970 - 1_418_221_411.880) < 0.001)
    }
  }

  @Test(arguments: Player.allCases) func `numbers in strings are decoded`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let station = try await client.starship(9)
      #expect(station.crew == 342_953)
      #expect(station.costInCredits == 1_000_000_000_000)
      #expect(station.hyperdriveRating == 4)
      #expect(station.mglt == 10)
      #expect(station.maxAtmospheringSpeed == nil)
      #expect(try await client.vehicle(4).length == 36.8)
      #expect(try await client.person(4).height == 202)
    }
  }

  @Test(arguments: Player.allCases) func `a listing returns the items of all pages`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      var names: [String] = []
      for try await person in client.all(\.people) { names.append(person.name) }
      #expect(names.count == 82)
      #expect(names.first == "Luke Skywalker")
      #expect(Set(names).count == 82)
    }
  }

  @Test(arguments: Player.allCases)
  func `a listing does not fetch the next page before its items are needed`(player: Player) async throws {
    try await player.play("pages") { client async throws in
      // The second page is empty, and the third is an error.
      var names: [String] = []
      for try await person in client.all(\.people) {
        names.append(person.name)
        if names.count == 2 { break }
      }
      #expect(names == ["Luke Skywalker", "C-3PO"])
    }
  }

  @Test(arguments: Player.allCases) func `a failing page ends the listing with its error`(player: Player) async throws {
    try await player.play("pages", strictly: true) { client async throws in
      var names: [String] = []
      await #expect(throws: StarWarsError.status(500, detail: nil)) {
        for try await person in client.all(\.people) { names.append(person.name) }
      }
      #expect(names == ["Luke Skywalker", "C-3PO"])
    }
  }

  @Test(
    arguments: Player.allCases,
    [
      (ResourceKind.people, "luke", ["Luke Skywalker"]), (.people, "nobody", []), (.planets, "tatoo", ["Tatooine"]),
      (.films, "hope", ["A New Hope"]), (.starships, "death", ["Death Star"]), (.species, "WOOK", ["Wookie"]),
      (.vehicles, "crawler", ["Sand Crawler"]), (.people, "Jar Jar", ["Jar Jar Binks"]), (.films, " ", Self.films),
    ])
  func `a search returns the resources that contain all words`(
    player: Player, search: (kind: ResourceKind, word: String, names: [String])
  ) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.search(search.kind, search.word).map(\.name) == search.names)
    }
  }

  @Test(arguments: Player.allCases)
  func `a search for a plus sign returns the results of all pages`(player: Player) async throws {
    try await player.play("search", strictly: true) { client async throws in
      let found = try await client.search(.people, "sky + walker")
      #expect(found.map(\.name) == ["Luke Skywalker", "Anakin Skywalker", "Shmi Skywalker"])
    }
  }

  @Test(arguments: Player.allCases) func `the schema of every kind is fetched`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.schema(.people).required.contains("hair_color"))
      #expect(try await client.schema(.films).properties["episode_id"]?.types == ["integer"])
      #expect(try await client.schema(.species).properties["homeworld"]?.types == ["string", "null"])
      for kind in ResourceKind.allCases {
        let schema = try await client.schema(kind)
        #expect(schema.required.allSatisfy { schema.properties[$0] != nil }, "\(kind)")
        #expect(schema.properties["created"]?.format == "date-time", "\(kind)")
      }
    }
  }

  @Test(arguments: Player.allCases) func `a planet is fetched in Wookiee`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      #expect(try await client.wookiee(.planets, 1).hasPrefix(#"{"whrascwo":"Traaoooooahwhwo""#))
    }
  }

  @Test func `a client created with an optional base URL sends requests, and throws if it is nil`() async throws {
    try await withCassette(
      stubs: [CassetteStub(.get("https://swapi.dev/api/films/2/"), .json(["detail": "Not found"], status: 404))]
    ) { session in
      await #expect(throws: StarWarsError.status(404, detail: "Not found")) {
        try await StarWarsClient.live(URL(string: "https://swapi.dev/api/"), session: session).film(2)
      }
      await #expect(throws: URLError.self) { try await StarWarsClient.live(nil, session: session).film(2) }
    }
  }
}
