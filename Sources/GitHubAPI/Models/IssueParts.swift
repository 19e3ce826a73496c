public import Foundation

/// A label of issues.
public struct IssueLabel: Codable, Hashable, Sendable {
  /// The unique number, which never changes; nil in recordings before 2016.
  public var id: Int?
  /// The name.
  public var name: String
  /// The color, as six hexadecimal digits.
  public var color: String?
  /// A short description.
  public var description: String?

  /// Creates a label.
  public init(id: Int? = nil, name: String, color: String? = nil, description: String? = nil) {
    (self.id, self.name, self.color, self.description) = (id, name, color, description)
  }

  /// Decodes an object, or a string with the name, which GitHub's schema allows instead.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self.init(name: name)
      return
    }
    let object = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try object.decodeIfPresent(Int.self, forKey: .id), name: try object.decode(String.self, forKey: .name),
      color: try object.decodeIfPresent(String.self, forKey: .color),
      description: try object.decodeIfPresent(String.self, forKey: .description))
  }

  private enum CodingKeys: String, CodingKey { case id, name, color, description }
}

/// A milestone, which groups issues.
public struct Milestone: Codable, Hashable, Sendable, Identifiable {
  /// The unique number, which never changes.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String
  /// A description.
  public var description: String?
  /// The state, `open` or `closed`.
  public var state: String
  /// The number of open issues.
  public var openIssues: Int?
  /// The number of closed issues.
  public var closedIssues: Int?
  /// The due date; nil if there is none.
  public var dueOn: Date?

  /// Creates a milestone.
  ///
  /// Omitted members are unknown.
  public init(
    id: Int, number: Int, title: String, description: String? = nil, state: String = "open", openIssues: Int? = nil,
    closedIssues: Int? = nil, dueOn: Date? = nil
  ) {
    (self.id, self.number, self.title, self.description) = (id, number, title, description)
    (self.state, self.openIssues, self.closedIssues, self.dueOn) = (state, openIssues, closedIssues, dueOn)
  }

  private enum CodingKeys: String, CodingKey {
    case id, number, title, description, state
    case openIssues = "open_issues"
    case closedIssues = "closed_issues"
    case dueOn = "due_on"
  }
}

/// A comment on an issue, a pull request, a commit or a gist.
public struct IssueComment: Codable, Hashable, Sendable, Identifiable {
  /// The unique number, which never changes.
  public var id: Int
  /// The text in Markdown; nil if the requested media type selects another format.
  public var body: String?
  /// The author; nil if the account was deleted.
  public var user: User?
  /// The URL of the comment on the web page.
  public var htmlURL: URL?
  /// The time of creation.
  public var createdAt: Date?
  /// The time of the last change.
  public var updatedAt: Date?

  /// Creates a comment.
  ///
  /// Omitted members are unknown.
  public init(
    id: Int, body: String?, user: User? = nil, htmlURL: URL? = nil, createdAt: Date? = nil, updatedAt: Date? = nil
  ) {
    (self.id, self.body, self.user, self.htmlURL) = (id, body, user, htmlURL)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, body, user
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}
