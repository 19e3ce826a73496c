public import Foundation

/// A species.
public struct Species: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The name of the species.
  public var name: String
  /// The class of animal: "mammal".
  public var classification = "unknown"
  /// The designation: "sentient", for one.
  public var designation = "unknown"
  /// The average height in centimetres.
  @Numeral public var averageHeight: Int?
  /// Years, nil for those who live indefinitely.
  @Numeral public var averageLifespan: Int?
  /// The colours of the skin, separated by commas.
  public var skinColors = "unknown"
  /// The colours of the hair, separated by commas.
  public var hairColors = "unknown"
  /// The colours of the eyes, separated by commas.
  public var eyeColors = "unknown"
  /// The language.
  public var language = "unknown"
  /// The planet that it comes from.
  public var homeworld: Link<Planet>?
  /// The characters of the species.
  public var people: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Species>

  /// Creates a species for tests and previews; members not given are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
