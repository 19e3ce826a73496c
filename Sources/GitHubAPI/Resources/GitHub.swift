public import APIClientKit
import Foundation

/// GitHub's REST API as a tree: each leaf makes a request.
///
/// ```swift
/// let repos: Request<[Repository]> = GitHub.users("kean").repos.get
/// ```
/// Anything else is a path, relative to the client's base URL: `Request<Branch>.get("repos/kean/Nuke/branches/main")`.
public enum GitHub {
  /// The signed-in user: `/user`.
  public static var user: CurrentUserResource { CurrentUserResource(path: "/user") }
  /// A user by login: `/users/{login}`.
  public static func users(_ login: String) -> UserResource { UserResource(path: path("users", login)) }
  /// A repository by owner and name: `/repos/{owner}/{name}`.
  public static func repos(_ owner: String, _ name: String) -> RepositoryResource {
    RepositoryResource(path: path("repos", owner, name))
  }
  /// The gists: `/gists`.
  public static var gists: GistsResource { GistsResource(path: "/gists") }
  /// The limits that apply: `/rate_limit`, which counts against none of them.
  public static var rateLimits: Request<RateLimits> { .get("/rate_limit") }

  /// A path whose names are what they are, even with a slash in them.
  static func path(_ names: String...) -> String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
    return names.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0) }.joined()
  }
}

/// Searches; `client.pages(of:)` follows their pages.
extension GitHub {
  /// Searches for repositories, in GitHub's search syntax: `nuke language:swift`.
  ///
  /// - Parameters:
  ///   - text: What to search for.
  ///   - sort: `stars`, `forks` or `updated`; the best match first when it is nil.
  ///   - perPage: The size of a page, at most 100.
  /// - Returns: The request for the first page.
  public static func searchRepositories(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<Repository>> { search("repositories", text, sort, perPage) }

  /// Searches for issues and pull requests, in GitHub's search syntax: `repo:kean/Nuke is:open cache`.
  public static func searchIssues(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<Issue>> { search("issues", text, sort, perPage) }

  /// Searches for users and organizations, in GitHub's search syntax: `kean in:login`.
  public static func searchUsers(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<User>> { search("users", text, sort, perPage) }

  private static func search<Item>(
    _ kind: String, _ text: String, _ sort: String?, _ perPage: Int?
  ) -> Request<SearchResult<Item>> {
    .get("/search/\(kind)", query: given([("q", text), ("sort", sort), ("per_page", perPage.map(String.init))]))
  }
}

/// A resource that can be read, and nothing more.
public struct Leaf<Value: Sendable>: Sendable {
  let path: String
  /// Reads it.
  public var get: Request<Value> { .get(path) }
}

/// A list that is given page by page.
public struct Listing<Value: Sendable>: Sendable {
  let path: String
  /// Reads the first page.
  public var get: Request<[Value]> { .get(path) }
  /// Reads a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[Value]> {
    .get(path, query: given([("page", "\(page)"), ("per_page", perPage.map(String.init))]))
  }
}

/// The pairs of a query that have a value.
func given(_ query: [(String, String?)]) -> [(String, String?)] { query.filter { $0.1 != nil } }
