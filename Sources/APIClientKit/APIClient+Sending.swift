import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How a request is made, sent, tried again and read.
extension APIClient {
  /// Sends a request as often as it takes, until it succeeds or nobody wants to try again.
  func perform<Value>(
    _ request: Request<Value>, as way: Way = .data, _ progress: TransferProgress.Handler? = nil
  ) async throws -> Response<Data> {
    if let obstacle = configuration.trust.obstacle { throw APIError(.unsupported(obstacle)) }
    var attempts = 1
    var refused: Tokens.Ticket?
    while true {
      try Task.checkCancellation()
      let (wanted, ticket) = try await urlRequest(for: request, refused)
      // A file is its own cache.
      let cache = if case .data = way { request.cache } else { CachePolicy.reload }
      if cache == .cacheOnly {
        guard let kept = validators.kept(for: wanted).flatMap(Response.init) else { throw APIError(.notCached) }
        return kept
      }
      let asked = cache == .revalidate ? validators.asking(wanted) : wanted
      var exchange = await transport.load(asked, as: way, in: session, secrets, progress)
      if case .upload(let data) = way { exchange.request.httpBody = data }
      configuration.observe?(exchange)
      if cache == .revalidate { exchange = validators.settle(exchange, for: wanted) }
      do {
        if let error = exchange.error { throw error }
        guard let response = Response(exchange) else { throw URLError(.badServerResponse) }
        try delegate.client(self, validateResponse: response.http, data: exchange.data)
        return response
      } catch {
        try Task.checkCancellation()
        let failure = APIError(error, exchange)
        if failure.status == 401, let ticket, refused == nil {
          refused = ticket
        } else {
          guard let task = exchange.task,
            try await delegate.client(self, shouldRetry: task, error: failure, attempts: attempts)
          else { throw failure }
          attempts += 1
        }
      }
    }
  }

  /// What is sent for a request, and the token that goes along.
  func urlRequest<Value>(
    for request: Request<Value>, _ refused: Tokens.Ticket? = nil
  ) async throws -> (URLRequest, Tokens.Ticket?) {
    do {
      let base = configuration.baseURL(in: environment)
      guard var url = try delegate.client(self, makeURLFor: request) ?? request.url(under: base) else {
        let root = base?.absoluteString ?? "no base URL for \(environment)"
        throw APIError.Reason.invalidURL("\"\(request.path)\" under \(root) is no URL")
      }
      // What is secret to one origin is not told to another: links and redirects lead anywhere.
      let isHome = request.isAuthorized && base.map { $0.hasSameOrigin(as: url) } ?? false
      let key = isHome ? configuration.apiKey : nil
      if case .query(let name, let key)? = key { url.append(queryItems: [URLQueryItem(name: name, value: key)]) }
      var made = URLRequest(url: url)
      made.httpMethod = request.method
      if request.cache != .standard { made.cachePolicy = .reloadIgnoringLocalCacheData }
      if let timeout = request.timeout { made.timeoutInterval = timeout }
      try encode(request, into: &made)
      if case .header(let name, let key)? = key { made.setValue(key, forHTTPHeaderField: name) }
      let tokens = isHome && request.headers["Authorization"] == nil ? configuration.tokens : nil
      let ticket = try await tokens?.ticket(after: refused)
      if let ticket { made.setValue("Bearer \(ticket.token.access)", forHTTPHeaderField: "Authorization") }
      let fields = configuration.headers.merging(request.headers) { _, own in own }
      for (name, value) in fields { made.setValue(value, forHTTPHeaderField: name) }
      try await delegate.client(self, willSendRequest: &made)
      return (made, ticket)
    } catch {
      throw error is CancellationError ? error : APIError(error)
    }
  }

  private func encode<Value>(_ request: Request<Value>, into made: inout URLRequest) throws {
    let type: String
    switch request.body {
    case nil: return
    case let data as Data: (made.httpBody, type) = (data, "application/octet-stream")
    case let text as String: (made.httpBody, type) = (Data(text.utf8), "text/plain; charset=utf-8")
    case let value?:
      let encoder = delegate.client(self, encoderFor: request) ?? configuration.encoder
      do { made.httpBody = try encoder.encode(value) } catch { throw APIError.Reason.encoding(error) }
      type = "application/json"
    }
    made.setValue(type, forHTTPHeaderField: "Content-Type")
  }

  /// A response with its content decoded; it keeps the status when that fails.
  func decoded<Value>(_ response: Response<Data>, _ decode: (Data) throws -> Value) throws -> Response<Value> {
    do { return try response.map(decode) } catch { throw APIError(.decoding(error), response.exchange) }
  }

  /// A response whose value is nothing, text, bytes, or JSON.
  func decoded<Value: Decodable>(_ response: Response<Data>, for request: Request<Value>) throws -> Response<Value> {
    try decoded(response) { data in
      if data.isEmpty, let optional = Value.self as? any ExpressibleByNilLiteral.Type,
        let none = optional.init(nilLiteral: ()) as? Value
      {
        return none
      }
      if let value = data as? Value { return value }
      let isText = Value.self is String.Type || Value.self is String?.Type
      if isText, let value = String(decoding: data, as: UTF8.self) as? Value { return value }
      let decoder = delegate.client(self, decoderFor: request) ?? configuration.decoder
      return try decoder.decode(Value.self, from: data)
    }
  }

  var secrets: Secrets {
    switch configuration.apiKey {
    case .header(let name, _), .query(let name, _): Secrets(names: [name])
    case nil: Secrets()
    }
  }
}

extension URL {
  /// Tells whether scheme, host and port are the same (RFC 9110 §4.3.1).
  func hasSameOrigin(as other: URL) -> Bool {
    func origin(_ url: URL) -> [String?] {
      let scheme = url.scheme?.lowercased()
      return [scheme, url.host?.lowercased(), "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
    return origin(self) == origin(other)
  }
}
