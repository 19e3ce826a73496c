public import Foundation

/// A pull request.
public struct PullRequest: Codable, Hashable, Sendable, Identifiable {
  /// A branch of a pull request: the one that is merged, or the one it is merged into.
  public struct Branch: Codable, Hashable, Sendable {
    /// The owner and the branch: `kean:main`.
    public var label: String?
    /// The branch.
    public var ref: String
    /// The commit it is at.
    public var sha: String
    /// The repository; nil when it is gone.
    public var repo: Repository?

    /// Creates an end of a pull request.
    public init(label: String? = nil, ref: String, sha: String, repo: Repository? = nil) {
      (self.label, self.ref, self.sha, self.repo) = (label, ref, sha, repo)
    }
  }

  /// The number that never changes.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String
  /// The text, as Markdown.
  public var body: String?
  /// `open` or `closed`.
  public var state: String
  /// True if it is not ready for review.
  public var draft: Bool?
  /// The author; nil when the account is gone.
  public var user: User?
  /// The labels.
  public var labels: [IssueLabel]?
  /// The branch that is merged.
  public var head: Branch?
  /// The branch it is merged into.
  public var base: Branch?
  /// True if it was merged; nil in lists.
  public var merged: Bool?
  /// True if it can be merged; nil in lists, and until GitHub has found out.
  public var mergeable: Bool?
  /// The number of changed files; nil in lists.
  public var changedFiles: Int?
  /// The URL in the API.
  public var url: URL?
  /// The URL of the page.
  public var htmlURL: URL?
  /// The time it was opened.
  public var createdAt: Date?
  /// The time it last changed.
  public var updatedAt: Date?
  /// The time it was closed.
  public var closedAt: Date?
  /// The time it was merged.
  public var mergedAt: Date?

  /// Creates a pull request; members that are left out are unknown.
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
