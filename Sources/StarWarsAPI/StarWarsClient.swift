public import Foundation

/// The Star Wars API as a struct of closures: what a view needs is a member, and a test replaces the members it cares for.
///
/// ```swift
/// let client = StarWarsClient.live                       // https://swapi.dev/api/; .live(url) for a mock server
/// let film = try await client.film(1)
/// let cast = try await client.characters(of: film)
///
/// var offline = client                                   // a test, or a preview
/// offline.film = { _ in throw URLError(.notConnectedToInternet) }
/// ```
public struct StarWarsClient: Sendable {
  /// Asks for one resource by its number.
  public typealias One<Resource> = @Sendable (_ id: Int) async throws -> Resource
  /// Asks for a page of resources: the first for nil, then ``Page/next``; ``StarWarsClient/all(_:)`` follows by itself.
  public typealias Many<Resource: Sendable> = @Sendable (_ page: URL?) async throws -> Page<Resource>

  /// A film, by the order of its release: 1 is "A New Hope".
  public var film: One<Film> = { _ in throw StarWarsError.unexpected("film") }
  /// A page of films.
  public var films: Many<Film> = { _ in throw StarWarsError.unexpected("films") }
  /// A character.
  public var person: One<Person> = { _ in throw StarWarsError.unexpected("person") }
  /// A page of characters.
  public var people: Many<Person> = { _ in throw StarWarsError.unexpected("people") }
  /// A planet.
  public var planet: One<Planet> = { _ in throw StarWarsError.unexpected("planet") }
  /// A page of planets.
  public var planets: Many<Planet> = { _ in throw StarWarsError.unexpected("planets") }
  /// A starship.
  public var starship: One<Starship> = { _ in throw StarWarsError.unexpected("starship") }
  /// A page of starships.
  public var starships: Many<Starship> = { _ in throw StarWarsError.unexpected("starships") }
  /// A vehicle, which cannot leave its planet.
  public var vehicle: One<Vehicle> = { _ in throw StarWarsError.unexpected("vehicle") }
  /// A page of vehicles.
  public var vehicles: Many<Vehicle> = { _ in throw StarWarsError.unexpected("vehicles") }
  /// A species.
  public var species: One<Species> = { _ in throw StarWarsError.unexpected("species") }
  /// A page of species; the word is its own plural, and ``species`` is one.
  public var speciesList: Many<Species> = { _ in throw StarWarsError.unexpected("speciesList") }
  /// Everything of a kind whose name or title has all words of a text in it, from all pages; everything for no words.
  public var search: @Sendable (_ kind: ResourceKind, _ words: String) async throws -> [SearchResult] = { _, _ in
    throw StarWarsError.unexpected("search")
  }
  /// The shape of a kind of resource.
  public var schema: @Sendable (_ kind: ResourceKind) async throws -> Schema = { _ in
    throw StarWarsError.unexpected("schema")
  }
  /// A resource in the language of the Wookiees, as text: where a value is null, it is no JSON.
  public var wookiee: @Sendable (_ kind: ResourceKind, _ id: Int) async throws -> String = { _, _ in
    throw StarWarsError.unexpected("wookiee")
  }

  /// Creates a client of which every member fails; replace those that are to answer.
  public init() {}
}

/// The client by the name that the essay about it uses.
public typealias SwapiClient = StarWarsClient
