public import Foundation

/// The scope of endpoints that anybody may use.
public enum Guest {}
/// The scope of endpoints for who has signed in.
public enum Customer {}

/// What an API offers: what is asked, how the answer is read, and who may ask.
///
/// ```swift
/// extension Endpoint where Scope == Customer, Response == [Order] {
///   static func orders(page: Int) -> Self { Endpoint(.get("/orders", query: [("page", "\(page)")])) }
/// }
/// ```
/// The scope is a phantom: no value has it. ``Client`` uses it to let nobody ask for what is not theirs.
public struct Endpoint<Scope, Response: Sendable>: Sendable {
  let request: Request<Data>
  let decode: @Sendable (Data, JSONDecoder) throws -> Response

  /// An endpoint whose answer is read in a way of its own.
  public init(_ request: Request<Data>, decode: @escaping @Sendable (Data, JSONDecoder) throws -> Response) {
    (self.request, self.decode) = (request, decode)
  }

  /// An endpoint whose answer is JSON.
  public init(_ request: Request<Data>) where Response: Decodable {
    self.init(request) { data, decoder in try decoder.decode(Response.self, from: data) }
  }

  /// The same endpoint with another value made of the answer.
  public func map<Other>(_ transform: @escaping @Sendable (Response) throws -> Other) -> Endpoint<Scope, Other> {
    Endpoint<Scope, Other>(request) { [decode] in try transform(decode($0, $1)) }
  }
}

/// Somebody who may use the endpoints of a scope; another scope's do not compile.
public struct Client<Scope>: Sendable {
  /// What carries the requests.
  public let api: APIClient

  /// Asks an endpoint of the client's own scope.
  public func send<Response>(_ endpoint: Endpoint<Scope, Response>) async throws -> Response {
    try await api.value(endpoint)
  }
}

extension Client where Scope == Guest {
  /// Nobody in particular.
  public init(_ api: APIClient) { self.api = api }

  /// Becomes a customer, whose requests carry the token if the API client keeps tokens: the only way to be one.
  public func signedIn(with token: Token) async -> Client<Customer> {
    await api.configuration.tokens?.use(token)
    return Client<Customer>(api: api)
  }
}

extension Client where Scope == Customer {
  /// Asks an endpoint for anybody.
  public func send<Response>(_ endpoint: Endpoint<Guest, Response>) async throws -> Response {
    try await api.value(endpoint)
  }

  /// Forgets who it was.
  public func signedOut() async -> Client<Guest> {
    await api.configuration.tokens?.use(nil)
    return Client<Guest>(api)
  }
}

extension APIClient {
  @concurrent fileprivate func value<Scope, Response>(_ endpoint: Endpoint<Scope, Response>) async throws -> Response {
    let decoder = delegate.client(self, decoderFor: endpoint.request) ?? configuration.decoder
    return try decoded(await perform(endpoint.request)) { try endpoint.decode($0, decoder) }.value
  }
}
