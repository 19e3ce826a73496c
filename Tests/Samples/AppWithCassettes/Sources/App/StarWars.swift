import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app's client of the Star Wars API.
public struct StarWars: Sendable {
  /// A person with the URLs of related data.
  public struct Person: Decodable, Sendable {
    /// The name.
    public let name: String
    /// The URLs of the person's starships.
    public let starships: [String]
  }

  /// A starship.
  public struct Starship: Decodable, Sendable {
    /// The name.
    public let name: String
  }

  private let client: JSONClient

  /// Creates a client; the app uses both defaults.
  public init(baseURL: String = "https://swapi.dev", session: URLSession = .shared) {
    client = JSONClient(baseURL: baseURL, session: session)
  }

  /// Fetches a person.
  public func person(_ number: Int) async throws -> Person { try await client.get("/api/people/\(number)/") }

  /// Fetches the starships of a person, one after the other.
  public func starships(of person: Person) async throws -> [Starship] {
    var starships: [Starship] = []
    for address in person.starships { starships.append(try await client.get(address)) }
    return starships
  }
}
