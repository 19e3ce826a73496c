public import Foundation

/// An article: what its author wrote, and what a server adds if it does.
public struct Article: Codable, Hashable, Sendable, Identifiable {
  /// Its number.
  public var id: Int
  /// Its title.
  public var title: String
  /// A sentence about it.
  public var summary: String?
  /// The text.
  public var content: String
  /// Who wrote it.
  public var author: Author?
  /// When it was created.
  public var createdAt: Date?
  /// When it was last changed.
  public var updatedAt: Date?

  /// An article, for tests and previews.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: Its title.
  ///   - summary: A sentence about it.
  ///   - content: The text.
  public init(id: Int, title: String, summary: String? = nil, content: String) {
    (self.id, self.title, self.summary, self.content) = (id, title, summary, content)
  }

  /// An article, for tests and previews; the API's own come from ``ArticlesClient``.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - draft: What its author wrote.
  ///   - author: Who wrote it.
  ///   - date: When it was created.
  public init(id: Int, _ draft: Draft, by author: Author, at date: Date) {
    self.init(id: id, title: draft.title ?? "", summary: draft.summary, content: draft.content)
    self.author = author
    createdAt = date
    updatedAt = date
  }
}

/// Who writes.
public struct Author: Codable, Hashable, Sendable, Identifiable {
  /// The author's number.
  public var id: Int
  /// The author's name.
  public var name: String

  /// An author.
  ///
  /// - Parameters:
  ///   - id: The author's number.
  ///   - name: The author's name.
  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

/// What an author writes; the server adds the rest.
public struct Draft: Codable, Hashable, Sendable {
  /// Its title; the server refuses an article without.
  public var title: String?
  /// A sentence about it.
  public var summary: String?
  /// The text.
  public var content: String

  /// A draft.
  ///
  /// - Parameters:
  ///   - title: Its title.
  ///   - summary: A sentence about it.
  ///   - content: The text.
  public init(title: String?, summary: String? = nil, content: String) {
    self.title = title
    self.summary = summary
    self.content = content
  }
}

/// A page of articles.
public struct ArticlePage: Codable, Hashable, Sendable {
  /// What is on it.
  public var data: [Article]
  /// Its number, from 1.
  public var page: Int
  /// How many fit on one.
  public var perPage: Int
  /// How many articles there are.
  public var total: Int
  /// How many pages there are.
  public var totalPages: Int

  /// The number of the next page, nil on the last.
  public var next: Int? { page < totalPages ? page + 1 : nil }
}

/// An article as it was, and the tag that this state of it has.
public struct Revision: Hashable, Sendable {
  /// The article.
  public var article: Article
  /// The `ETag`, nil when the server gave none.
  public var tag: String?
}
