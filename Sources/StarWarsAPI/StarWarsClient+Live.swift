#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension StarWarsClient {
  /// A client that asks a server.
  ///
  /// - Parameters:
  ///   - baseURL: Where the API begins: `https://swapi.dev/api/`, or a mock server's `/api/`.
  ///   - session: What sends its requests; timeouts and caching are the session's.
  /// - Returns: A client.
  public static func live(baseURL: URL, session: URLSession = .shared) -> StarWarsClient {
    let server = Server(baseURL: baseURL, session: session)
    var client = StarWarsClient()
    client.film = { try await server.get("films/\($0)/") }
    client.films = { try await server.page($0, of: "films/") }
    client.person = { try await server.get("people/\($0)/") }
    client.people = { try await server.page($0, of: "people/") }
    client.planet = { try await server.get("planets/\($0)/") }
    client.planets = { try await server.page($0, of: "planets/") }
    client.starship = { try await server.get("starships/\($0)/") }
    client.starships = { try await server.page($0, of: "starships/") }
    client.vehicle = { try await server.get("vehicles/\($0)/") }
    client.species = { try await server.get("species/\($0)/") }
    client.search = { kind, word in
      switch kind {
      case .films: try await server.search(kind, word).map(SearchResult.film)
      case .people: try await server.search(kind, word).map(SearchResult.person)
      case .planets: try await server.search(kind, word).map(SearchResult.planet)
      case .starships: try await server.search(kind, word).map(SearchResult.starship)
      }
    }
    return client
  }
}

/// What the live members have in common.
private struct Server: Sendable {
  let baseURL: URL
  let session: URLSession

  func get<Value: Decodable>(_ path: String) async throws -> Value {
    try await get(baseURL.appending(path: path))
  }

  func page<Item: Decodable & Sendable>(_ next: URL?, of path: String) async throws -> Page<Item> {
    try await get(next ?? baseURL.appending(path: path))
  }

  func search<Item: Decodable & Sendable>(_ kind: SearchKind, _ word: String) async throws -> [Item] {
    var query = URLComponents()
    query.queryItems = [URLQueryItem(name: "search", value: word)]
    // A plus is a plus here, and a space to servers that read queries as forms.
    query.percentEncodedQuery = query.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let start = query.url(relativeTo: baseURL.appending(path: "\(kind.rawValue)/")) else {
      throw URLError(.badURL)
    }
    return try await Listing<Item> { try await get($0 ?? start) }.reduce(into: []) { $0.append($1) }
  }

  func get<Value: Decodable>(_ url: URL) async throws -> Value {
    let (data, response) = try await exchange(url)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    guard response.statusCode == 200 else { throw StarWarsError(response, data, url: url) }
    do {
      return try JSONDecoder.starWars.decode(Value.self, from: data)
    } catch {
      throw StarWarsError.undecodable(url, "\(error)")
    }
  }

  /// Cancellation has one error, whoever notices it first.
  private func exchange(_ url: URL) async throws -> (Data, URLResponse) {
    do {
      return try await session.data(from: url)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
