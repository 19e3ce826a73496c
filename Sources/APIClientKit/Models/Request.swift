public import Foundation

/// A request of an API, with the type of its answer.
///
/// ```swift
/// let repos: Request<[Repository]> = .get("/users/kean/repos", query: [("page", "2")])
/// let emails = Request(path: "/user/emails", method: .post, body: ["kean@example.com"])   // Request<Void>
/// ```
/// A factory such as `get` takes no body where the method has none; an initializer takes any method with any of them.
public struct Request<Response>: Sendable {
  /// Names and values in the order they are sent; names may repeat, and nil sends the name alone.
  public typealias Query = [(String, String?)]
  /// A value that is sent: JSON of any `Encodable`, `Data` and `String` as they are, or an ``EncodedBody``.
  public typealias Body = any Encodable & Sendable

  /// The method.
  public var method: HTTPMethod
  /// A path under the base URL, or a whole URL.
  public var path: String
  /// The pairs that follow the question mark, after any query of the path.
  public var query: Query?
  /// The content.
  public var body: Body?
  /// Fields of this request; they win over the client's.
  public var headers: [String: String]?
  /// A name to tell requests apart by, for delegates and logs; it is not sent.
  public var id: String?
  /// The use of kept answers.
  public var cache = CachePolicy.standard
  /// The time without a byte after which it fails; nil for the session's.
  public var timeout: Duration?
  /// Tells whether the client's token and API key go along, to its own origin.
  public var isAuthorized = true

  /// Creates a request for a path under the client's base URL, or for a whole URL.
  public init(
    path: String, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    (self.path, self.method, self.query, self.body) = (path, method, query, body)
    (self.headers, self.id) = (headers, id)
  }

  /// Creates a request for a URL, absolute or relative.
  public init(
    url: URL, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url.absoluteString, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request for the text of a URL, absolute or relative, as Get 1 does.
  public init(
    method: HTTPMethod = .get, url: String, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request with a query whose names do not repeat; they are sent in alphabetical order.
  public init(
    path: String, method: HTTPMethod = .get, query: [String: String], body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: path, method: method, query: Self.pairs(query), body: body, headers: headers, id: id)
  }

  /// The path as a URL, relative to the client's base URL or absolute; nil when it makes none.
  public var url: URL? {
    get { URL(string: path.isEmpty ? "/" : path) }
    set { path = newValue?.absoluteString ?? "" }
  }

  /// Returns the same request for an answer of another type.
  public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
    var other = Request<Other>(path: path, method: method, query: query, body: body, headers: headers, id: id)
    (other.cache, other.timeout, other.isAuthorized) = (cache, timeout, isAuthorized)
    return other
  }

  /// Returns the same request for another path, such as that of the next page.
  public func at(_ path: String) -> Request {
    var request = self
    (request.path, request.query) = (path, nil)
    return request
  }

  static func pairs(_ query: [String: String]) -> Query {
    query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Request where Response == Void {
  /// Creates a request whose answer is not decoded, for a path under the client's base URL, or for a whole URL.
  public init(
    path: String, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    (self.path, self.method, self.query, self.body) = (path, method, query, body)
    (self.headers, self.id) = (headers, id)
  }

  /// Creates a request whose answer is not decoded, for a URL, absolute or relative.
  public init(
    url: URL, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url.absoluteString, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request whose answer is not decoded, for the text of a URL, absolute or relative.
  public init(
    method: HTTPMethod = .get, url: String, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request whose answer is not decoded, with a query whose names do not repeat.
  public init(
    path: String, method: HTTPMethod = .get, query: [String: String], body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: path, method: method, query: Self.pairs(query), body: body, headers: headers, id: id)
  }
}
