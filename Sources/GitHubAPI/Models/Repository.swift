public import Foundation

/// A repository.
public struct Repository: Codable, Hashable, Sendable, Identifiable {
  /// The rights of the signed-in user in a repository.
  public struct Permissions: Codable, Hashable, Sendable {
    /// True if settings can be changed.
    public var admin: Bool
    /// True if it can be written to.
    public var push: Bool
    /// True if it can be read.
    public var pull: Bool

    /// Creates permissions.
    public init(admin: Bool = false, push: Bool = false, pull: Bool = true) {
      (self.admin, self.push, self.pull) = (admin, push, pull)
    }
  }

  /// The number that never changes.
  public var id: Int
  /// The name within its owner's repositories.
  public var name: String
  /// The owner and the name: `kean/Nuke`.
  public var fullName: String
  /// The owner.
  public var owner: User
  /// True if only invited users see it.
  public var isPrivate: Bool
  /// True if it is a copy of another's.
  public var isFork: Bool?
  /// True if it can only be read.
  public var isArchived: Bool?
  /// A line about it.
  public var description: String?
  /// The home page, as the owner spells it.
  public var homepage: String?
  /// The language of most of its files.
  public var language: String?
  /// The number of stars.
  public var stargazersCount: Int?
  /// The number of forks.
  public var forksCount: Int?
  /// The number of open issues and pull requests.
  public var openIssuesCount: Int?
  /// The words it is found by.
  public var topics: [String]?
  /// The branch that is shown first.
  public var defaultBranch: String?
  /// The rights of the signed-in user.
  public var permissions: Permissions?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the page.
  public var htmlURL: URL?
  /// The time it was made.
  public var createdAt: Date?
  /// The time its settings last changed.
  public var updatedAt: Date?
  /// The time of the last push; nil when it is empty.
  public var pushedAt: Date?

  /// Creates a repository; members that are left out are unknown.
  public init(
    id: Int, name: String, owner: User, isPrivate: Bool = false, isFork: Bool? = nil, isArchived: Bool? = nil,
    description: String? = nil, homepage: String? = nil, language: String? = nil, stargazersCount: Int? = nil,
    forksCount: Int? = nil, openIssuesCount: Int? = nil, topics: [String]? = nil, defaultBranch: String? = nil,
    permissions: Permissions? = nil, url: URL? = nil, htmlURL: URL? = nil, createdAt: Date? = nil,
    updatedAt: Date? = nil, pushedAt: Date? = nil
  ) {
    (self.id, self.name, self.fullName, self.owner) = (id, name, "\(owner.login)/\(name)", owner)
    (self.isPrivate, self.isFork, self.isArchived) = (isPrivate, isFork, isArchived)
    (self.description, self.homepage, self.language) = (description, homepage, language)
    (self.stargazersCount, self.forksCount, self.openIssuesCount) = (stargazersCount, forksCount, openIssuesCount)
    (self.topics, self.defaultBranch, self.permissions) = (topics, defaultBranch, permissions)
    (self.url, self.htmlURL) = (url, htmlURL)
    (self.createdAt, self.updatedAt, self.pushedAt) = (createdAt, updatedAt, pushedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, description, homepage, owner, language, topics, permissions, url
    case fullName = "full_name"
    case isPrivate = "private"
    case isFork = "fork"
    case isArchived = "archived"
    case stargazersCount = "stargazers_count"
    case forksCount = "forks_count"
    case openIssuesCount = "open_issues_count"
    case defaultBranch = "default_branch"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case pushedAt = "pushed_at"
  }
}
