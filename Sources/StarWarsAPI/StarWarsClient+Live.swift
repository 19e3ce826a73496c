#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension StarWarsClient {
  /// A client that sends requests to https://swapi.dev/api/ through `URLSession.shared`.
  public static let live = StarWarsClient.live(URL(string: "https://swapi.dev/api/"))

  /// Returns a client that sends requests to a server.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the API, such as `https://swapi.dev/api/` or the path `/api/` of a mock server.
  ///   - session: The session that sends the requests, by default `URLSession.shared`. It determines timeouts and
  ///     caching.
  /// - Returns: The client.
  public static func live(baseURL: URL, session: URLSession = .shared) -> StarWarsClient {
    live(baseURL, session: session)
  }

  /// Returns a client that sends requests to a server, like ``live(baseURL:session:)``.
  ///
  /// If the URL is nil, all requests fail.
  public static func live(_ baseURL: URL?, session: URLSession = .shared) -> StarWarsClient {
    let server = Server(baseURL: baseURL, session: session)
    var client = StarWarsClient()
    client.film = { try await server.one(.films, $0) }
    client.films = { try await server.page($0, of: .films) }
    client.person = { try await server.one(.people, $0) }
    client.people = { try await server.page($0, of: .people) }
    client.planet = { try await server.one(.planets, $0) }
    client.planets = { try await server.page($0, of: .planets) }
    client.starship = { try await server.one(.starships, $0) }
    client.starships = { try await server.page($0, of: .starships) }
    client.vehicle = { try await server.one(.vehicles, $0) }
    client.vehicles = { try await server.page($0, of: .vehicles) }
    client.species = { try await server.one(.species, $0) }
    client.speciesList = { try await server.page($0, of: .species) }
    client.search = { kind, words in
      switch kind {
      case .films: try await server.search(kind, words).map(SearchResult.film)
      case .people: try await server.search(kind, words).map(SearchResult.person)
      case .planets: try await server.search(kind, words).map(SearchResult.planet)
      case .species: try await server.search(kind, words).map(SearchResult.species)
      case .starships: try await server.search(kind, words).map(SearchResult.starship)
      case .vehicles: try await server.search(kind, words).map(SearchResult.vehicle)
      }
    }
    client.schema = { try await server.get(server.url("\($0.rawValue)/schema")) }
    client.wookiee = { kind, id in
      let format = URLQueryItem(name: "format", value: "wookiee")
      return String(decoding: try await server.data(server.url("\(kind.rawValue)/\(id)/", [format])), as: UTF8.self)
    }
    return client
  }
}

/// The server and the session used by all members of a live client.
private struct Server: Sendable {
  let baseURL: URL?
  let session: URLSession

  func url(_ path: String, _ query: [URLQueryItem] = []) throws -> URL {
    guard let url = baseURL?.appending(path: path) else { throw URLError(.badURL) }
    guard !query.isEmpty else { return url }
    var components = URLComponents()
    components.queryItems = query
    // Foundation does not escape "+", which servers that parse queries like form data read as a space.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let whole = components.url(relativeTo: url) else { throw URLError(.badURL) }
    return whole
  }

  func one<Value: Decodable>(_ kind: ResourceKind, _ id: Int) async throws -> Value {
    try await get(url("\(kind.rawValue)/\(id)/"))
  }

  func page<Item: Decodable & Sendable>(_ next: URL?, of kind: ResourceKind) async throws -> Page<Item> {
    try await get(next ?? url("\(kind.rawValue)/"))
  }

  func search<Item: Decodable & Sendable>(_ kind: ResourceKind, _ words: String) async throws -> [Item] {
    // A search without words matches all resources.
    let isBlank = words.allSatisfy { $0.isWhitespace || $0 == "," }
    let start = try url("\(kind.rawValue)/", isBlank ? [] : [URLQueryItem(name: "search", value: words)])
    return try await Listing<Item> { try await get($0 ?? start) }.reduce(into: []) { $0.append($1) }
  }

  func get<Value: Decodable>(_ url: URL) async throws -> Value {
    let data = try await data(url)
    do {
      return try JSONDecoder.starWars.decode(Value.self, from: data)
    } catch {
      throw StarWarsError.undecodable(url, "\(error)")
    }
  }

  func data(_ url: URL) async throws -> Data {
    let (data, response) = try await exchange(url)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    guard response.statusCode == 200 else { throw StarWarsError(response, data, url: url) }
    return data
  }

  /// Sends a request.
  ///
  /// A cancellation throws the same error, no matter which layer detects it.
  private func exchange(_ url: URL) async throws -> (Data, URLResponse) {
    do {
      return try await session.data(from: url)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
