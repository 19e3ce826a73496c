/// A kind of resource; its name is part of the URL.
public enum ResourceKind: String, Sendable, CaseIterable {
  /// Films; a search looks at the title.
  case films
  /// Characters; a search looks at the name.
  case people
  /// Planets; a search looks at the name.
  case planets
  /// Species; a search looks at the name.
  case species
  /// Starships; a search looks at name and model.
  case starships
  /// Vehicles; a search looks at name and model.
  case vehicles
}

/// The kinds that can be searched for: all of them.
public typealias SearchKind = ResourceKind

/// A resource that a search found.
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
