/// What resources link to: it is asked for through the client's members, so that replacing `person` replaces the cast, too.
extension StarWarsClient {
  /// How many related resources are asked for at once.
  public static let concurrency = 4

  /// The characters of a film, in its order.
  public func characters(of film: Film) async throws -> [Person] { try await follow(film.characters, person) }
  /// The planets of a film, in its order.
  public func planets(of film: Film) async throws -> [Planet] { try await follow(film.planets, planet) }
  /// The starships of a film, in its order.
  public func starships(of film: Film) async throws -> [Starship] { try await follow(film.starships, starship) }
  /// The vehicles of a film, in its order.
  public func vehicles(of film: Film) async throws -> [Vehicle] { try await follow(film.vehicles, vehicle) }
  /// The species of a film, in its order.
  public func species(of film: Film) async throws -> [Species] { try await follow(film.species, species) }
  /// The films a character is in.
  public func films(of person: Person) async throws -> [Film] { try await follow(person.films, film) }
  /// The starships a character flies.
  public func starships(of person: Person) async throws -> [Starship] { try await follow(person.starships, starship) }
  /// The vehicles a character drives.
  public func vehicles(of person: Person) async throws -> [Vehicle] { try await follow(person.vehicles, vehicle) }
  /// The species of a character.
  public func species(of person: Person) async throws -> [Species] { try await follow(person.species, species) }
  /// The characters who fly a starship.
  public func pilots(of starship: Starship) async throws -> [Person] { try await follow(starship.pilots, person) }
  /// The characters who drive a vehicle.
  public func pilots(of vehicle: Vehicle) async throws -> [Person] { try await follow(vehicle.pilots, person) }
  /// The characters of a species.
  public func people(of species: Species) async throws -> [Person] { try await follow(species.people, person) }
  /// Who lives on a planet.
  public func residents(of planet: Planet) async throws -> [Person] { try await follow(planet.residents, person) }

  /// Where a character comes from, if anybody knows.
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
  /// Transforms all elements, a few of them at a time; the first that fails cancels the others.
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
