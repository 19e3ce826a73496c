public import Foundation

/// An article: its author's text, and the members that a server adds.
public struct Article: Codable, Hashable, Sendable, Identifiable {
  /// The number of the article.
  public var id: Int
  /// The title.
  public var title: String
  /// A sentence about it.
  public var summary: String?
  /// The text.
  public var content: String
  /// The author of the article.
  public var author: Author?
  /// The time at which it was created.
  public var createdAt: Date?
  /// The time at which it was last changed.
  public var updatedAt: Date?

  /// Creates an article, for tests and previews.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: Its title.
  ///   - summary: A sentence about it.
  ///   - content: The text.
  public init(id: Int, title: String, summary: String? = nil, content: String) {
    (self.id, self.title, self.summary, self.content) = (id, title, summary, content)
  }

  /// Creates an article, for tests and previews; the API's own come from ``ArticlesClient``.
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

/// A user who writes articles.
public struct Author: Codable, Hashable, Sendable, Identifiable {
  /// The author's number.
  public var id: Int
  /// The author's name.
  public var name: String

  /// Creates an author.
  ///
  /// - Parameters:
  ///   - id: The author's number.
  ///   - name: The author's name.
  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

/// The part of an article that an author writes; the server adds the rest.
public struct Draft: Codable, Hashable, Sendable {
  /// The title; the server refuses an article without one.
  public var title: String?
  /// A sentence about it.
  public var summary: String?
  /// The text.
  public var content: String

  /// Creates a draft.
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
  /// The articles on the page.
  public var data: [Article]
  /// The number of the page, from 1.
  public var page: Int
  /// The number of articles on a full page.
  public var perPage: Int
  /// The number of all articles.
  public var total: Int
  /// The number of pages.
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
