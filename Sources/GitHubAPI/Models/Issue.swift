public import Foundation

/// Something that was reported.
public struct Issue: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// In a few words.
  public var title: String
  /// In many.
  public var body: String?
  /// `open` or `closed`.
  public var state: String
  /// Who reported it.
  public var user: User?
  /// When.
  public var createdAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, number, title, body, state, user
    case createdAt = "created_at"
  }
}

/// Something to report.
public struct NewIssue: Codable, Hashable, Sendable {
  /// In a few words.
  public var title: String?
  /// In many.
  public var body: String?

  /// Something to report.
  public init(title: String?, body: String? = nil) { (self.title, self.body) = (title, body) }
}

/// A change that is offered.
public struct PullRequest: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The number within its repository.
  public var number: Int
  /// In a few words.
  public var title: String
  /// `open` or `closed`.
  public var state: String
  /// Whether it is not ready yet.
  public var draft: Bool?
  /// Who offers it.
  public var user: User?
}
