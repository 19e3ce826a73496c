public import Foundation

/// An endpoint of an API: its request, the way to read the answer, and the scope that may ask it.
///
/// ```swift
/// extension Endpoint where Scope: CustomerScope, Response == [Order] {
///   static func orders(page: Int) -> Self { Endpoint(.get("/orders", query: [("page", "\(page)")])) }
/// }
/// ```
/// The scope is a phantom: no value has it. ``Client`` uses it to let nobody ask for what is not theirs.
public struct Endpoint<Scope, Response: Sendable>: Sendable {
  /// The request.
  public let request: Request<Data>
  private let read: @Sendable (Data, JSONDecoder) throws -> Response

  /// Creates an endpoint with a closure that reads the answer.
  public init(_ request: Request<Data>, decode: @escaping @Sendable (Data, JSONDecoder) throws -> Response) {
    (self.request, read) = (request, decode)
  }

  /// Reads an answer; a replacement of the client in a test calls it, too.
  public func decode(_ data: Data, by decoder: JSONDecoder = .api()) throws -> Response { try read(data, decoder) }

  /// Returns the same endpoint with another value made of the answer.
  public func map<Other>(_ transform: @escaping @Sendable (Response) throws -> Other) -> Endpoint<Scope, Other> {
    Endpoint<Scope, Other>(request) { [read] in try transform(read($0, $1)) }
  }
}

extension Endpoint {
  /// Values by name, sent in the query of `GET`, `HEAD` and `DELETE`, and as a form by the other methods.
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
  /// Creates an endpoint whose answer is JSON.
  public init(_ request: Request<Data>) {
    self.init(request) { data, decoder in try decoder.decode(Response.self, from: data) }
  }

  /// Creates an endpoint whose answer is JSON, of a path and parameters.
  public init(method: HTTPMethod = .get, path: String, parameters: Parameters? = nil) {
    self.init(Self.request(method, path, parameters))
  }
}

extension Endpoint where Response == Void {
  /// Creates an endpoint that succeeds or fails, and whose answer is not read.
  public init(_ request: Request<Data>) { self.init(request) { _, _ in } }

  /// Creates an endpoint that succeeds or fails, and whose answer is not read, of a path and parameters.
  public init(method: HTTPMethod = .get, path: String, parameters: Parameters? = nil) {
    self.init(Self.request(method, path, parameters))
  }
}
