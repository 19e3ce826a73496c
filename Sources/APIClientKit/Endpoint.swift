public import Foundation

/// An endpoint of an API: its request, the decoding of its response, and the scope that may send it.
///
/// ```swift
/// extension Endpoint where Scope: CustomerScope, Response == [Order] {
///   static func orders(page: Int) -> Self { Endpoint(.get("/orders", query: [("page", "\(page)")])) }
/// }
/// ```
/// No value of the type `Scope` exists. ``Client`` uses it to reject endpoints of other scopes at compile time.
public struct Endpoint<Scope, Response: Sendable>: Sendable {
  /// The request.
  public let request: Request<Data>
  private let read: @Sendable (Data, JSONDecoder) throws -> Response

  /// Creates an endpoint with a closure that decodes the response.
  public init(_ request: Request<Data>, decode: @escaping @Sendable (Data, JSONDecoder) throws -> Response) {
    (self.request, read) = (request, decode)
  }

  /// Decodes a response.
  ///
  /// Replacements of the client in tests call this function as well.
  public func decode(_ data: Data, by decoder: JSONDecoder = .api()) throws -> Response { try read(data, decoder) }

  /// Returns the endpoint with a transformed response.
  public func map<Other>(_ transform: @escaping @Sendable (Response) throws -> Other) -> Endpoint<Scope, Other> {
    Endpoint<Scope, Other>(request) { [read] in try transform(read($0, $1)) }
  }
}

extension Endpoint {
  /// Parameters by name, sent in the query for `GET`, `HEAD` and `DELETE`, and as a form for other methods.
  public typealias Parameters = [String: any LosslessStringConvertible & Sendable]

  fileprivate static func request(_ method: HTTPMethod, _ path: String, _ parameters: Parameters?) -> Request<Data> {
    let pairs = (parameters ?? [:]).map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
    var request = Request<Data>(path: path, method: method)
    if pairs.isEmpty { return request }
    if [.get, .head, .delete].contains(method) { request.query = pairs } else { request.body = FormBody(pairs) }
    return request
  }
}

extension Endpoint where Response: Decodable {
  /// Creates an endpoint with a JSON response.
  public init(_ request: Request<Data>) {
    self.init(request) { data, decoder in try decoder.decode(Response.self, from: data) }
  }

  /// Creates an endpoint with a JSON response from a path and parameters.
  public init(method: HTTPMethod = .get, path: String, parameters: Parameters? = nil) {
    self.init(Self.request(method, path, parameters))
  }
}

extension Endpoint where Response == Void {
  /// Creates an endpoint whose response has no content.
  public init(_ request: Request<Data>) { self.init(request) { _, _ in } }

  /// Creates an endpoint whose response has no content from a path and parameters.
  public init(method: HTTPMethod = .get, path: String, parameters: Parameters? = nil) {
    self.init(Self.request(method, path, parameters))
  }
}
