public import Foundation

/// A character.
public struct Person: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The name of the character.
  public var name: String
  /// The height in centimeters.
  @Numeral public var height: Int?
  /// The mass in kilograms.
  @Numeral public var mass: Double?
  /// The color of the hair, such as "blond", "none" or "n/a".
  public var hairColor = "unknown"
  /// The color of the skin.
  public var skinColor = "unknown"
  /// The color of the eyes.
  public var eyeColor = "unknown"
  /// The year of birth relative to the Battle of Yavin, such as "19BBY".
  public var birthYear = "unknown"
  /// The gender, which is "n/a" for droids.
  public var gender = "unknown"
  /// The planet on which the character was born.
  public var homeworld: Link<Planet>?
  /// The films in which the character appears.
  public var films: [Link<Film>] = []
  /// The species, which is empty for humans.
  public var species: [Link<Species>] = []
  /// The vehicles that the character drives.
  public var vehicles: [Link<Vehicle>] = []
  /// The starships that the character flies.
  public var starships: [Link<Starship>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Person>

  /// Creates a person for tests and previews.
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
