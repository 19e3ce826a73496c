public import Foundation

/// A film.
public struct Film: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The title.
  public var title: String
  /// The episode number, which differs from the order of release.
  public var episodeId = 0
  /// The text of the opening crawl.
  public var openingCrawl = ""
  /// The director.
  public var director = ""
  /// The producer; several are separated by commas.
  public var producer = ""
  /// The release date, at midnight UTC; nil if unknown.
  public var releaseDate: Date?
  /// The characters in the film.
  public var characters: [Link<Person>] = []
  /// The planets on which it takes place.
  public var planets: [Link<Planet>] = []
  /// The starships in the film.
  public var starships: [Link<Starship>] = []
  /// The vehicles in the film.
  public var vehicles: [Link<Vehicle>] = []
  /// The species in the film.
  public var species: [Link<Species>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Film>

  /// Creates a film for tests and previews.
  ///
  /// Other members are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: The number of the resource.
  ///   - title: The title.
  public init(id: Int, title: String) {
    url = Link(id)
    self.title = title
  }
}
