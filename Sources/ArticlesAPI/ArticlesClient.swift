public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client that reads and writes articles.
///
/// It sends the token from a store with routes that require authentication.
///
/// ```swift
/// let client = ArticlesClient(baseURL: url, tokens: FileTokenStore(file))
/// try await client.signIn(Credentials(email: "ada@example.com", password: password))
/// let article = try await client.create(Draft(title: "Hello", content: "…"))
/// ```
public struct ArticlesClient: Sendable {
  private let baseURL: URL
  private let session: URLSession
  private let tokens: any TokenStore
  private let credentials: (@Sendable () async throws -> Credentials)?
  private let renewal = Renewal()

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the API without a version, such as `https://api.domain.com`.
  ///   - session: The session that sends the requests and determines timeouts, by default `URLSession.shared`.
  ///   - tokens: The store of the token, by default in memory.
  ///   - credentials: The function that returns credentials for signing in again after a token was rejected. If it is
  ///     nil (the default), such requests fail.
  public init(
    baseURL: URL, session: URLSession = .shared, tokens: any TokenStore = MemoryTokenStore(),
    credentials: (@Sendable () async throws -> Credentials)? = nil
  ) {
    (self.baseURL, self.session, self.tokens, self.credentials) = (baseURL, session, tokens, credentials)
  }

  /// Signs in and saves the token.
  @discardableResult public func signIn(_ credentials: Credentials) async throws -> Author {
    let answer: SignedIn = try await value(for: .signIn(credentials))
    try await tokens.save(.bearer(answer.token))
    return answer.user
  }

  /// Removes the token.
  public func signOut() async throws { try await tokens.clear() }
  /// Returns a page of articles; ``ArticlePage/next`` is the number of the next page.
  public func articles(page: Int = 1) async throws -> ArticlePage { try await value(for: .articles(page: page)) }
  /// Returns an article.
  public func article(_ id: Int) async throws -> Article { try await value(for: .article(id)) }
  /// Creates an article.
  public func create(_ draft: Draft) async throws -> Article { try await value(for: .create(draft)) }
  /// Replaces an article.
  public func update(_ id: Int, with draft: Draft) async throws -> Article { try await value(for: .update(id, draft)) }
  /// Deletes an article.
  public func delete(_ id: Int) async throws { try await send(.delete(id)) }

  /// Returns an article and its entity tag; nil if the given tag is still current (status 304).
  public func revision(of id: Int, otherThan tag: String? = nil) async throws -> Revision? {
    var request = try await makeRequest(for: .article(id))
    // The server must handle the condition, not a cache.
    request.cachePolicy = .reloadIgnoringLocalCacheData
    if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
    let answer = try await exchangeWithToken(request)
    if tag != nil, answer.1.statusCode == 304 { return nil }
    return Revision(article: try decode(validated(answer)), tag: answer.1.value(forHTTPHeaderField: "ETag"))
  }

  /// Sends a route and decodes the response.
  public func value<Value: Decodable>(for route: Route) async throws -> Value { try decode(await send(route)) }

  /// Creates the request for a route with the token.
  ///
  /// It can be changed and then sent with ``send(_:)-(URLRequest)``.
  ///
  /// - Throws: ``ArticlesError/signedOut`` if the route requires a token, and there are neither a token nor
  ///   credentials.
  public func makeRequest(for route: Route) async throws -> URLRequest {
    guard route.requiresAuthentication else { return try route.makeRequest(baseURL: baseURL) }
    var token = try await tokens.token()
    if token == nil, credentials != nil { token = try await renew(nil) }
    return try route.makeRequest(baseURL: baseURL, token: token)
  }

  /// Sends a route, and repeats it with a new token if the server rejects the current token.
  ///
  /// - Throws: ``ArticlesError`` for a status that is not from 200 to 299, or the error of the connection.
  @discardableResult public func send(_ route: Route) async throws -> (Data, HTTPURLResponse) {
    try await send(makeRequest(for: route))
  }

