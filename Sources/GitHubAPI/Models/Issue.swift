public import Foundation

/// An issue, or a pull request in a list of issues.
public struct Issue: Codable, Hashable, Sendable, Identifiable {
  /// The link from an issue to the pull request that it represents.
  public struct PullRequestLink: Codable, Hashable, Sendable {
    /// The URL in the API.
    public var url: URL?
    /// The URL of the web page.
    public var htmlURL: URL?
    /// The time of merging; nil if the pull request is not merged.
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
  /// The reason for closing the issue, such as `completed`, `not_planned` or `duplicate`.
  public var stateReason: String?
  /// True if only collaborators can comment.
  public var isLocked: Bool?
  /// The author; nil if the account was deleted.
  public var user: User?
  /// The labels.
  public var labels: [IssueLabel]?
  /// The users to whom the issue is assigned.
  public var assignees: [User]?
  /// The milestone that contains the issue.
  public var milestone: Milestone?
  /// The number of comments.
  public var comments: Int?
  /// The pull request that the issue represents; nil if it represents none.
  public var pullRequest: PullRequestLink?
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

  /// Creates an issue.
  ///
  /// Omitted members are unknown.
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

/// A new issue, or changes to an issue.
public struct NewIssue: Codable, Hashable, Sendable {
  /// The title.
  public var title: String?
  /// The text in Markdown.
  public var body: String?
  /// The new state, `open` or `closed`; nil to keep the state.
  public var state: String?
  /// The names of the labels.
  public var labels: [String]?
  /// The logins of the users to whom the issue is assigned.
  public var assignees: [String]?

  /// Creates the content of a new or changed issue.
  ///
  /// Members that are nil are not sent.
  public init(
    title: String?, body: String? = nil, state: String? = nil, labels: [String]? = nil, assignees: [String]? = nil
  ) {
    (self.title, self.body, self.state) = (title, body, state)
    (self.labels, self.assignees) = (labels, assignees)
  }
}
