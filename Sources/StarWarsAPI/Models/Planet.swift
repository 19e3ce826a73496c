public import Foundation

/// A planet.
public struct Planet: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// What it is called.
  public var name: String
  /// Hours of a day.
  @Numeral public var rotationPeriod: Int?
  /// Days of a year.
  @Numeral public var orbitalPeriod: Int?
  /// Kilometres.
  @Numeral public var diameter: Int?
  /// The climates, separated by commas.
  public var climate = "unknown"
  /// The gravity: "1 standard".
  public var gravity = "unknown"
  /// The terrains, separated by commas.
  public var terrain = "unknown"
  /// Percent of the surface that is water.
  @Numeral public var surfaceWater: Double?
  /// How many live there.
  @Numeral public var population: Int?
  /// The characters that live there.
  public var residents: [Link<Person>] = []
  /// The films that show it.
  public var films: [Link<Film>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Planet>

  /// A planet of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
