public import Foundation

/// A label of issues.
public struct IssueLabel: Codable, Hashable, Sendable {
  /// The number that never changes; recordings before 2016 have none.
  public var id: Int?
  /// The name.
  public var name: String
  /// The colour, as six hexadecimal digits.
  public var color: String?
  /// A line about it.
  public var description: String?

  /// Creates a label.
  public init(id: Int? = nil, name: String, color: String? = nil, description: String? = nil) {
    (self.id, self.name, self.color, self.description) = (id, name, color, description)
  }

  /// Reads an object, or the mere name that GitHub's schema allows in its place.
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

/// A goal that issues are part of.
public struct Milestone: Codable, Hashable, Sendable, Identifiable {
  /// The number that never changes.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String
  /// A text about it.
  public var description: String?
  /// `open` or `closed`.
  public var state: String
  /// The number of open issues.
  public var openIssues: Int?
  /// The number of closed issues.
  public var closedIssues: Int?
  /// The day it is to be reached.
  public var dueOn: Date?

  /// Creates a milestone; members that are left out are unknown.
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
  /// The number that never changes.
  public var id: Int
  /// The text, as Markdown; nil where a media type asks for another form.
  public var body: String?
  /// The author; nil when the account is gone.
  public var user: User?
  /// The URL of the comment on its page.
  public var htmlURL: URL?
  /// The time it was written.
  public var createdAt: Date?
  /// The time it last changed.
  public var updatedAt: Date?

  /// Creates a comment; members that are left out are unknown.
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
