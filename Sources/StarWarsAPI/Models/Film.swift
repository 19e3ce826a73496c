public import Foundation

/// A film.
public struct Film: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The title.
  public var title: String
  /// The number of its episode, which is not the order of its release.
  public var episodeId = 0
  /// The text that crawls away at the beginning.
  public var openingCrawl = ""
  /// The director.
  public var director = ""
  /// The producer; several are separated by commas.
  public var producer = ""
  /// The day of its release, at midnight UTC.
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
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Film>

  /// Creates a film for tests and previews; members not given are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: What it is called.
  public init(id: Int, title: String) {
    url = Link(id)
    self.title = title
  }
}
