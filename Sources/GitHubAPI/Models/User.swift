public import Foundation

/// A person, an organization or a bot.
public struct User: Codable, Hashable, Sendable, Identifiable {
  /// The unique number, which never changes.
  public var id: Int
  /// The login, which occurs in URLs and may change.
  public var login: String
  /// `User`, `Organization` or `Bot`.
  public var type: String?
  /// The full name.
  public var name: String?
  /// The company, as entered by the user.
  public var company: String?
  /// The URL of the home page, as entered by the user.
  public var blog: String?
  /// The location, as entered by the user.
  public var location: String?
  /// The public e-mail address; nil if there is none.
  public var email: String?
  /// The text of the profile.
  public var bio: String?
  /// The number of followers; nil in lists.
  public var followers: Int?
  /// The number of users that this user follows; nil in lists.
  public var following: Int?
  /// The number of public repositories; nil in lists.
  public var publicRepos: Int?
  /// The number of public gists; nil in lists.
  public var publicGists: Int?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the profile picture.
  public var avatarURL: URL?
  /// The URL of the web page.
  public var htmlURL: URL?
  /// The time at which the account was created; nil in lists.
  public var createdAt: Date?
  /// The time of the last change of the profile; nil in lists.
  public var updatedAt: Date?

  /// Creates a user.
  ///
  /// Omitted members are unknown.
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
  /// True for the address to which GitHub sends messages.
  public var primary: Bool
  /// True if the user has confirmed the address.
  public var verified: Bool
  /// The visibility, `public` or `private`; nil for an address that is not the primary one.
  public var visibility: String?

  /// Creates an address.
  public init(email: String, primary: Bool = false, verified: Bool = false, visibility: String? = nil) {
    (self.email, self.primary, self.verified, self.visibility) = (email, primary, verified, visibility)
  }
}
