public import Foundation

/// A repository.
public struct Repository: Codable, Hashable, Sendable, Identifiable {
  /// The permissions of the signed-in user in a repository.
  public struct Permissions: Codable, Hashable, Sendable {
    /// True if the user may change settings.
    public var admin: Bool
    /// True if the user may push.
    public var push: Bool
    /// True if the user may read.
    public var pull: Bool

    /// Creates permissions.
    public init(admin: Bool = false, push: Bool = false, pull: Bool = true) {
      (self.admin, self.push, self.pull) = (admin, push, pull)
    }
  }

  /// The unique number, which never changes.
  public var id: Int
  /// The name without the owner.
  public var name: String
  /// The owner and the name, such as `kean/Nuke`.
  public var fullName: String
  /// The owner.
  public var owner: User
  /// True if the repository is private.
  public var isPrivate: Bool
  /// True if the repository is a fork.
  public var isFork: Bool?
  /// True if the repository is archived and therefore read-only.
  public var isArchived: Bool?
  /// A short description.
  public var description: String?
  /// The URL of the home page, as entered by the owner.
  public var homepage: String?
  /// The most frequent programming language.
  public var language: String?
  /// The number of stars.
  public var stargazersCount: Int?
  /// The number of forks.
  public var forksCount: Int?
  /// The number of open issues and pull requests.
  public var openIssuesCount: Int?
  /// The topics by which the repository can be found.
  public var topics: [String]?
  /// The default branch.
  public var defaultBranch: String?
  /// The permissions of the signed-in user.
  public var permissions: Permissions?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the web page.
  public var htmlURL: URL?
  /// The time of creation.
  public var createdAt: Date?
  /// The time of the last change of the settings.
  public var updatedAt: Date?
  /// The time of the last push; nil for an empty repository.
  public var pushedAt: Date?

  /// Creates a repository.
  ///
  /// Omitted members are unknown.
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
