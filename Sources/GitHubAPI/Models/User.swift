public import Foundation

/// A person or an organization.
public struct User: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The name that may change.
  public var login: String
  /// The name in full.
  public var name: String?
  /// What is said about it.
  public var bio: String?
  /// The address, if it is public.
  public var email: String?
  /// How many follow.
  public var followers: Int?
  /// How many repositories anybody can see.
  public var publicRepos: Int?
  /// The picture.
  public var avatarURL: URL?
  /// The page.
  public var htmlURL: URL?
  /// Since when it is there.
  public var createdAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, login, name, bio, email, followers
    case publicRepos = "public_repos"
    case avatarURL = "avatar_url"
    case htmlURL = "html_url"
    case createdAt = "created_at"
  }
}

/// An address of a user.
public struct Email: Codable, Hashable, Sendable {
  /// The address.
  public var email: String
  /// Whether it is the first.
  public var primary: Bool
  /// Whether it was shown to be the user's own.
  public var verified: Bool
  /// Who sees it.
  public var visibility: String?
}
