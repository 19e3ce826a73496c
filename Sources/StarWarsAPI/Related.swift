/// Functions that load linked resources through the client's members, so that a replaced `person` also applies to the
/// characters of a film.
extension StarWarsClient {
  /// The maximum number of concurrent requests for related resources.
  public static let concurrency = 4

  /// Returns the characters of a film, in its order.
  public func characters(of film: Film) async throws -> [Person] { try await follow(film.characters, person) }
  /// Returns the planets of a film, in its order.
  public func planets(of film: Film) async throws -> [Planet] { try await follow(film.planets, planet) }
  /// Returns the starships of a film, in its order.
  public func starships(of film: Film) async throws -> [Starship] { try await follow(film.starships, starship) }
  /// Returns the vehicles of a film, in its order.
  public func vehicles(of film: Film) async throws -> [Vehicle] { try await follow(film.vehicles, vehicle) }
  /// Returns the species of a film, in its order.
  public func species(of film: Film) async throws -> [Species] { try await follow(film.species, species) }
  /// Returns the films in which a character appears.
  public func films(of person: Person) async throws -> [Film] { try await follow(person.films, film) }
  /// Returns the starships a character flies.
  public func starships(of person: Person) async throws -> [Starship] { try await follow(person.starships, starship) }
  /// Returns the vehicles a character drives.
  public func vehicles(of person: Person) async throws -> [Vehicle] { try await follow(person.vehicles, vehicle) }
  /// Returns the species of a character.
  public func species(of person: Person) async throws -> [Species] { try await follow(person.species, species) }
  /// Returns the characters who fly a starship.
  public func pilots(of starship: Starship) async throws -> [Person] { try await follow(starship.pilots, person) }
  /// Returns the characters who drive a vehicle.
  public func pilots(of vehicle: Vehicle) async throws -> [Person] { try await follow(vehicle.pilots, person) }
  /// Returns the characters of a species.
  public func people(of species: Species) async throws -> [Person] { try await follow(species.people, person) }
  /// Returns the characters that live on a planet.
  public func residents(of planet: Planet) async throws -> [Person] { try await follow(planet.residents, person) }

  /// Returns the planet on which a character was born; nil if it is unknown.
  public func homeworld(of person: Person) async throws -> Planet? {
    guard let homeworld = person.homeworld else { return nil }
    return try await planet(homeworld.id)
  }

  private func follow<Resource: Sendable>(
    _ links: [Link<Resource>], _ get: @escaping One<Resource>
  ) async throws -> [Resource] {
    try await links.map(atMost: Self.concurrency) { try await get($0.id) }
  }
}

extension Array where Element: Sendable {
  /// Transforms all elements with limited concurrency.
  ///
  /// The first failure cancels the remaining transformations.
  func map<Value: Sendable>(
    atMost limit: Int, _ transform: @escaping @Sendable (Element) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      var waiting = enumerated().makeIterator()
      func startNext() {
        guard let (index, element) = waiting.next() else { return }
        group.addTask { (index, try await transform(element)) }
      }
      for _ in 0..<limit { startNext() }
      var values: [Int: Value] = [:]
      while let (index, value) = try await group.next() {
        values[index] = value
        startNext()
      }
      return indices.compactMap { values[$0] }
    }
  }
}