  /// Sends a request, and repeats it with a new token if the server rejects the token in the request.
  ///
  /// ```swift
  /// var request = try await client.makeRequest(for: .articles(page: 2))
  /// request.timeoutInterval = 5
  /// let (data, _) = try await client.send(request)
  /// let page: ArticlePage = try client.deserialize(data)
  /// ```
  ///
  /// - Throws: ``ArticlesError`` for a status that is not from 200 to 299, or the error of the connection.
  @discardableResult public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    try validated(await exchangeWithToken(request))
  }

  /// Decodes JSON of the API, which has names in `snake_case` and dates in ISO 8601.
  ///
  /// - Parameters:
  ///   - data: The content of a response.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `DecodingError`.
  public func deserialize<Value: Decodable>(_ data: Data, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder.articles.decode(type, from: data)
  }

  /// Sends a request, and repeats it once with a new bearer token after a 401 if there are credentials.
  private func exchangeWithToken(_ original: URLRequest) async throws -> (Data, HTTPURLResponse) {
    var request = original
    var answer = try await exchange(request)
    if answer.1.statusCode == 401, credentials != nil, let refused = Token(bearerIn: Self.authorization(of: request)) {
      request.setValue(try await renew(refused).authorization, forHTTPHeaderField: "Authorization")
      answer = try await exchange(request)
    }
    // A rejected token is removed, unless it has been replaced in the meantime.
    if answer.1.statusCode == 401, let sent = Self.authorization(of: request),
      try await tokens.token()?.authorization == sent
    {
      try await tokens.clear()
    }
    return answer
  }

  private static func authorization(of request: URLRequest) -> String? {
    request.value(forHTTPHeaderField: "Authorization")
  }

  /// Returns a token other than the rejected one.
  private func renew(_ refused: Token?) async throws -> Token {
    try await renewal.token {
      // Another request may have renewed the token since the rejection.
      if let current = try await tokens.token(), current != refused { return current }
      guard let credentials else { throw ArticlesError.signedOut }
      try await tokens.clear()
      try await signIn(credentials())
      guard let token = try await tokens.token() else { throw ArticlesError.signedOut }
      return token
    }
  }

  /// Sends a request.
  ///
  /// A cancellation throws the same error, no matter which layer detects it.
  private func exchange(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    do {
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
      return (data, response)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }

  private func validated(_ answer: (Data, HTTPURLResponse)) throws -> (Data, HTTPURLResponse) {
    guard (200...299).contains(answer.1.statusCode) else { throw ArticlesError(answer.1, answer.0) }
    return answer
  }

  private func decode<Value: Decodable>(_ answer: (Data, HTTPURLResponse)) throws -> Value {
    do { return try JSONDecoder.articles.decode(Value.self, from: answer.0) } catch {
      throw ArticlesError.undecodable(status: answer.1.statusCode, "\(error)")
    }
  }
}

extension ArticlesError {
  /// Creates the error for a rejected request from its status and the server's message.
  init(_ response: HTTPURLResponse, _ data: Data) {
    let refusal = try? JSONDecoder.articles.decode(Refusal.self, from: data)
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
    switch response.statusCode {
    case 401: self = .unauthorized(refusal?.message)
    case 404: self = .notFound(refusal?.message)
    case 422: self = .invalid(refusal?.message, fields: refusal?.fields ?? [:])
    case 403 where retryAfter != nil, 429: self = .rateLimited(retryAfter: retryAfter)
    default: self = .status(response.statusCode, refusal?.message)
    }
  }
}

/// Ensures that concurrent callers obtain only one new token.
private actor Renewal {
  private var running: Task<Token, any Error>?

  func token(_ make: @escaping @Sendable () async throws -> Token) async throws -> Token {
    if let running { return try await running.value }
    let task = Task { try await make() }
    running = task
    defer { running = nil }
    return try await task.value
  }
}
