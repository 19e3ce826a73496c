public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The requests to the API, with a case for each endpoint.
///
/// ``makeRequest(baseURL:token:)`` creates the request of a route, and ``ArticlesClient`` sends it. To add an endpoint,
/// add a case and the row that the compiler then requires.
public enum Route: Hashable, Sendable {
  /// Signs in and returns a token.
  case signIn(Credentials)
  /// Retrieves a page of articles, counted from 1.
  case articles(page: Int = 1)
  /// Retrieves an article.
  case article(Int)
  /// Creates an article.
  case create(Draft)
  /// Replaces an article.
  case update(Int, Draft)
  /// Deletes an article.
  case delete(Int)

  /// Returns the route ``signIn(_:)`` for an e-mail address and a password, under the name of its path.
  public static func auth(email: String, password: String) -> Route {
    .signIn(Credentials(email: email, password: password))
  }

  /// The type of a body, which is encoded as JSON.
  public typealias Body = any Encodable & Sendable

  /// The parts of each route, as a table.
  private var row:
    (method: String, version: APIVersion, path: String, query: [URLQueryItem], body: Body?, requiresToken: Bool)
  {
    switch self {
    case .signIn(let credentials): ("POST", .v1, "auth", [], credentials, false)
    case .articles(let page): ("GET", .v2, "articles", [URLQueryItem(name: "page", value: "\(page)")], nil, true)
    case .article(let id): ("GET", .v2, "articles/\(id)", [], nil, true)
    case .create(let draft): ("POST", .v1, "articles", [], draft, true)
    case .update(let id, let draft): ("PUT", .v1, "articles/\(id)", [], draft, true)
    case .delete(let id): ("DELETE", .v1, "articles/\(id)", [], nil, true)
    }
  }

  /// The request method (RFC 9110 §9).
  public var method: String { row.method }
  /// The version of the API.
  public var version: APIVersion { row.version }
  /// The path, without the version.
  public var path: String { row.path }
  /// The query parameters in order.
  public var query: [URLQueryItem] { row.query }
  /// The body of the request; nil for none.
  public var body: Body? { row.body }
  /// True if the route requires a token, as all routes except for `signIn` do.
  public var requiresAuthentication: Bool { row.requiresToken }

  /// Returns the URL of the route from base URL, version, path and query.
  public func makeURL(baseURL: URL) -> URL {
    let url = baseURL.appending(path: version.rawValue).appending(path: path)
    return query.isEmpty ? url : url.appending(queryItems: query)
  }

  /// Returns the request of the route.
  ///
  /// The token is added only if the route requires one.
  ///
  /// - Throws: ``ArticlesError/signedOut`` if the route requires a token and `token` is nil.
  public func makeRequest(baseURL: URL, token: Token? = nil) throws -> URLRequest {
    var request = URLRequest(url: makeURL(baseURL: baseURL))
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let body {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]  // Equal drafts are equal bytes.
      request.httpBody = try encoder.encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if requiresAuthentication {
      guard let token else { throw ArticlesError.signedOut }
      request.setValue(token.authorization, forHTTPHeaderField: "Authorization")
    }
    return request
  }
}
