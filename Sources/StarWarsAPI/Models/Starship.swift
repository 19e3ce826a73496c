public import Foundation

/// A craft that flies between planets.
public struct Starship: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The name of the starship.
  public var name: String
  /// The model.
  public var model = ""
  /// The manufacturer.
  public var manufacturer = ""
  /// The price of a new one.
  @Numeral public var costInCredits: Int?
  /// The length in metres.
  @Numeral public var length: Double?
  /// The greatest speed in the atmosphere, nil where it cannot fly in one.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// The number of people needed to fly it; nil when that is a range.
  @Numeral public var crew: Int?
  /// The number of people it carries beside the crew.
  @Numeral public var passengers: Int?
  /// The greatest cargo in kilograms.
  @Numeral public var cargoCapacity: Int?
  /// The time that it does without supplies: "2 months".
  public var consumables = "unknown"
  /// The class of its hyperdrive.
  @Numeral public var hyperdriveRating: Double?
  /// The speed in megalights an hour.
  @Numeral public var mglt: Int?
  /// The class of the starship.
  public var starshipClass = ""
  /// The characters that fly it.
  public var pilots: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Starship>

  /// Creates a starship for tests and previews; members not given are empty or unknown.
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
