public import APIClientKit
public import Foundation

/// A repository: `/repos/{owner}/{name}`.
public struct RepositoryResource: Sendable {
  let path: String
  /// Reads the repository.
  public var get: Request<Repository> { .get(path) }
  /// The issues.
  public var issues: IssuesResource { IssuesResource(path: path + "/issues") }
  /// The labels that issues can have.
  public var labels: Listing<IssueLabel> { Listing(path: path + "/labels") }
  /// The open milestones.
  public var milestones: Listing<Milestone> { Listing(path: path + "/milestones") }
  /// The pull requests.
  public var pulls: PullsResource { PullsResource(path: path + "/pulls") }
  /// The releases.
  public var releases: ReleasesResource { ReleasesResource(path: path + "/releases") }
}

/// The issues of a repository: `/repos/{owner}/{name}/issues`.
public struct IssuesResource: Sendable {
  let path: String
  /// Reads the open issues, the newest first.
  public var get: Request<[Issue]> { .get(path) }
  /// Reads a page of issues, counted from 1.
  ///
  /// - Parameters:
  ///   - state: `open`, `closed` or `all`; the open ones when it is nil.
  ///   - page: The number of the page.
  ///   - perPage: The size of a page, at most 100.
  /// - Returns: The request.
  public func get(state: String? = nil, page: Int = 1, perPage: Int? = nil) -> Request<[Issue]> {
    .get(path, query: given([("state", state), ("page", "\(page)"), ("per_page", perPage.map(String.init))]))
  }
  /// Opens an issue.
  public func post(_ issue: NewIssue) -> Request<Issue> { .post(path, body: issue) }
  /// An issue by number.
  public func callAsFunction(_ number: Int) -> IssueResource { IssueResource(path: "\(path)/\(number)") }
}

/// An issue: `/repos/{owner}/{name}/issues/{number}`.
public struct IssueResource: Sendable {
  let path: String
  /// Reads the issue.
  public var get: Request<Issue> { .get(path) }
  /// Changes the members that are not nil; `state: "closed"` closes it.
  public func patch(_ change: NewIssue) -> Request<Issue> { .patch(path, body: change) }
  /// The comments.
  public var comments: Listing<IssueComment> { Listing(path: path + "/comments") }
  /// Adds a comment, as Markdown.
  public func comment(_ text: String) -> Request<IssueComment> { .post(path + "/comments", body: ["body": text]) }
}

/// The pull requests of a repository: `/repos/{owner}/{name}/pulls`.
public struct PullsResource: Sendable {
  let path: String
  /// Reads the open pull requests, the newest first.
  public var get: Request<[PullRequest]> { .get(path) }
  /// Reads a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[PullRequest]> {
    Listing(path: path).get(page: page, perPage: perPage)
  }
  /// A pull request by number.
  public func callAsFunction(_ number: Int) -> Leaf<PullRequest> { Leaf(path: "\(path)/\(number)") }
}

/// The releases of a repository: `/repos/{owner}/{name}/releases`.
public struct ReleasesResource: Sendable {
  let path: String
  /// Reads the releases, the newest first.
  public var get: Request<[Release]> { .get(path) }
  /// Reads a page, counted from 1.
  public func get(page: Int, perPage: Int? = nil) -> Request<[Release]> {
    Listing(path: path).get(page: page, perPage: perPage)
  }
  /// The latest release that is neither a draft nor a prerelease.
  public var latest: Leaf<Release> { Leaf(path: path + "/latest") }
  /// A release by the tag it is made of.
  public func tags(_ tag: String) -> Leaf<Release> { Leaf(path: path + GitHub.path("tags", tag)) }
  /// A release by number.
  public func callAsFunction(_ id: Int) -> ReleaseResource { ReleaseResource(path: "\(path)/\(id)") }
  /// A file of a release, by number.
  public func assets(_ id: Int) -> AssetResource { AssetResource(path: "\(path)/assets/\(id)") }
}

/// A release: `/repos/{owner}/{name}/releases/{id}`.
public struct ReleaseResource: Sendable {
  let path: String
  /// Reads the release.
  public var get: Request<Release> { .get(path) }
  /// The files.
  public var assets: Listing<Asset> { Listing(path: path + "/assets") }
  /// Adds a file; for ``GitHubClient/upload(_:from:progress:)`` and ``GitHubClient/upload(_:fromFile:progress:)``.
  ///
  /// - Parameters:
  ///   - name: The file's name, unique in the release.
  ///   - contentType: The media type, such as `application/zip`.
  ///   - label: The name that the page shows in its place.
  /// - Returns: The request, without the bytes.
  public func upload(name: String, contentType: String, label: String? = nil) -> Request<Asset> {
    .post(path + "/assets", query: given([("name", name), ("label", label)]), headers: ["Content-Type": contentType])
  }
}

/// A file of a release: `/repos/{owner}/{name}/releases/assets/{id}`.
public struct AssetResource: Sendable {
  let path: String
  /// Reads the description of the file.
  public var get: Request<Asset> { .get(path) }
  /// Reads the bytes; for ``GitHubClient/download(_:to:progress:)``.
  public var download: Request<Data> { .get(path, headers: ["Accept": "application/octet-stream"]) }
  /// Removes the file.
  public var delete: Request<Void> { .delete(path) }
}
