public import Foundation

/// An article, with the text of its author and the members that the server adds.
public struct Article: Codable, Hashable, Sendable, Identifiable {
  /// The number of the article.
  public var id: Int
  /// The title.
  public var title: String
  /// A summary in one sentence.
  public var summary: String?
  /// The text.
  public var content: String
  /// The author of the article.
  public var author: Author?
  /// The time at which it was created.
  public var createdAt: Date?
  /// The time at which it was last changed.
  public var updatedAt: Date?

  /// Creates an article for tests and previews.
  ///
  /// - Parameters:
  ///   - id: The number of the article.
  ///   - title: The title.
  ///   - summary: A summary in one sentence; nil (the default) for none.
  ///   - content: The text.
  public init(id: Int, title: String, summary: String? = nil, content: String) {
    (self.id, self.title, self.summary, self.content) = (id, title, summary, content)
  }

  /// Creates an article from a draft for tests and previews.
  ///
  /// - Parameters:
  ///   - id: The number of the article.
  ///   - draft: The text of the author.
  ///   - author: The author.
  ///   - date: The time of creation.
  public init(id: Int, _ draft: Draft, by author: Author, at date: Date) {
    self.init(id: id, title: draft.title ?? "", summary: draft.summary, content: draft.content)
    self.author = author
    createdAt = date
    updatedAt = date
  }
}

/// The author of articles.
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

/// The part of an article that the author writes.
public struct Draft: Codable, Hashable, Sendable {
  /// The title, which the server requires.
  public var title: String?
  /// A summary in one sentence.
  public var summary: String?
  /// The text.
  public var content: String

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - summary: A summary in one sentence; nil (the default) for none.
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
  /// The number of the page, counted from 1.
  public var page: Int
  /// The number of articles on a full page.
  public var perPage: Int
  /// The total number of articles.
  public var total: Int
  /// The number of pages.
  public var totalPages: Int

  /// The number of the next page; nil on the last page.
  public var next: Int? { page < totalPages ? page + 1 : nil }
}

/// A state of an article, with its entity tag.
public struct Revision: Hashable, Sendable {
  /// The article.
  public var article: Article
  /// The value of `ETag`; nil if the response has none.
  public var tag: String?
}
