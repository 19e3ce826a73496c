public import Foundation

/// A species.
public struct Species: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The name of the species.
  public var name: String
  /// The class of animal, such as "mammal".
  public var classification = "unknown"
  /// The designation, such as "sentient".
  public var designation = "unknown"
  /// The average height in centimeters.
  @Numeral public var averageHeight: Int?
  /// The average lifespan in years; nil for species that live indefinitely.
  @Numeral public var averageLifespan: Int?
  /// The colors of the skin, separated by commas.
  public var skinColors = "unknown"
  /// The colors of the hair, separated by commas.
  public var hairColors = "unknown"
  /// The colors of the eyes, separated by commas.
  public var eyeColors = "unknown"
  /// The language.
  public var language = "unknown"
  /// The planet from which the species originates.
  public var homeworld: Link<Planet>?
  /// The characters of the species.
  public var people: [Link<Person>] = []
  /// The films in which the resource appears.
  public var films: [Link<Film>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Species>

  /// Creates a species for tests and previews.
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
