public import Foundation

/// An issue, or a pull request as lists of issues have it.
public struct Issue: Codable, Hashable, Sendable, Identifiable {
  /// A link from an issue to the pull request it stands for.
  public struct PullRequestLink: Codable, Hashable, Sendable {
    /// The URL in the API.
    public var url: URL?
    /// The URL of the page.
    public var htmlURL: URL?
    /// The time it was merged; nil if it was not.
    public var mergedAt: Date?

    /// Creates a link.
    public init(url: URL?, htmlURL: URL? = nil, mergedAt: Date? = nil) {
      (self.url, self.htmlURL, self.mergedAt) = (url, htmlURL, mergedAt)
    }

    private enum CodingKeys: String, CodingKey {
      case url
      case htmlURL = "html_url"
      case mergedAt = "merged_at"
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
  /// The reason for closing it: `completed`, `not_planned`, `duplicate`.
  public var stateReason: String?
  /// True if only collaborators can comment.
  public var isLocked: Bool?
  /// The author; nil when the account is gone.
  public var user: User?
  /// The labels.
  public var labels: [IssueLabel]?
  /// The users it is assigned to.
  public var assignees: [User]?
  /// The milestone it is part of.
  public var milestone: Milestone?
  /// The number of comments.
  public var comments: Int?
  /// The pull request it stands for; nil for an issue that is only one.
  public var pullRequest: PullRequestLink?
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

  /// Creates an issue; members that are left out are unknown.
  public init(
    id: Int, number: Int, title: String, body: String? = nil, state: String = "open", stateReason: String? = nil,
    isLocked: Bool? = nil, user: User? = nil, labels: [IssueLabel]? = nil, assignees: [User]? = nil,
    milestone: Milestone? = nil, comments: Int? = nil, pullRequest: PullRequestLink? = nil, url: URL? = nil,
    htmlURL: URL? = nil, createdAt: Date? = nil, updatedAt: Date? = nil, closedAt: Date? = nil
  ) {
    (self.id, self.number, self.title, self.body) = (id, number, title, body)
    (self.state, self.stateReason, self.isLocked) = (state, stateReason, isLocked)
    (self.user, self.labels, self.assignees, self.milestone) = (user, labels, assignees, milestone)
    (self.comments, self.pullRequest) = (comments, pullRequest)
    (self.url, self.htmlURL) = (url, htmlURL)
    (self.createdAt, self.updatedAt, self.closedAt) = (createdAt, updatedAt, closedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, number, title, body, state, user, labels, assignees, milestone, comments, url
    case stateReason = "state_reason"
    case isLocked = "locked"
    case pullRequest = "pull_request"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case closedAt = "closed_at"
  }
}

/// An issue to open, or the changes to one.
public struct NewIssue: Codable, Hashable, Sendable {
  /// The title.
  public var title: String?
  /// The text, as Markdown.
  public var body: String?
  /// `open` or `closed`, to change it.
  public var state: String?
  /// The names of the labels.
  public var labels: [String]?
  /// The logins of those it is assigned to.
  public var assignees: [String]?

  /// Creates an issue to open; members that are nil are not sent.
  public init(
    title: String?, body: String? = nil, state: String? = nil, labels: [String]? = nil, assignees: [String]? = nil
  ) {
    (self.title, self.body, self.state) = (title, body, state)
    (self.labels, self.assignees) = (labels, assignees)
  }
}
