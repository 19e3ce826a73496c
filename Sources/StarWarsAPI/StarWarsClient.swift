public import Foundation

/// The Star Wars API as a struct of closures, which tests can replace individually.
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
  /// A function that loads a resource by its number.
  public typealias One<Resource> = @Sendable (_ id: Int) async throws -> Resource
  /// A function that loads a page of resources.
  ///
  /// Pass nil for the first page, then ``Page/next``. ``StarWarsClient/all(_:)`` loads all pages.
  public typealias Many<Resource: Sendable> = @Sendable (_ page: URL?) async throws -> Page<Resource>

  /// Loads a film.
  ///
  /// Films are numbered in the order of release: 1 is "A New Hope".
  public var film: One<Film> = { _ in throw StarWarsError.unexpected("film") }
  /// Loads a page of films.
  public var films: Many<Film> = { _ in throw StarWarsError.unexpected("films") }
  /// Loads a character.
  public var person: One<Person> = { _ in throw StarWarsError.unexpected("person") }
  /// Loads a page of characters.
  public var people: Many<Person> = { _ in throw StarWarsError.unexpected("people") }
  /// Loads a planet.
  public var planet: One<Planet> = { _ in throw StarWarsError.unexpected("planet") }
  /// Loads a page of planets.
  public var planets: Many<Planet> = { _ in throw StarWarsError.unexpected("planets") }
  /// Loads a starship.
  public var starship: One<Starship> = { _ in throw StarWarsError.unexpected("starship") }
  /// Loads a page of starships.
  public var starships: Many<Starship> = { _ in throw StarWarsError.unexpected("starships") }
  /// Loads a vehicle, which unlike a starship cannot leave its planet.
  public var vehicle: One<Vehicle> = { _ in throw StarWarsError.unexpected("vehicle") }
  /// Loads a page of vehicles.
  public var vehicles: Many<Vehicle> = { _ in throw StarWarsError.unexpected("vehicles") }
  /// Loads a species.
  public var species: One<Species> = { _ in throw StarWarsError.unexpected("species") }
  /// Loads a page of species.
  ///
  /// The name differs from ``species``, which loads a single one.
  public var speciesList: Many<Species> = { _ in throw StarWarsError.unexpected("speciesList") }
  /// Loads all resources of a kind whose name or title contains all given words.
  ///
  /// Without words, loads all resources.
  public var search: @Sendable (_ kind: ResourceKind, _ words: String) async throws -> [SearchResult] = { _, _ in
    throw StarWarsError.unexpected("search")
  }
  /// Loads the schema of a kind of resource.
  public var schema: @Sendable (_ kind: ResourceKind) async throws -> Schema = { _ in
    throw StarWarsError.unexpected("schema")
  }
  /// Loads a resource in the language of the Wookiees, as text because null values make it invalid JSON.
  public var wookiee: @Sendable (_ kind: ResourceKind, _ id: Int) async throws -> String = { _, _ in
    throw StarWarsError.unexpected("wookiee")
  }

  /// Creates a client whose members all fail until they are replaced.
  public init() {}
}

/// The client under the name that the essay about it uses.
public typealias SwapiClient = StarWarsClient
