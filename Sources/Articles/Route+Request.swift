#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension Route {
  /// Where the route leads.
  ///
  /// - Parameter baseURL: Where the API begins, without a version: `https://api.domain.com`.
  /// - Returns: Base, version, path and query.
  /// - Throws: `URLError` when that is no URL.
  public func makeURL(baseURL: URL) throws -> URL {
    let url = baseURL.appending(path: version.rawValue).appending(path: path)
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw URLError(.badURL) }
    if !query.isEmpty {
      components.queryItems = (components.queryItems ?? []) + query
      // A plus is a plus here, and a space to servers that read queries as forms.
      components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    }
    guard let url = components.url else { throw URLError(.badURL) }
    return url
  }

  /// The request, ready to be sent; a token goes only where one is needed.
  ///
  /// - Parameters:
  ///   - baseURL: Where the API begins, without a version.
  ///   - token: Who asks.
  /// - Returns: A request.
  /// - Throws: ``ArticlesError/signedOut`` when a token is needed and there is none.
  public func makeRequest(baseURL: URL, token: Token? = nil) throws -> URLRequest {
    var request = URLRequest(url: try makeURL(baseURL: baseURL))
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder.articles.encode(body)
    }
    if needsAuthentication {
      guard let token else { throw ArticlesError.signedOut }
      request.setValue(token.authorization, forHTTPHeaderField: "Authorization")
    }
    return request
  }
}

extension JSONEncoder {
  static var articles: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    // The same draft is the same bytes, so that requests can be compared.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension JSONDecoder {
  static var articles: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
