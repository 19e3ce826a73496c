public import Foundation

/// What drives or flies on one planet.
public struct Vehicle: Decodable, Hashable, Sendable, Identifiable {
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
  /// The greatest speed in the atmosphere.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// How many it takes to drive it.
  @Numeral public var crew: Int?
  /// How many it carries beside the crew.
  @Numeral public var passengers: Int?
  /// Kilograms.
  @Numeral public var cargoCapacity: Int?
  /// How long it does without supplies.
  public var consumables = "unknown"
  /// Its class.
  public var vehicleClass = ""
  /// Who drives it.
  public var pilots: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// When it was added to the API.
  public var created = Date.distantPast
  /// When it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Vehicle>

  /// A vehicle of one's own; what is not said of it is empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
