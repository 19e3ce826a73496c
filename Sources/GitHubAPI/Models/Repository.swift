public import Foundation

/// A repository.
public struct Repository: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The name.
  public var name: String
  /// The owner and the name.
  public var fullName: String
  /// What it is for.
  public var description: String?
  /// Whose it is.
  public var owner: User
  /// Whether only some see it.
  public var isPrivate: Bool
  /// The language of most of it.
  public var language: String?
  /// How many like it.
  public var stargazersCount: Int?
  /// The page.
  public var htmlURL: URL?
  /// When it last changed.
  public var updatedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, name, description, owner, language
    case fullName = "full_name"
    case isPrivate = "private"
    case stargazersCount = "stargazers_count"
    case htmlURL = "html_url"
    case updatedAt = "updated_at"
  }
}

/// What a search found.
public struct SearchResult<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// How many there are.
  public var totalCount: Int
  /// Some of them.
  public var items: [Item]

  private enum CodingKeys: String, CodingKey {
    case items
    case totalCount = "total_count"
  }
}
