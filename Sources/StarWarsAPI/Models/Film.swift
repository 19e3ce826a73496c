public import Foundation

/// A film.
public struct Film: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// What it is called.
  public var title: String
  /// The number of its episode, which is not the order of its release.
  public var episodeId = 0
  /// The text that crawls away at the beginning.
  public var openingCrawl = ""
  /// Who directed it.
  public var director = ""
  /// Who produced it; several are separated by commas.
  public var producer = ""
  /// The day of its release, at midnight UTC.
  public var releaseDate: Date?
  /// Who is in it.
  public var characters: [Link<Person>] = []
  /// Where it takes place.
  public var planets: [Link<Planet>] = []
  /// What flies in it.
  public var starships: [Link<Starship>] = []
  /// What drives in it.
  public var vehicles: [Link<Vehicle>] = []
  /// Which species are in it.
  public var species: [Link<Species>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Film>

  /// A film of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: What it is called.
  public init(id: Int, title: String) {
    url = Link(id)
    self.title = title
  }
}
