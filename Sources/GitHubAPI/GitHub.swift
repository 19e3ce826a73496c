public import APIClientKit
public import Foundation

/// GitHub's REST API as a tree: each leaf is a request.
///
/// ```swift
/// let repos: Request<[Repository]> = GitHub.users("kean").repos.get
/// ```
public enum GitHub {
  /// Who is signed in.
  public static var user: CurrentUserResource { CurrentUserResource(path: "/user") }
  /// Anybody.
  public static func users(_ login: String) -> UserResource { UserResource(path: path("users", login)) }
  /// A repository.
  public static func repos(_ owner: String, _ name: String) -> RepositoryResource {
    RepositoryResource(path: path("repos", owner, name))
  }
  /// The repositories that a search finds.
  public static func searchRepositories(_ text: String) -> Request<SearchResult<Repository>> {
    .get("/search/repositories", query: [("q", text)])
  }

  /// A path whose names are what they are, even with a slash in them.
  private static func path(_ names: String...) -> String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
    return names.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0) }.joined()
  }
}

/// Something that can be asked for, and nothing more.
public struct Leaf<Value: Sendable>: Sendable {
  let path: String
  /// Asks for it.
  public var get: Request<Value> { .get(path) }
}

/// Many of something, given page by page.
public struct Listing<Value: Sendable>: Sendable {
  let path: String
  /// Asks for the first page.
  public var get: Request<[Value]> { .get(path) }
  /// Asks for a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[Value]> {
    .get(path, query: [("page", "\(page)"), ("per_page", perPage.map(String.init))])
  }
}

/// What is at `/user`.
public struct CurrentUserResource: Sendable {
  let path: String
  /// Asks who it is.
  public var get: Request<User> { .get(path) }
  /// The addresses.
  public var emails: EmailsResource { EmailsResource(path: path + "/emails") }
  /// Those who follow.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The repositories, private ones too.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
  /// Changes what is given.
  public func patch(name: String? = nil, bio: String? = nil) -> Request<User> {
    .patch(path, body: ["name": name, "bio": bio].compactMapValues { $0 })
  }
}

/// What is at `/user/emails`.
public struct EmailsResource: Sendable {
  let path: String
  /// Asks for the addresses.
  public var get: Request<[Email]> { .get(path) }
  /// Adds addresses.
  public func post(_ emails: [String]) -> Request<[Email]> { .post(path, body: ["emails": emails]) }
  /// Removes addresses.
  public func delete(_ emails: [String]) -> Request<Void> { .delete(path, body: ["emails": emails]) }
}

/// What is at `/users/{login}`.
public struct UserResource: Sendable {
  let path: String
  /// Asks who it is.
  public var get: Request<User> { .get(path) }
  /// Those who follow.
  public var followers: Listing<User> { Listing(path: path + "/followers") }
  /// The public repositories.
  public var repos: Listing<Repository> { Listing(path: path + "/repos") }
}

/// What is at `/repos/{owner}/{name}`.
public struct RepositoryResource: Sendable {
  let path: String
  /// Asks what it is.
  public var get: Request<Repository> { .get(path) }
  /// What is reported.
  public var issues: IssuesResource { IssuesResource(path: path + "/issues") }
  /// What is offered.
  public var pulls: Listing<PullRequest> { Listing(path: path + "/pulls") }
  /// What was released.
  public var releases: ReleasesResource { ReleasesResource(path: path + "/releases") }
}

/// What is at `/repos/{owner}/{name}/issues`.
public struct IssuesResource: Sendable {
  let path: String
  /// Asks for the open ones.
  public var get: Request<[Issue]> { .get(path) }
  /// Reports one.
  public func post(_ issue: NewIssue) -> Request<Issue> { .post(path, body: issue) }
  /// One of them.
  public func callAsFunction(_ number: Int) -> Leaf<Issue> { Leaf(path: "\(path)/\(number)") }
}

/// What is at `/repos/{owner}/{name}/releases`.
public struct ReleasesResource: Sendable {
  let path: String
  /// Asks for all, the latest first.
  public var get: Request<[Release]> { .get(path) }
  /// The latest that is no draft.
  public var latest: Leaf<Release> { Leaf(path: path + "/latest") }
  /// A file of a release.
  public func assets(_ id: Int) -> AssetResource { AssetResource(path: "\(path)/assets/\(id)") }
}

/// What is at `/repos/{owner}/{name}/releases/assets/{id}`.
public struct AssetResource: Sendable {
  let path: String
  /// Asks what it is.
  public var get: Request<Asset> { .get(path) }
  /// Asks for the bytes; for `client.download(_:to:)`.
  public var download: Request<Data> { .get(path, headers: ["Accept": "application/octet-stream"]) }
}
