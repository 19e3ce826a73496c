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

/// Something that was reported.
public struct Issue: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// In a few words.
  public var title: String
  /// In many.
  public var body: String?
  /// `open` or `closed`.
  public var state: String
  /// Who reported it.
  public var user: User?
  /// When.
  public var createdAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, number, title, body, state, user
    case createdAt = "created_at"
  }
}

/// Something to report.
public struct NewIssue: Codable, Hashable, Sendable {
  /// In a few words.
  public var title: String?
  /// In many.
  public var body: String?

  /// Something to report.
  public init(title: String?, body: String? = nil) { (self.title, self.body) = (title, body) }
}

/// A change that is offered.
public struct PullRequest: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// In a few words.
  public var title: String
  /// `open` or `closed`.
  public var state: String
  /// Whether it is not ready yet.
  public var draft: Bool?
  /// Who offers it.
  public var user: User?
}

/// A version that was released.
public struct Release: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The tag it was made of.
  public var tagName: String
  /// The name.
  public var name: String?
  /// Whether it is not for everybody yet.
  public var prerelease: Bool
  /// The files.
  public var assets: [Asset]
  /// When it was released.
  public var publishedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, name, prerelease, assets
    case tagName = "tag_name"
    case publishedAt = "published_at"
  }
}

/// A file of a release.
public struct Asset: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The file's name.
  public var name: String
  /// How many bytes.
  public var size: Int
  /// The media type.
  public var contentType: String
  /// How often it was fetched.
  public var downloadCount: Int

  private enum CodingKeys: String, CodingKey {
    case id, name, size
    case contentType = "content_type"
    case downloadCount = "download_count"
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
