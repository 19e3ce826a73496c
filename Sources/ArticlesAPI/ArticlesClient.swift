public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Reads and writes articles: sends routes, with the token of a store where one is needed.
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
  ///   - baseURL: Where the API begins, without a version: `https://api.domain.com`.
  ///   - session: What sends the requests; timeouts are the session's.
  ///   - tokens: Where the token is kept.
  ///   - credentials: What to sign in with anew, once however many requests are refused together; nil, and they fail.
  public init(
    baseURL: URL, session: URLSession = .shared, tokens: any TokenStore = MemoryTokenStore(),
    credentials: (@Sendable () async throws -> Credentials)? = nil
  ) {
    (self.baseURL, self.session, self.tokens, self.credentials) = (baseURL, session, tokens, credentials)
  }

  /// Signs in and keeps the token.
  @discardableResult public func signIn(_ credentials: Credentials) async throws -> Author {
    let answer: SignedIn = try await value(for: .signIn(credentials))
    try await tokens.save(.bearer(answer.token))
    return answer.user
  }

  /// Forgets the token.
  public func signOut() async throws { try await tokens.clear() }
  /// Returns a page of articles; ``ArticlePage/next`` is the number of the one after it.
  public func articles(page: Int = 1) async throws -> ArticlePage { try await value(for: .articles(page: page)) }
  /// Returns an article.
  public func article(_ id: Int) async throws -> Article { try await value(for: .article(id)) }
  /// Creates an article.
  public func create(_ draft: Draft) async throws -> Article { try await value(for: .create(draft)) }
  /// Replaces an article.
  public func update(_ id: Int, with draft: Draft) async throws -> Article { try await value(for: .update(id, draft)) }
  /// Deletes an article.
  public func delete(_ id: Int) async throws { try await send(.delete(id)) }

  /// Returns an article and its tag; nil when the article is still the one that the given tag was for (304).
  public func revision(of id: Int, otherThan tag: String? = nil) async throws -> Revision? {
    var request = try await makeRequest(for: .article(id))
    // The question is the server's to answer, not a cache's.
    request.cachePolicy = .reloadIgnoringLocalCacheData
    if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
    let answer = try await exchangeWithToken(request)
    if tag != nil, answer.1.statusCode == 304 { return nil }
    return Revision(article: try decode(validated(answer)), tag: answer.1.value(forHTTPHeaderField: "ETag"))
  }

  /// Sends a route and decodes its answer.
  public func value<Value: Decodable>(for route: Route) async throws -> Value { try decode(await send(route)) }

  /// Creates the request of a route, with its token: to be changed, and sent by ``send(_:)-(URLRequest)``.
  ///
  /// - Throws: ``ArticlesError/signedOut`` when it needs a token, and there is none and nothing to get one with.
  public func makeRequest(for route: Route) async throws -> URLRequest {
    guard route.requiresAuthentication else { return try route.makeRequest(baseURL: baseURL) }
    var token = try await tokens.token()
    if token == nil, credentials != nil { token = try await renew(nil) }
    return try route.makeRequest(baseURL: baseURL, token: token)
  }

  /// Sends a route, with a new token when the server does not take the one there is.
  ///
  /// - Throws: ``ArticlesError`` for a status that is not from 200 to 299, or what went wrong on the way.
  @discardableResult public func send(_ route: Route) async throws -> (Data, HTTPURLResponse) {
    try await send(makeRequest(for: route))
  }

  /// Sends a request, with a new token when the server does not take the one in it.
  ///
  /// ```swift
  /// var request = try await client.makeRequest(for: .articles(page: 2))
  /// request.timeoutInterval = 5
  /// let (data, _) = try await client.send(request)
  /// let page: ArticlePage = try client.deserialize(data)
  /// ```
  ///
  /// - Throws: ``ArticlesError`` for a status that is not from 200 to 299, or what went wrong on the way.
  @discardableResult public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    try validated(await exchangeWithToken(request))
  }

  /// Decodes data of the API: `snake_case`, and dates of ISO 8601.
  ///
  /// - Parameters:
  ///   - data: What a route was answered by.
  ///   - type: What it is.
  /// - Returns: The value.
  /// - Throws: `DecodingError`.
  public func deserialize<Value: Decodable>(_ data: Data, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder.articles.decode(type, from: data)
  }

  /// A request that is refused is sent once more with another bearer token, if credentials are there to get one with.
  private func exchangeWithToken(_ original: URLRequest) async throws -> (Data, HTTPURLResponse) {
    var request = original
    var answer = try await exchange(request)
    if answer.1.statusCode == 401, credentials != nil, let refused = Token(bearerIn: Self.authorization(of: request)) {
      request.setValue(try await renew(refused).authorization, forHTTPHeaderField: "Authorization")
      answer = try await exchange(request)
    }
    // Forget a token that the server does not take, unless another has taken its place.
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

  /// Returns another token than the one that was refused.
  private func renew(_ refused: Token?) async throws -> Token {
    try await renewal.token {
      // Somebody may have been here between the refusal and now.
      if let current = try await tokens.token(), current != refused { return current }
      guard let credentials else { throw ArticlesError.signedOut }
      try await tokens.clear()
      try await signIn(credentials())
      guard let token = try await tokens.token() else { throw ArticlesError.signedOut }
      return token
    }
  }

  /// Sends a request, and gives cancellation one error, whichever layer notices it first.
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
  /// Creates the error for a refused request from its status and the server's message.
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

/// Has a new token made once, however many callers ask for it together.
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
