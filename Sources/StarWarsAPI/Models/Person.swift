public import Foundation

/// A character.
public struct Person: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The name of the character.
  public var name: String
  /// The height in centimetres.
  @Numeral public var height: Int?
  /// The mass in kilograms.
  @Numeral public var mass: Double?
  /// The colour of the hair: "blond", "none", "n/a".
  public var hairColor = "unknown"
  /// The colour of the skin.
  public var skinColor = "unknown"
  /// The colour of the eyes.
  public var eyeColor = "unknown"
  /// The year of birth, before or after the Battle of Yavin: "19BBY".
  public var birthYear = "unknown"
  /// The gender, "n/a" for droids.
  public var gender = "unknown"
  /// The planet on which the character was born.
  public var homeworld: Link<Planet>?
  /// The films the character is in.
  public var films: [Link<Film>] = []
  /// The species; empty for human.
  public var species: [Link<Species>] = []
  /// The vehicles that the character drives.
  public var vehicles: [Link<Vehicle>] = []
  /// The starships that the character flies.
  public var starships: [Link<Starship>] = []
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Person>

  /// Creates a person for tests and previews; members not given are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
