public import Foundation

/// A planet.
public struct Planet: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The name of the planet.
  public var name: String
  /// The length of a day in hours.
  @Numeral public var rotationPeriod: Int?
  /// The length of a year in days.
  @Numeral public var orbitalPeriod: Int?
  /// The diameter in kilometers.
  @Numeral public var diameter: Int?
  /// The climates, separated by commas.
  public var climate = "unknown"
  /// The gravity, such as "1 standard".
  public var gravity = "unknown"
  /// The terrains, separated by commas.
  public var terrain = "unknown"
  /// The percentage of the surface covered by water.
  @Numeral public var surfaceWater: Double?
  /// The number of inhabitants.
  @Numeral public var population: Int?
  /// The characters that live on the planet.
  public var residents: [Link<Person>] = []
  /// The films in which the planet appears.
  public var films: [Link<Film>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Planet>

  /// Creates a planet for tests and previews.
  ///
  /// Other members are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: The number of the resource.
  ///   - name: The name.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
