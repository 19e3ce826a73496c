public import Foundation

/// A request to an API, with the type of its response.
///
/// ```swift
/// let repos: Request<[Repository]> = .get("/users/kean/repos", query: [("page", "2")])
/// let emails = Request(path: "/user/emails", method: .post, body: ["kean@example.com"])   // Request<Void>
/// ```
/// Factories such as `get` have no body parameter if the method does not use a body. The initializers accept all
/// combinations.
public struct Request<Response>: Sendable {
  /// Names and values in the order in which they are sent.
  ///
  /// Names may repeat. A nil value sends only the name.
  public typealias Query = [(String, String?)]
  /// The value of a body: JSON for an `Encodable` value, unchanged `Data` and `String`, or an ``EncodedBody``.
  public typealias Body = any Encodable & Sendable

  /// The method.
  public var method: HTTPMethod
  /// A path relative to the base URL, or a complete URL.
  public var path: String
  /// The query parameters, which are appended to a query in the path.
  public var query: Query?
  /// The body.
  public var body: Body?
  /// Header fields of this request, which override those of the client.
  public var headers: [String: String]?
  /// A name that identifies the request in delegates and logs.
  ///
  /// It is not sent.
  public var id: String?
  /// The use of cached responses.
  public var cache = CachePolicy.standard
  /// The maximum time without data; nil (the default) for that of the session.
  public var timeout: Duration?
  /// True if the client's token and API key are sent, though only to its own origin.
  public var isAuthorized = true

  /// Creates a request from a path relative to the base URL, or from a complete URL.
  public init(
    path: String, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    (self.path, self.method, self.query, self.body) = (path, method, query, body)
    (self.headers, self.id) = (headers, id)
  }

  /// Creates a request from an absolute or relative URL.
  public init(
    url: URL, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url.absoluteString, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request from the text of an absolute or relative URL, as in Get 1.
  public init(
    method: HTTPMethod = .get, url: String, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request with a query whose names do not repeat, sent in alphabetical order.
  public init(
    path: String, method: HTTPMethod = .get, query: [String: String], body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: path, method: method, query: Self.pairs(query), body: body, headers: headers, id: id)
  }

  /// The path as a URL that is absolute, or relative to the base URL; nil if it is invalid.
  public var url: URL? {
    get { URL(string: path.isEmpty ? "/" : path) }
    set { path = newValue?.absoluteString ?? "" }
  }

  /// Returns the request with another type of response.
  public func withResponse<Other>(_ type: Other.Type) -> Request<Other> {
    var other = Request<Other>(path: path, method: method, query: query, body: body, headers: headers, id: id)
    (other.cache, other.timeout, other.isAuthorized) = (cache, timeout, isAuthorized)
    return other
  }

  /// Returns the request with another path, such as that of the next page, and without a query.
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
  /// Creates a request without decoding its response, from a path relative to the base URL or a complete URL.
  public init(
    path: String, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    (self.path, self.method, self.query, self.body) = (path, method, query, body)
    (self.headers, self.id) = (headers, id)
  }

  /// Creates a request without decoding its response, from an absolute or relative URL.
  public init(
    url: URL, method: HTTPMethod = .get, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url.absoluteString, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request without decoding its response, from the text of an absolute or relative URL.
  public init(
    method: HTTPMethod = .get, url: String, query: Query? = nil, body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: url, method: method, query: query, body: body, headers: headers, id: id)
  }

  /// Creates a request without decoding its response, with a query whose names do not repeat.
  public init(
    path: String, method: HTTPMethod = .get, query: [String: String], body: Body? = nil,
    headers: [String: String]? = nil, id: String? = nil
  ) {
    self.init(path: path, method: method, query: Self.pairs(query), body: body, headers: headers, id: id)
  }
}
