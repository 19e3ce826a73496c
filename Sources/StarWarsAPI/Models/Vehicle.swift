public import Foundation

/// A craft that drives or flies on one planet.
public struct Vehicle: Decodable, Hashable, Sendable, Identifiable {
  /// The number that ``StarWarsClient`` asks for it by.
  public var id: Int { url.id }
  /// The name of the vehicle.
  public var name: String
  /// The model.
  public var model = ""
  /// The manufacturer.
  public var manufacturer = ""
  /// The price of a new one.
  @Numeral public var costInCredits: Int?
  /// The length in metres.
  @Numeral public var length: Double?
  /// The greatest speed in the atmosphere.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// The number of people needed to drive it.
  @Numeral public var crew: Int?
  /// The number of people it carries beside the crew.
  @Numeral public var passengers: Int?
  /// The greatest cargo in kilograms.
  @Numeral public var cargoCapacity: Int?
  /// The time that it does without supplies.
  public var consumables = "unknown"
  /// The class of the vehicle.
  public var vehicleClass = ""
  /// The characters that drive it.
  public var pilots: [Link<Person>] = []
  /// The films it is in.
  public var films: [Link<Film>] = []
  /// The time at which it was added to the API.
  public var created = Date.distantPast
  /// The time at which it was last changed there.
  public var edited = Date.distantPast
  /// The link that leads to it.
  public var url: Link<Vehicle>

  /// Creates a vehicle for tests and previews; members not given are empty or unknown.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: What it is called.
  public init(id: Int, name: String) {
    url = Link(id)
    self.name = name
  }
}
