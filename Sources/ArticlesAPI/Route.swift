public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request to the API, one case each.
///
/// It makes its own ``makeRequest(baseURL:token:)``, and ``ArticlesClient`` sends it. A new endpoint is a new case, and
/// the compiler names the place that is to know it.
public enum Route: Hashable, Sendable {
  /// A token for a user.
  case signIn(Credentials)
  /// A page of articles, from 1.
  case articles(page: Int = 1)
  /// One article.
  case article(Int)
  /// A new article.
  case create(Draft)
  /// An article with everything about it replaced.
  case update(Int, Draft)
  /// An article to be gone.
  case delete(Int)

  /// Returns the route to a token for an address and a password: ``signIn(_:)``, by the name of its path.
  public static func auth(email: String, password: String) -> Route {
    .signIn(Credentials(email: email, password: password))
  }

  /// The type of content that is sent as JSON.
  public typealias Body = any Encodable & Sendable

  /// The parts of each route, a line each.
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

  /// The method, as RFC 9110 §9 names it.
  public var method: String { row.method }
  /// The version that has it.
  public var version: APIVersion { row.version }
  /// The path, without the version.
  public var path: String { row.path }
  /// The query, in order.
  public var query: [URLQueryItem] { row.query }
  /// The content that is sent along; nil for none.
  public var body: Body? { row.body }
  /// True if the route takes a token: every route does but the one that gives one.
  public var requiresAuthentication: Bool { row.requiresToken }

  /// Makes the URL of the route: base, version, path and query.
  public func makeURL(baseURL: URL) -> URL {
    let url = baseURL.appending(path: version.rawValue).appending(path: path)
    return query.isEmpty ? url : url.appending(queryItems: query)
  }

  /// Makes the request, ready to be sent; a token goes only where one is needed.
  ///
  /// - Throws: ``ArticlesError/signedOut`` when a token is needed and there is none.
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
