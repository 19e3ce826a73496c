public import Foundation

/// A planet.
public struct Planet: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The name of the planet.
  public var name: String
  /// The length of a day in hours.
  @Numeral public var rotationPeriod: Int?
  /// The length of a year in days.
  @Numeral public var orbitalPeriod: Int?
  /// The diameter in kilometres.
  @Numeral public var diameter: Int?
  /// The climates, separated by commas.
  public var climate = "unknown"
  /// The gravity: "1 standard".
  public var gravity = "unknown"
  /// The terrains, separated by commas.
  public var terrain = "unknown"
  /// The share of the surface that is water, in percent.
  @Numeral public var surfaceWater: Double?
  /// The number of inhabitants.
  @Numeral public var population: Int?
  /// The characters that live there.
  public var residents: [Link<Person>] = []
  /// The films that show it.
  public var films: [Link<Film>] = []
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Planet>

  /// Creates a planet for tests and previews; members not given are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
