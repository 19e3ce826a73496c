import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app's client of GitHub, which does not use cassettes itself.
public struct GitHub: Sendable {
  /// A developer's profile.
  public struct Developer: Decodable, Sendable {
    /// The name in URLs.
    public let login: String
    /// The name for display.
    public let name: String?
  }

  /// A repository of a developer.
  public struct Repository: Decodable, Sendable {
    /// The name without the owner.
    public let name: String
    /// The number of stars.
    public let stargazersCount: Int
  }

  private let client: JSONClient

  /// Creates a client; the app uses both defaults.
  public init(baseURL: String = "https://api.github.com", session: URLSession = .shared) {
    client = JSONClient(baseURL: baseURL, session: session)
  }

  /// Fetches a profile.
  public func developer(_ login: String) async throws -> Developer { try await client.get("/users/\(login)") }

  /// Fetches all repositories of a developer, page by page.
  public func repositories(of login: String) async throws -> [Repository] {
    var repositories: [Repository] = []
    var page: String? = "/users/\(login)/repos"
    while let location = page {
      let (more, next): ([Repository], String?) = try await client.page(location)
      repositories += more
      page = next
    }
    return repositories
  }
}
