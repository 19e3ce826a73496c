public import Foundation

/// A character.
public struct Person: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// What it is called.
  public var name: String
  /// Centimetres.
  @Numeral public var height: Int?
  /// Kilograms.
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
  /// Where the character was born.
  public var homeworld: Link<Planet>?
  /// The films the character is in.
  public var films: [Link<Film>] = []
  /// The species; nothing stands for human.
  public var species: [Link<Species>] = []
  /// What the character drives.
  public var vehicles: [Link<Vehicle>] = []
  /// What the character flies.
  public var starships: [Link<Starship>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Person>

  /// A person of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
