public import Foundation

/// What flies between planets.
public struct Starship: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// What it is called.
  public var name: String
  /// The model.
  public var model = ""
  /// Who builds it.
  public var manufacturer = ""
  /// What a new one costs.
  @Numeral public var costInCredits: Int?
  /// Metres.
  @Numeral public var length: Double?
  /// The greatest speed in the atmosphere, nil where it cannot fly in one.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// How many it takes to fly it; nil when that is a range.
  @Numeral public var crew: Int?
  /// How many it carries beside the crew.
  @Numeral public var passengers: Int?
  /// Kilograms.
  @Numeral public var cargoCapacity: Int?
  /// How long it does without supplies: "2 months".
  public var consumables = "unknown"
  /// The class of its hyperdrive.
  @Numeral public var hyperdriveRating: Double?
  /// Megalights an hour.
  @Numeral public var mglt: Int?
  /// Its class.
  public var starshipClass = ""
  /// Who flies it.
  public var pilots: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Starship>

  /// A starship of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }

  private enum CodingKeys: String, CodingKey {
    case name
    case model
    case manufacturer
    case costInCredits
    case length
    case maxAtmospheringSpeed
    case crew
    case passengers
    case cargoCapacity
    case consumables
    case hyperdriveRating
    case mglt = "MGLT"
    case starshipClass
    case pilots
    case films
    case created
    case edited
    case url
  }
}
