public import APIClientKit

/// The resource `/user`, the signed-in user.
public struct CurrentUserResource: Sendable {
  let path: String
  /// Retrieves the user.
  public var get: Request<User> { .get(path) }
  /// The e-mail addresses.
  public var emails: EmailsResource { EmailsResource(path: path + "/emails") }
  /// The followers of the user.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The users that the user follows.
  public var following: Listing<User> { Listing(path: path + "/following") }
  /// The repositories that the user can read, including private ones.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
  /// Changes the members that are not nil.
  public func patch(name: String? = nil, bio: String? = nil) -> Request<User> {
    .patch(path, body: ["name": name, "bio": bio].compactMapValues { $0 })
  }
}

/// The resource `/user/emails`.
public struct EmailsResource: Sendable {
  let path: String
  /// Retrieves the addresses.
  public var get: Request<[Email]> { .get(path) }
  /// Adds addresses.
  public func post(_ emails: [String]) -> Request<[Email]> { .post(path, body: ["emails": emails]) }
  /// Removes addresses.
  public func delete(_ emails: [String]) -> Request<Void> { .delete(path, body: ["emails": emails]) }
}

/// The resource `/users/{login}`.
public struct UserResource: Sendable {
  let path: String
  /// Retrieves the user.
  public var get: Request<User> { .get(path) }
  /// The followers of the user.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The users that the user follows.
  public var following: Listing<User> { Listing(path: path + "/following") }
  /// The public repositories.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
  /// The public gists.
  public var gists: Listing<Gist> { Listing(path: path + "/gists") }
}
