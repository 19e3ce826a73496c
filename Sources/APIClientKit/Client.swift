/// An object that asks the endpoints of a scope: a ``Client``, or what a test has in its place.
///
/// ```swift
/// struct Canned: ClientProtocol {
///   let json: String
///   func send<Response>(_ endpoint: Endpoint<Customer, Response>) async throws -> Response {
///     try endpoint.decode(Data(json.utf8))
///   }
/// }
/// let shop = Shop(client: Canned(json: "[]"))        // struct Shop { let client: any ClientProtocol<Customer> }
/// ```
public protocol ClientProtocol<Scope>: Sendable {
  /// The scope of the endpoints that are asked.
  associatedtype Scope

  /// Asks an endpoint, and returns what it answers.
  @discardableResult func send<Response>(_ endpoint: Endpoint<Scope, Response>) async throws -> Response
}

extension ClientProtocol {
  /// Asks two endpoints at a time, and returns both answers.
  public func send<First, Second>(
    _ first: Endpoint<Scope, First>, _ second: Endpoint<Scope, Second>
  ) async throws -> (First, Second) {
    async let one = send(first)
    async let two = send(second)
    return try await (one, two)
  }

  /// Asks three endpoints at a time, and returns all answers.
  public func send<First, Second, Third>(
    _ first: Endpoint<Scope, First>, _ second: Endpoint<Scope, Second>, _ third: Endpoint<Scope, Third>
  ) async throws -> (First, Second, Third) {
    async let one = send(first)
    async let two = send(second)
    async let three = send(third)
    return try await (one, two, three)
  }

  /// Asks an endpoint, and then the one that its answer leads to.
  ///
  /// ```swift
  /// let profile = try await client.send(.upload(image), then: { .setAvatar(id: $0.id) })
  /// ```
  @discardableResult public func send<First, Second>(
    _ first: Endpoint<Scope, First>, then next: (First) throws -> Endpoint<Scope, Second>
  ) async throws -> Second {
    try await send(next(send(first)))
  }

  /// Asks an endpoint, and again by a rule when that fails.
  @discardableResult public func send<Response>(
    _ endpoint: Endpoint<Scope, Response>, retry: Retry
  ) async throws -> Response {
    try await retry { try await send(endpoint) }
  }
}

/// A client that may ask the endpoints of a scope; another scope's do not compile.
///
/// ```swift
/// let guest = Client<Guest>(api)
/// let customer = Client<Customer>(api, token: Token(access: "…"))
/// let orders = try await customer.send(.orders(page: 1))
/// ```
public struct Client<Scope>: ClientProtocol {
  /// The client that carries the requests.
  public let api: APIClient
  /// The token of this client, if it has one of its own.
  private let tokens: Tokens?

  private init(_ api: APIClient, _ tokens: Tokens?) { (self.api, self.tokens) = (api, tokens) }

  /// Creates a client with a token that cannot be refreshed.
  public init(_ api: APIClient, token: Token) { self.init(api, Tokens(token)) }

  /// Creates a client with a token and a way to refresh it.
  public init(_ api: APIClient, tokens: Tokens) { self.init(api, .some(tokens)) }

  /// Asks an endpoint of the client's own scope.
  @discardableResult public func send<Response>(_ endpoint: Endpoint<Scope, Response>) async throws -> Response {
    try await api.value(of: endpoint, tokens)
  }

  fileprivate func value<Other, Response>(of endpoint: Endpoint<Other, Response>) async throws -> Response {
    try await api.value(of: endpoint, tokens)
  }
}

extension Client where Scope == Guest {
  /// Creates a signed-out client.
  public init(_ api: APIClient) { self.init(api, nil) }

  /// Returns a signed-in client: its requests carry the token, which the API client keeps if it keeps tokens.
  public func signedIn(with token: Token) async -> Client<Customer> { await signedIn(as: Customer.self, with: token) }

  /// Returns a signed-in client of another scope.
  public func signedIn<Other>(as scope: Other.Type, with token: Token) async -> Client<Other> {
    let tokens = api.configuration.tokens ?? Tokens(token)
    await tokens.use(token)
    return Client<Other>(api, tokens: tokens)
  }
}

extension Client where Scope: CustomerScope {
  /// Asks an endpoint for guests.
  @_disfavoredOverload
  @discardableResult public func send<Response>(_ endpoint: Endpoint<Guest, Response>) async throws -> Response {
    try await value(of: endpoint)
  }

  /// Asks an endpoint for customers.
  @_disfavoredOverload
  @discardableResult public func send<Response>(_ endpoint: Endpoint<Customer, Response>) async throws -> Response {
    try await value(of: endpoint)
  }

  /// Forgets the token, and returns a signed-out client.
  public func signedOut() async -> Client<Guest> {
    await tokens?.use(nil)
    return Client<Guest>(api)
  }
}

extension APIClient {
  @concurrent fileprivate func value<Scope, Response>(
    of endpoint: Endpoint<Scope, Response>, _ tokens: Tokens?
  ) async throws -> Response {
    let decoder = decoder(for: endpoint.request)
    let response = try await perform(endpoint.request, Options(tokens: tokens))
    return try decoded(response) { try endpoint.decode($0, by: decoder) }.value
  }
}
