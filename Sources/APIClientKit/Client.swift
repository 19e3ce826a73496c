/// A type that sends the endpoints of a scope, such as ``Client`` or a replacement in a test.
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
  /// The scope of the endpoints.
  associatedtype Scope

  /// Sends an endpoint and returns its response.
  @discardableResult func send<Response>(_ endpoint: Endpoint<Scope, Response>) async throws -> Response
}

extension ClientProtocol {
  /// Sends two endpoints concurrently and returns both responses.
  public func send<First, Second>(
    _ first: Endpoint<Scope, First>, _ second: Endpoint<Scope, Second>
  ) async throws -> (First, Second) {
    async let one = send(first)
    async let two = send(second)
    return try await (one, two)
  }

  /// Sends three endpoints concurrently and returns all responses.
  public func send<First, Second, Third>(
    _ first: Endpoint<Scope, First>, _ second: Endpoint<Scope, Second>, _ third: Endpoint<Scope, Third>
  ) async throws -> (First, Second, Third) {
    async let one = send(first)
    async let two = send(second)
    async let three = send(third)
    return try await (one, two, three)
  }

  /// Sends an endpoint, and then another endpoint that depends on the response.
  ///
  /// ```swift
  /// let profile = try await client.send(.upload(image), then: { .setAvatar(id: $0.id) })
  /// ```
  @discardableResult public func send<First, Second>(
    _ first: Endpoint<Scope, First>, then next: (First) throws -> Endpoint<Scope, Second>
  ) async throws -> Second {
    try await send(next(send(first)))
  }

  /// Sends an endpoint, and repeats it according to a rule if it fails.
  @discardableResult public func send<Response>(
    _ endpoint: Endpoint<Scope, Response>, retry: Retry
  ) async throws -> Response {
    try await retry { try await send(endpoint) }
  }
}

/// A client for the endpoints of a scope.
///
/// Sending an endpoint of another scope does not compile.
///
/// ```swift
/// let guest = Client<Guest>(api)
/// let customer = Client<Customer>(api, token: Token(access: "…"))
/// let orders = try await customer.send(.orders(page: 1))
/// ```
public struct Client<Scope>: ClientProtocol {
  /// The client that sends the requests.
  public let api: APIClient
  /// The tokens of this client; nil to use those of the API client.
  private let tokens: Tokens?

  private init(_ api: APIClient, _ tokens: Tokens?) { (self.api, self.tokens) = (api, tokens) }

  /// Creates a client with a token that cannot be refreshed.
  public init(_ api: APIClient, token: Token) { self.init(api, Tokens(token)) }

  /// Creates a client with refreshable tokens.
  public init(_ api: APIClient, tokens: Tokens) { self.init(api, .some(tokens)) }

  /// Sends an endpoint of the client's own scope.
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

  /// Returns a signed-in client that sends the token.
  ///
  /// The API client stores the token if it manages tokens.
  public func signedIn(with token: Token) async -> Client<Customer> { await signedIn(as: Customer.self, with: token) }

  /// Returns a signed-in client of another scope.
  public func signedIn<Other>(as scope: Other.Type, with token: Token) async -> Client<Other> {
    let tokens = api.configuration.tokens ?? Tokens(token)
    await tokens.use(token)
    return Client<Other>(api, tokens: tokens)
  }
}

extension Client where Scope: CustomerScope {
  /// Sends an endpoint for guests.
  @_disfavoredOverload
  @discardableResult public func send<Response>(_ endpoint: Endpoint<Guest, Response>) async throws -> Response {
    try await value(of: endpoint)
  }

  /// Sends an endpoint for customers.
  @_disfavoredOverload
  @discardableResult public func send<Response>(_ endpoint: Endpoint<Customer, Response>) async throws -> Response {
    try await value(of: endpoint)
  }

  /// Removes the token, and returns a signed-out client.
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
