import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Failing and partly replaced Star Wars clients` {
  @Test func `every method of a failing client throws an error with its name`() async {
    let client = StarWarsClient.failing
    await #expect(throws: StarWarsError.unexpected("film")) { try await client.film(1) }
    await #expect(throws: StarWarsError.unexpected("films")) { try await client.films(nil) }
    await #expect(throws: StarWarsError.unexpected("person")) { try await client.person(1) }
    await #expect(throws: StarWarsError.unexpected("people")) { try await client.people(nil) }
    await #expect(throws: StarWarsError.unexpected("planet")) { try await client.planet(1) }
    await #expect(throws: StarWarsError.unexpected("planets")) { try await client.planets(nil) }
    await #expect(throws: StarWarsError.unexpected("starship")) { try await client.starship(1) }
    await #expect(throws: StarWarsError.unexpected("starships")) { try await client.starships(nil) }
    await #expect(throws: StarWarsError.unexpected("vehicle")) { try await client.vehicle(1) }
    await #expect(throws: StarWarsError.unexpected("species")) { try await client.species(1) }
    await #expect(throws: StarWarsError.unexpected("vehicles")) { try await client.vehicles(nil) }
    await #expect(throws: StarWarsError.unexpected("speciesList")) { try await client.speciesList(nil) }
    await #expect(throws: StarWarsError.unexpected("schema")) { try await client.schema(.films) }
    await #expect(throws: StarWarsError.unexpected("wookiee")) { try await client.wookiee(.films, 1) }
    await #expect(throws: StarWarsError.unexpected("search")) { try await client.search(.films, "hope") }
  }

  @Test func `the error of an unexpected call names the method and the code to write`() {
    let message = StarWarsError.unexpected("person").localizedDescription
    #expect(message.contains("\"person\""))
    #expect(message.contains(".failing(except: { $0.person = … })"))
  }

  @Test func `a method replaced in a failing client succeeds, and all others throw`() async throws {
    let client = StarWarsClient.failing(except: { client in
      client.person = { id in Person(id: id, name: "Luke Skywalker") }
    })
    #expect(try await client.person(1).name == "Luke Skywalker")
    await #expect(throws: StarWarsError.unexpected("planet")) { try await client.planet(1) }
  }

  @Test(arguments: Player.allCases)
  func `replacing a method of a live client leaves the other methods unchanged`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { live async throws in
      var client = live
      client.film = { _ in throw URLError(.notConnectedToInternet) }
      await #expect(throws: URLError.self) { try await client.film(1) }
      #expect(try await client.person(1).name == "Luke Skywalker")
      #expect(try await live.film(1).title == "A New Hope")
    }
  }

  @Test(arguments: Player.allCases)
  func `related resources are fetched with the replaced method`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { live async throws in
      var client = live
      client.person = { id in Person(id: id, name: "Nobody \(id)") }
      let cast = try await client.characters(of: client.film(1))
      #expect(cast.prefix(2).map(\.name) == ["Nobody 1", "Nobody 2"])
    }
  }

  @Test func `the client of unreleased films gets, lists and searches its films`() async throws {
    let client = StarWarsClient.unreleasedFilms
    let films = try await client.films(nil).results
    #expect(films.count == 2)
    for film in films { #expect(try await client.film(film.id) == film) }
    #expect(try await client.search(.films, "warranty").map(\.name) == ["The Hyperdrive Warranty"])
    #expect(try await client.search(.people, "warranty").isEmpty)
    await #expect(throws: StarWarsError.status(404, detail: "Not found")) { try await client.film(1) }
    await #expect(throws: StarWarsError.unexpected("person")) { try await client.person(1) }
  }
}
