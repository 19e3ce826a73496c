/// What can be searched for.
public enum SearchKind: String, Sendable, CaseIterable {
  /// Films, by title.
  case films
  /// Characters, by name.
  case people
  /// Planets, by name.
  case planets
  /// Starships, by name or model.
  case starships
}

/// Something that was found.
public enum SearchResult: Hashable, Sendable {
  /// A film.
  case film(Film)
  /// A character.
  case person(Person)
  /// A planet.
  case planet(Planet)
  /// A starship.
  case starship(Starship)

  /// What it is called.
  public var name: String {
    switch self {
    case .film(let film): film.title
    case .person(let person): person.name
    case .planet(let planet): planet.name
    case .starship(let starship): starship.name
    }
  }
}
