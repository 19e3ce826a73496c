public import APIClientKit
public import Foundation

/// The resource `/repos/{owner}/{name}`.
public struct RepositoryResource: Sendable {
  let path: String
  /// Retrieves the repository.
  public var get: Request<Repository> { .get(path) }
  /// The issues.
  public var issues: IssuesResource { IssuesResource(path: path + "/issues") }
  /// The labels available for issues.
  public var labels: Listing<IssueLabel> { Listing(path: path + "/labels") }
  /// The open milestones.
  public var milestones: Listing<Milestone> { Listing(path: path + "/milestones") }
  /// The pull requests.
  public var pulls: PullsResource { PullsResource(path: path + "/pulls") }
  /// The releases.
  public var releases: ReleasesResource { ReleasesResource(path: path + "/releases") }
}

/// The resource `/repos/{owner}/{name}/issues`.
public struct IssuesResource: Sendable {
  let path: String
  /// Retrieves the open issues, the newest first.
  public var get: Request<[Issue]> { .get(path) }
  /// Retrieves a page of issues, the newest first.
  ///
  /// - Parameters:
  ///   - state: The state of the issues: `open`, `closed` or `all`; nil (the default) for open issues.
  ///   - page: The number of the page, counted from 1, which is the default.
  ///   - perPage: The number of items per page, at most 100; nil (the default) for GitHub's default.
  /// - Returns: The request.
  public func get(state: String? = nil, page: Int = 1, perPage: Int? = nil) -> Request<[Issue]> {
    .get(path, query: given([("state", state), ("page", "\(page)"), ("per_page", perPage.map(String.init))]))
  }
  /// Opens an issue.
  public func post(_ issue: NewIssue) -> Request<Issue> { .post(path, body: issue) }
  /// Returns the resource of an issue.
  public func callAsFunction(_ number: Int) -> IssueResource { IssueResource(path: "\(path)/\(number)") }
}

/// The resource `/repos/{owner}/{name}/issues/{number}`.
public struct IssueResource: Sendable {
  let path: String
  /// Retrieves the issue.
  public var get: Request<Issue> { .get(path) }
  /// Changes the members that are not nil; `state: "closed"` closes the issue.
  public func patch(_ change: NewIssue) -> Request<Issue> { .patch(path, body: change) }
  /// The comments.
  public var comments: Listing<IssueComment> { Listing(path: path + "/comments") }
  /// Adds a comment in Markdown.
  public func comment(_ text: String) -> Request<IssueComment> { .post(path + "/comments", body: ["body": text]) }
}

/// The resource `/repos/{owner}/{name}/pulls`.
public struct PullsResource: Sendable {
  let path: String
  /// Retrieves the open pull requests, the newest first.
  public var get: Request<[PullRequest]> { .get(path) }
  /// Retrieves a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[PullRequest]> {
    Listing(path: path).get(page: page, perPage: perPage)
  }
  /// Returns the resource of a pull request.
  public func callAsFunction(_ number: Int) -> Leaf<PullRequest> { Leaf(path: "\(path)/\(number)") }
}

/// The resource `/repos/{owner}/{name}/releases`.
public struct ReleasesResource: Sendable {
  let path: String
  /// Retrieves the releases, the newest first.
  public var get: Request<[Release]> { .get(path) }
  /// Retrieves a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[Release]> {
    Listing(path: path).get(page: page, perPage: perPage)
  }
  /// The latest release that is neither a draft nor a prerelease.
  public var latest: Leaf<Release> { Leaf(path: path + "/latest") }
  /// Returns the resource of the release with a tag.
  public func tags(_ tag: String) -> Leaf<Release> { Leaf(path: path + GitHub.path("tags", tag)) }
  /// Returns the resource of a release.
  public func callAsFunction(_ id: Int) -> ReleaseResource { ReleaseResource(path: "\(path)/\(id)") }
  /// Returns the resource of a file in a release.
  public func assets(_ id: Int) -> AssetResource { AssetResource(path: "\(path)/assets/\(id)") }
}

/// The resource `/repos/{owner}/{name}/releases/{id}`.
public struct ReleaseResource: Sendable {
  let path: String
  /// Retrieves the release.
  public var get: Request<Release> { .get(path) }
  /// The files.
  public var assets: Listing<Asset> { Listing(path: path + "/assets") }
  /// Adds a file, with ``GitHubClient/upload(_:from:progress:)`` or ``GitHubClient/upload(_:fromFile:progress:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the file, which must be unique in the release.
  ///   - contentType: The media type, such as `application/zip`.
  ///   - label: The label that the web page shows instead of the name; nil (the default) for the name.
  /// - Returns: The request without content.
  public func upload(name: String, contentType: String, label: String? = nil) -> Request<Asset> {
    .post(path + "/assets", query: given([("name", name), ("label", label)]), headers: ["Content-Type": contentType])
  }
}

/// The resource `/repos/{owner}/{name}/releases/assets/{id}`.
public struct AssetResource: Sendable {
  let path: String
  /// Retrieves the description of the file.
  public var get: Request<Asset> { .get(path) }
  /// Retrieves the content, with ``GitHubClient/download(_:to:progress:)``.
  public var download: Request<Data> { .get(path, headers: ["Accept": "application/octet-stream"]) }
  /// Removes the file.
  public var delete: Request<Void> { .delete(path) }
}
