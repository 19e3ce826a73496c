public import APIClientKit

/// The signed-in user: `/user`.
public struct CurrentUserResource: Sendable {
  let path: String
  /// Reads the user.
  public var get: Request<User> { .get(path) }
  /// The e-mail addresses.
  public var emails: EmailsResource { EmailsResource(path: path + "/emails") }
  /// The users who follow this one.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The users this one follows.
  public var following: Listing<User> { Listing(path: path + "/following") }
  /// The repositories the user can read, private ones too.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
  /// Changes the fields that are given.
  public func patch(name: String? = nil, bio: String? = nil) -> Request<User> {
    .patch(path, body: ["name": name, "bio": bio].compactMapValues { $0 })
  }
}

/// The signed-in user's e-mail addresses: `/user/emails`.
public struct EmailsResource: Sendable {
  let path: String
  /// Reads the addresses.
  public var get: Request<[Email]> { .get(path) }
  /// Adds addresses.
  public func post(_ emails: [String]) -> Request<[Email]> { .post(path, body: ["emails": emails]) }
  /// Removes addresses.
  public func delete(_ emails: [String]) -> Request<Void> { .delete(path, body: ["emails": emails]) }
}

/// A user: `/users/{login}`.
public struct UserResource: Sendable {
  let path: String
  /// Reads the user.
  public var get: Request<User> { .get(path) }
  /// The users who follow this one.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The users this one follows.
  public var following: Listing<User> { Listing(path: path + "/following") }
  /// The public repositories.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
  /// The public gists.
  public var gists: Listing<Gist> { Listing(path: path + "/gists") }
}
