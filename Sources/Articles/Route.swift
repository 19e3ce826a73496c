public import Foundation

/// Everything that can be asked of the API, as one value each.
///
/// A route says what its request is; ``makeURL(baseURL:)`` and ``makeRequest(baseURL:token:)`` make one of it, and
/// ``ArticlesClient`` sends it. A new endpoint is a new case, and the compiler names the places that are to know it.
public enum Route: Hashable, Sendable {
  /// A token for a user.
  case signIn(Credentials)
  /// A page of articles, from 1.
  case articles(page: Int)
  /// One article.
  case article(Int)
  /// A new article.
  case create(Draft)
  /// An article with everything about it replaced.
  case update(Int, Draft)
  /// An article to be gone.
  case delete(Int)
}

/// A version of the API: articles are read with the second, and still written with the first.
public enum APIVersion: String, Sendable {
  /// What signs in and writes.
  case v1
  /// What reads.
  case v2
}

extension Route {
  /// The method, as RFC 9110 §9 names it.
  public var method: String {
    switch self {
    case .articles, .article: "GET"
    case .signIn, .create: "POST"
    case .update: "PUT"
    case .delete: "DELETE"
    }
  }

  /// The version that has it.
  public var version: APIVersion {
    switch self {
    case .articles, .article: .v2
    case .signIn, .create, .update, .delete: .v1
    }
  }

  /// The path, without the version.
  public var path: String {
    switch self {
    case .signIn: "auth"
    case .articles, .create: "articles"
    case .article(let id), .update(let id, _), .delete(let id): "articles/\(id)"
    }
  }

  /// The query, in order.
  public var query: [URLQueryItem] {
    switch self {
    case .articles(let page): [URLQueryItem(name: "page", value: "\(page)")]
    case .signIn, .article, .create, .update, .delete: []
    }
  }

  /// What is sent along, as JSON.
  public var body: (any Encodable & Sendable)? {
    switch self {
    case .signIn(let credentials): credentials
    case .create(let draft), .update(_, let draft): draft
    case .articles, .article, .delete: nil
    }
  }

  /// Whether it takes a token: everybody may read.
  public var needsAuthentication: Bool {
    switch self {
    case .signIn, .articles, .article: false
    case .create, .update, .delete: true
    }
  }
}
