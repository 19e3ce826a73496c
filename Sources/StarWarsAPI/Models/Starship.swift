public import Foundation

/// A craft that flies between planets.
public struct Starship: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The name of the starship.
  public var name: String
  /// The model.
  public var model = ""
  /// The manufacturer.
  public var manufacturer = ""
  /// The price when new, in credits.
  @Numeral public var costInCredits: Int?
  /// The length in meters.
  @Numeral public var length: Double?
  /// The maximum speed in the atmosphere; nil if the starship cannot fly there.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// The number of people needed to fly the starship; nil if the API gives a range.
  @Numeral public var crew: Int?
  /// The number of passengers in addition to the crew.
  @Numeral public var passengers: Int?
  /// The maximum cargo in kilograms.
  @Numeral public var cargoCapacity: Int?
  /// The maximum time without new supplies, such as "2 months".
  public var consumables = "unknown"
  /// The class of the hyperdrive.
  @Numeral public var hyperdriveRating: Double?
  /// The speed in megalights per hour.
  @Numeral public var mglt: Int?
  /// The class of the starship.
  public var starshipClass = ""
  /// The characters that fly the starship.
  public var pilots: [Link<Person>] = []
  /// The films in which the resource appears.
  public var films: [Link<Film>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Starship>

  /// Creates a starship for tests and previews.
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
