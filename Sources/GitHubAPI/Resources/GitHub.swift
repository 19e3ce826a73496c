public import APIClientKit
import Foundation

/// The REST API of GitHub as a tree whose leaves create requests.
///
/// ```swift
/// let repos: Request<[Repository]> = GitHub.users("kean").repos.get
/// ```
/// Other endpoints are paths relative to the base URL, as in `Request<Branch>.get("repos/kean/Nuke/branches/main")`.
public enum GitHub {
  /// The resource `/user`, the signed-in user.
  public static var user: CurrentUserResource { CurrentUserResource(path: "/user") }
  /// Returns the resource `/users/{login}`.
  public static func users(_ login: String) -> UserResource { UserResource(path: path("users", login)) }
  /// Returns the resource `/repos/{owner}/{name}`.
  public static func repos(_ owner: String, _ name: String) -> RepositoryResource {
    RepositoryResource(path: path("repos", owner, name))
  }
  /// The resource `/gists`.
  public static var gists: GistsResource { GistsResource(path: "/gists") }
  /// Retrieves `/rate_limit`, which does not count towards any limit.
  public static var rateLimits: Request<RateLimits> { .get("/rate_limit") }

  /// Returns a path from its segments, in which slashes are escaped.
  static func path(_ names: String...) -> String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
    return names.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0) }.joined()
  }
}

/// Searches, whose pages `client.pages(of:)` retrieves.
extension GitHub {
  /// Searches for repositories in GitHub's search syntax, such as `nuke language:swift`.
  ///
  /// - Parameters:
  ///   - text: The search terms.
  ///   - sort: The order: `stars`, `forks` or `updated`; nil (the default) for the best match first.
  ///   - perPage: The number of items per page, at most 100; nil (the default) for GitHub's default.
  /// - Returns: The request for the first page.
  public static func searchRepositories(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<Repository>> { search("repositories", text, sort, perPage) }

  /// Searches for issues and pull requests in GitHub's search syntax, such as `repo:kean/Nuke is:open cache`.
  public static func searchIssues(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<Issue>> { search("issues", text, sort, perPage) }

  /// Searches for users and organizations in GitHub's search syntax, such as `kean in:login`.
  public static func searchUsers(
    _ text: String, sort: String? = nil, perPage: Int? = nil
  ) -> Request<SearchResult<User>> { search("users", text, sort, perPage) }

  private static func search<Item>(
    _ kind: String, _ text: String, _ sort: String?, _ perPage: Int?
  ) -> Request<SearchResult<Item>> {
    .get("/search/\(kind)", query: given([("q", text), ("sort", sort), ("per_page", perPage.map(String.init))]))
  }
}

/// A read-only resource.
public struct Leaf<Value: Sendable>: Sendable {
  let path: String
  /// Retrieves the resource.
  public var get: Request<Value> { .get(path) }
}

/// A list with pages.
public struct Listing<Value: Sendable>: Sendable {
  let path: String
  /// Retrieves the first page.
  public var get: Request<[Value]> { .get(path) }
  /// Retrieves a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[Value]> {
    .get(path, query: given([("page", "\(page)"), ("per_page", perPage.map(String.init))]))
  }
}

/// Returns the query parameters that have a value.
func given(_ query: [(String, String?)]) -> [(String, String?)] { query.filter { $0.1 != nil } }
