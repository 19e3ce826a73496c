/// A kind of resource; its name is part of the URL.
public enum ResourceKind: String, Sendable, CaseIterable {
  /// Films, searched by title.
  case films
  /// Characters, searched by name.
  case people
  /// Planets, searched by name.
  case planets
  /// Species, searched by name.
  case species
  /// Starships, searched by name and model.
  case starships
  /// Vehicles, searched by name and model.
  case vehicles
}

/// The kinds of resources that can be searched for, which are all.
public typealias SearchKind = ResourceKind

/// A resource found by a search.
public enum SearchResult: Hashable, Sendable {
  /// A film.
  case film(Film)
  /// A character.
  case person(Person)
  /// A planet.
  case planet(Planet)
  /// A species.
  case species(Species)
  /// A starship.
  case starship(Starship)
  /// A vehicle.
  case vehicle(Vehicle)

  /// The name or title of the resource.
  public var name: String {
    switch self {
    case .film(let film): film.title
    case .person(let person): person.name
    case .planet(let planet): planet.name
    case .species(let species): species.name
    case .starship(let starship): starship.name
    case .vehicle(let vehicle): vehicle.name
    }
  }
}
