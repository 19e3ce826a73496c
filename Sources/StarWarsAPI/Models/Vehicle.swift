public import Foundation

/// A craft that drives or flies on one planet.
public struct Vehicle: Decodable, Hashable, Sendable, Identifiable {
  /// The number that identifies the resource in calls of ``StarWarsClient``.
  public var id: Int { url.id }
  /// The name of the vehicle.
  public var name: String
  /// The model.
  public var model = ""
  /// The manufacturer.
  public var manufacturer = ""
  /// The price when new, in credits.
  @Numeral public var costInCredits: Int?
  /// The length in meters.
  @Numeral public var length: Double?
  /// The maximum speed in the atmosphere.
  @Numeral public var maxAtmospheringSpeed: Int?
  /// The number of people needed to drive the vehicle.
  @Numeral public var crew: Int?
  /// The number of passengers in addition to the crew.
  @Numeral public var passengers: Int?
  /// The maximum cargo in kilograms.
  @Numeral public var cargoCapacity: Int?
  /// The maximum time without new supplies, such as "2 months".
  public var consumables = "unknown"
  /// The class of the vehicle.
  public var vehicleClass = ""
  /// The characters that drive the vehicle.
  public var pilots: [Link<Person>] = []
  /// The films in which the resource appears.
  public var films: [Link<Film>] = []
  /// The time at which the resource was added to the API.
  public var created = Date.distantPast
  /// The time at which the resource was last changed in the API.
  public var edited = Date.distantPast
  /// The link to this resource.
  public var url: Link<Vehicle>

  /// Creates a vehicle for tests and previews.
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
