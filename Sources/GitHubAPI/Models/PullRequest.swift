public import Foundation

/// A pull request.
public struct PullRequest: Codable, Hashable, Sendable, Identifiable {
  /// The source or target branch of a pull request.
  public struct Branch: Codable, Hashable, Sendable {
    /// The owner and the branch, such as `kean:main`.
    public var label: String?
    /// The name of the branch.
    public var ref: String
    /// The hash of the latest commit.
    public var sha: String
    /// The repository; nil if it was deleted.
    public var repo: Repository?

    /// Creates a branch of a pull request.
    public init(label: String? = nil, ref: String, sha: String, repo: Repository? = nil) {
      (self.label, self.ref, self.sha, self.repo) = (label, ref, sha, repo)
    }
  }

  /// The unique number, which never changes.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String
  /// The text in Markdown.
  public var body: String?
  /// The state, `open` or `closed`.
  public var state: String
  /// True if the pull request is a draft.
  public var draft: Bool?
  /// The author; nil if the account was deleted.
  public var user: User?
  /// The labels.
  public var labels: [IssueLabel]?
  /// The source branch.
  public var head: Branch?
  /// The target branch.
  public var base: Branch?
  /// True if the pull request is merged; nil in lists.
  public var merged: Bool?
  /// True if the pull request can be merged; nil in lists, and until GitHub has determined the value.
  public var mergeable: Bool?
  /// The number of changed files; nil in lists.
  public var changedFiles: Int?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the web page.
  public var htmlURL: URL?
  /// The time of opening.
  public var createdAt: Date?
  /// The time of the last change.
  public var updatedAt: Date?
  /// The time of closing; nil if it is open.
  public var closedAt: Date?
  /// The time of merging; nil if the pull request is not merged.
  public var mergedAt: Date?

  /// Creates a pull request.
  ///
  /// Omitted members are unknown.
  public init(
    id: Int, number: Int, title: String, body: String? = nil, state: String = "open", draft: Bool? = nil,
    user: User? = nil, labels: [IssueLabel]? = nil, head: Branch? = nil, base: Branch? = nil, merged: Bool? = nil,
    mergeable: Bool? = nil, changedFiles: Int? = nil, url: URL? = nil, htmlURL: URL? = nil, createdAt: Date? = nil,
    updatedAt: Date? = nil, closedAt: Date? = nil, mergedAt: Date? = nil
  ) {
    (self.id, self.number, self.title, self.body) = (id, number, title, body)
    (self.state, self.draft, self.user, self.labels) = (state, draft, user, labels)
    (self.head, self.base) = (head, base)
    (self.merged, self.mergeable, self.changedFiles) = (merged, mergeable, changedFiles)
    (self.url, self.htmlURL) = (url, htmlURL)
    (self.createdAt, self.updatedAt, self.closedAt, self.mergedAt) = (createdAt, updatedAt, closedAt, mergedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, number, title, body, state, draft, user, labels, head, base, merged, mergeable, url
    case changedFiles = "changed_files"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case closedAt = "closed_at"
    case mergedAt = "merged_at"
  }
}
