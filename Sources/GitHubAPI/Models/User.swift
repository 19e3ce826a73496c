public import Foundation

/// A person, an organization or a bot.
public struct User: Codable, Hashable, Sendable, Identifiable {
  /// The number that never changes.
  public var id: Int
  /// The name in URLs; it may change.
  public var login: String
  /// `User`, `Organization` or `Bot`.
  public var type: String?
  /// The full name.
  public var name: String?
  /// The company, as the person spells it.
  public var company: String?
  /// The home page, as the person spells it.
  public var blog: String?
  /// The place, as the person spells it.
  public var location: String?
  /// The public address, if there is one.
  public var email: String?
  /// The text of the profile.
  public var bio: String?
  /// The number of followers; nil in lists.
  public var followers: Int?
  /// The number of people this one follows; nil in lists.
  public var following: Int?
  /// The number of public repositories; nil in lists.
  public var publicRepos: Int?
  /// The number of public gists; nil in lists.
  public var publicGists: Int?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the picture.
  public var avatarURL: URL?
  /// The URL of the page.
  public var htmlURL: URL?
  /// The time the account was made; nil in lists.
  public var createdAt: Date?
  /// The time the profile last changed; nil in lists.
  public var updatedAt: Date?

  /// Creates a user; members that are left out are unknown.
  public init(
    id: Int, login: String, type: String? = "User", name: String? = nil, company: String? = nil, blog: String? = nil,
    location: String? = nil, email: String? = nil, bio: String? = nil, followers: Int? = nil, following: Int? = nil,
    publicRepos: Int? = nil, publicGists: Int? = nil, url: URL? = nil, avatarURL: URL? = nil, htmlURL: URL? = nil,
    createdAt: Date? = nil, updatedAt: Date? = nil
  ) {
    (self.id, self.login, self.type, self.name) = (id, login, type, name)
    (self.company, self.blog, self.location, self.email, self.bio) = (company, blog, location, email, bio)
    (self.followers, self.following) = (followers, following)
    (self.publicRepos, self.publicGists) = (publicRepos, publicGists)
    (self.url, self.avatarURL, self.htmlURL) = (url, avatarURL, htmlURL)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, login, type, name, company, blog, location, email, bio, followers, following, url
    case publicRepos = "public_repos"
    case publicGists = "public_gists"
    case avatarURL = "avatar_url"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}

/// An e-mail address of the signed-in user.
public struct Email: Codable, Hashable, Sendable {
  /// The address.
  public var email: String
  /// True if it is the one that GitHub writes to.
  public var primary: Bool
  /// True if the user has confirmed it.
  public var verified: Bool
  /// `public` or `private`; nil for an address that is not the primary one.
  public var visibility: String?

  /// Creates an address.
  public init(email: String, primary: Bool = false, verified: Bool = false, visibility: String? = nil) {
    (self.email, self.primary, self.verified, self.visibility) = (email, primary, verified, visibility)
  }
}
