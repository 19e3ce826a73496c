#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The conversion of a ``Request`` to the request of the session.
extension APIClient {
  /// Returns the session's request, without the token, the API key and the changes of the ``SendDelegate``.
  @concurrent public func makeURLRequest<Value>(for request: Request<Value>) async throws -> URLRequest {
    let own = try (configuration.delegate as? any URLDelegate)?.client(self, makeURLForRequest: request)
    let base = environment.baseURL
    guard let url = own ?? request.url(under: base) else {
      let root = base?.absoluteString ?? "no base URL in \(environment)"
      throw URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: "\"\(request.path)\" under \(root) is not a URL"])
    }
    var made = URLRequest(url: url)
    made.httpMethod = request.method.rawValue
    if request.cache != .standard { made.cachePolicy = .reloadIgnoringLocalCacheData }
    if let timeout = request.timeout { made.timeoutInterval = timeout / .seconds(1) }
    for (name, value) in configuration.headers { made.setValue(value, forHTTPHeaderField: name) }
    for (name, value) in request.headers ?? [:] { made.setValue(value, forHTTPHeaderField: name) }
    if let body = request.body {
      let (data, type) = try encoded(body, of: request)
      made.httpBody = data
      addDefault(type, to: "Content-Type", of: &made)
    }
    addDefault("application/json", to: "Accept", of: &made)
    return made
  }

  /// Sets a default for a field that neither the request nor the configuration of the session sets.
  private func addDefault(_ value: String, to name: String, of request: inout URLRequest) {
    let additional = (configuration.session.httpAdditionalHeaders ?? [:]).keys.contains {
      "\($0)".caseInsensitiveCompare(name) == .orderedSame
    }
    if !additional, request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }

  private func encoded<Value>(_ body: any Encodable, of request: Request<Value>) throws -> (Data, String) {
    switch body {
    case let body as any EncodedBody: return (try body.encoded(), body.contentType)
    // As in Get, text and data are assumed to be JSON that the caller has encoded.
    case let data as Data: return (data, "application/json")
    case let text as String: return (Data(text.utf8), "application/json")
    default:
      let chosen = (configuration.delegate as? any EncoderDelegate)?.client(self, encoderForRequest: request)
      return (try (chosen ?? configuration.encoder).encode(body), "application/json")
    }
  }

  /// Returns the request for one attempt, and the token that it contains.
  func signed<Value>(
    _ made: URLRequest, of request: Request<Value>, _ options: Options, after refused: Tokens.Ticket?
  ) async throws -> (URLRequest, Tokens.Ticket?) {
    var made = made
    // Credentials are sent only to the client's own origin, because links and redirects may lead to others.
    let isHome = request.isAuthorized && environment.baseURL.map { made.url?.hasSameOrigin(as: $0) ?? false } ?? false
    func set(_ value: String, _ name: String) {
      if request.headers?.keys.contains(where: { $0.caseInsensitiveCompare(name) == .orderedSame }) != true {
        made.setValue(value, forHTTPHeaderField: name)
      }
    }
    switch isHome ? configuration.apiKey : nil {
    case .query(let name, let key): made.url?.append(queryItems: [URLQueryItem(name: name, value: key)])
    case .header(let name, let key): set(key, name)
    case nil: break
    }
    let hasOwn = request.headers?.keys.contains { $0.lowercased() == "authorization" } ?? false
    let tokens = isHome && !hasOwn ? options.tokens ?? configuration.tokens : nil
    let ticket = try await tokens?.ticket(after: refused)
    if let ticket { set("Bearer \(ticket.token.access)", "Authorization") }
    if let delegate = configuration.delegate as? any SendDelegate {
      try await delegate.client(self, willSendRequest: &made)
    }
    return (made, ticket)
  }

  var secrets: Secrets {
    switch configuration.apiKey {
    case .header(let name, _), .query(let name, _): Secrets(names: [name])
    case nil: Secrets()
    }
  }
}

extension URL {
  /// Returns true if scheme, host and port are equal (RFC 9110 §4.3.1).
  func hasSameOrigin(as other: URL) -> Bool {
    func origin(_ url: URL) -> [String?] {
      let scheme = url.scheme?.lowercased()
      return [scheme, url.host?.lowercased(), "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
    return origin(self) == origin(other)
  }
}
