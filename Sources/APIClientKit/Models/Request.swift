public import Foundation

/// What is to be asked of an API, and the type of what comes back.
///
/// ```swift
/// let repos: Request<[Repository]> = .get("/users/kean/repos", query: [("page", "2"), ("sort", nil)])
/// ```
/// It is made by the factory of its method, so that a `GET` cannot be given a body.
public struct Request<Response>: Sendable {
  /// Names and values in the order they are sent; names may repeat, and nil values are left out.
  public typealias Query = [(String, String?)]
  /// What an `Encodable` value becomes JSON of; `Data` and `String` are sent as they are.
  public typealias Body = any Encodable & Sendable

  /// The method's name.
  public let method: String
  /// A path under the base URL, or a whole URL.
  public var path: String
  /// What follows the question mark, after any query of the path.
  public var query: Query
  /// Fields of this request; they win over the client's.
  public var headers: [String: String]
  /// What is sent; only methods that have content take one.
  public let body: Body?
  /// A name to tell requests apart by, for delegates and logs.
  public var id: String?
  /// How kept answers are used.
  public var cache = CachePolicy.standard
  /// Seconds without a byte after which it fails; nil for the session's.
  public var timeout: TimeInterval?
  /// Whether the client's token and API key go along, to its own origin.
  public var isAuthorized = true

  private init(_ method: String, _ path: String, _ query: Query, _ headers: [String: String], _ body: Body? = nil) {
    (self.method, self.path, self.query, self.headers, self.body) = (method, path, query, headers, body)
  }

  /// Asks for a representation.
  public static func get(_ path: String, query: Query = [], headers: [String: String] = [:]) -> Request {
    Request("GET", path, query, headers)
  }
  /// Asks for the header fields alone.
  public static func head(_ path: String, query: Query = [], headers: [String: String] = [:]) -> Request {
    Request("HEAD", path, query, headers)
  }
  /// Asks what may be asked.
  public static func options(_ path: String, query: Query = [], headers: [String: String] = [:]) -> Request {
    Request("OPTIONS", path, query, headers)
  }
  /// Hands something over to be processed.
  public static func post(
    _ path: String, query: Query = [], body: Body? = nil, headers: [String: String] = [:]
  ) -> Request { Request("POST", path, query, headers, body) }
  /// Puts a representation in the place of another.
  public static func put(
    _ path: String, query: Query = [], body: Body? = nil, headers: [String: String] = [:]
  ) -> Request { Request("PUT", path, query, headers, body) }
  /// Changes a part.
  public static func patch(
    _ path: String, query: Query = [], body: Body? = nil, headers: [String: String] = [:]
  ) -> Request { Request("PATCH", path, query, headers, body) }
  /// Removes; some APIs want to be told what in a body.
  public static func delete(
    _ path: String, query: Query = [], body: Body? = nil, headers: [String: String] = [:]
  ) -> Request { Request("DELETE", path, query, headers, body) }

  /// The same request with another path, such as that of the next page.
  public func at(_ path: String) -> Request {
    var request = self
    (request.path, request.query) = (path, [])
    return request
  }

  /// Path and query under a base URL, or nil when they make no URL.
  ///
  /// - Parameter base: Where relative paths begin; its own path is kept.
  /// - Returns: A URL with a scheme and a host.
  public func url(under base: URL?) -> URL? {
    guard !path.isEmpty else { return nil }
    var text = path
    if path.firstRange(of: "://") == nil {
      guard let base else { return nil }
      let root = base.absoluteString
      text = (root.hasSuffix("/") ? String(root.dropLast()) : root) + (path.hasPrefix("/") ? path : "/\(path)")
    }
    guard var parts = URLComponents(string: text), parts.scheme != nil, parts.host != nil else { return nil }
    let items = query.compactMap { name, value in value.map { "\(Self.escape(name))=\(Self.escape($0))" } }
    let own = parts.percentEncodedQuery.map { [$0] } ?? []
    if !items.isEmpty { parts.percentEncodedQuery = (own + items).joined(separator: "&") }
    return parts.url
  }

  /// RFC 3986 §2.3: everything but the unreserved, so that "+", "&" and "=" mean themselves.
  private static func escape(_ text: String) -> String {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }
}
