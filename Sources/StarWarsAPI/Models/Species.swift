public import Foundation

/// A species.
public struct Species: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// What it is called.
  public var name: String
  /// What it is: "mammal".
  public var classification = "unknown"
  /// Whether it is sentient.
  public var designation = "unknown"
  /// Centimetres.
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
  /// Where it comes from.
  public var homeworld: Link<Planet>?
  /// Its characters.
  public var people: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Species>

  /// A species of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
