import CassetteTesting
import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The samples of "Simple API Client for iOS" (2021), verbatim except for the changes named on the page of this client.

private enum SwapiError: Error {
  case badRequest(Int)
  case noData
  case serverError(String)
}

extension Film {
  fileprivate static let mock = Film(id: 2, title: "The Empire Strikes Back")
  fileprivate static let mandalorianMock = Film(id: 1, title: "The Mandalorian")
}

extension Starship {
  fileprivate static let mock = Starship(id: 9, name: "Death Star")
}

extension SwapiClient {
  /// The live client of the essay, with a given base URL and session, and the decoder of the module.
  fileprivate static func essay(_ baseURL: URL, _ session: URLSession) -> StarWarsClient {
    let decoder = JSONDecoder.starWars

    @Sendable func handleResponse<T: Decodable & Sendable>(
      forType: T.Type, data: Data?, response: URLResponse?, error: (any Error)?
    ) -> Result<T, any Error> {
      if let e = error {
        return .failure(SwapiError.serverError(e.localizedDescription))
      }
      if let r = response as? HTTPURLResponse, !(200..<300).contains(r.statusCode) {
        return .failure(SwapiError.badRequest(r.statusCode))
      }
      return decodeResponse(type: T.self, from: data)
    }

    @Sendable func decodeResponse<T: Decodable & Sendable>(type: T.Type, from data: Data?) -> Result<T, any Error> {
      guard let d = data else { return .failure(SwapiError.noData) }
      return Result { try decoder.decode(type, from: d) }
    }

    return SwapiClient(
      getFilm: { filmId, done in
        session.dataTask(
          with:
            baseURL
            .appendingPathComponent("films")
            .appendingPathComponent(String(filmId))
        ) {
          done(handleResponse(forType: Film.self, data: $0, response: $1, error: $2))
        }
        .resume()
      }
    )
  }

  fileprivate static let failingMock: SwapiClient = {
    let e = SwapiError.serverError("Whoops")
    return SwapiClient(
      getFilm: { _, done in
        done(.failure(e))
      }
    )
  }()

  fileprivate static let failingMockVariant: SwapiClient = {
    let e = SwapiError.serverError("Whoops")
    return SwapiClient(
      getFilm: { _, done in
        // this one fails
        done(.failure(e))
      },
      getStarship: { _, done in
        // this one succeeds
        done(.success(Starship.mock))
      }
    )
  }()

  fileprivate static let unreleasedFilmsMock: SwapiClient = {
    let films: [Int: Film] = [
      1: Film.mandalorianMock
    ]

    return SwapiClient(
      getFilm: { filmId, done in
        guard let film = films[filmId] else {
          done(.failure(SwapiError.noData))
          return
        }

        done(.success(film))
      }
    )
  }()
}

// The protocol with which the essay begins and which it then replaces. The module's models work with it as well.
private protocol StarWarsApiClient {
  func fetchFilm(filmId: Int, done: @escaping (Result<Film, any Error>) -> Void)
}

private final class StarWarsApi: StarWarsApiClient {
  func fetchFilm(filmId: Int, done: @escaping (Result<Film, any Error>) -> Void) { done(.success(Film.mock)) }
}

private final class MockStarWarsApi: StarWarsApiClient {
  let fetchFilmResponse: Result<Film, any Error>

  init(fetchFilmResponse: Result<Film, any Error>) { self.fetchFilmResponse = fetchFilmResponse }

  func fetchFilm(filmId: Int, done: @escaping (Result<Film, any Error>) -> Void) { done(fetchFilmResponse) }
}

@Suite struct `Samples of the essay Simple API Client for iOS` {
  @Test(.cassette("swapi", in: "../../cassettes", .relaxed))
  func `the documentation's sample plays the included cassette`() async throws {
    let client = StarWarsClient.live(URL(string: "https://swapi.dev/api/"), session: .cassette)
    #expect(try await client.search(.planets, "hoth").map(\.name) == ["Hoth"])
  }

  @Test func `a class that conforms to the essay's protocol returns its mock film`() throws {
    let clients: [any StarWarsApiClient] = [
      StarWarsApi(), MockStarWarsApi(fetchFilmResponse: .success(Film.mandalorianMock)),
    ]
    var titles: [String] = []
    for client in clients {
      client.fetchFilm(filmId: 2) { result in
        if case .success(let film) = result { titles.append(film.title) }
      }
    }
    #expect(titles == ["The Empire Strikes Back", "The Mandalorian"])
  }

  @Test(arguments: Player.allCases) func `getFilm calls back with a film`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { swapiClient async throws in
      let title = await withCheckedContinuation { continuation in
        swapiClient.getFilm(2) { result in
          switch result {
          case .failure(let error):
            continuation.resume(returning: "\(error)")
          case .success(let film):
            continuation.resume(returning: film.title)
          }
        }
      }
      #expect(title == "The Empire Strikes Back")
    }
  }

  @Test func `SwapiClient.live is available without arguments`() {
    let swapiClient = SwapiClient.live
    _ = swapiClient.getFilm
  }

  @Test(arguments: Player.allCases)
  func `the essay's live client gets a film from a base URL without a trailing slash`(player: Player) async throws {
    try await player.play(
      "swapi", in: Player.shipped, origin: "https://swapi.dev", fileID: #fileID, file: #filePath, line: #line,
      column: #column
    ) { url, configuration async throws in
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      let client = SwapiClient.essay(url.appending(path: "api"), session)
      #expect(try await client.film(2).title == "The Empire Strikes Back")
    }
  }

  @Test func `the essay's live client throws badRequest for status 404`() async throws {
    try await withCassette(stubs: [CassetteStub(.get("/api/films/7"), .text("", status: 404))]) { session in
      let client = SwapiClient.essay(try #require(URL(string: "https://swapi.dev/api")), session)
      let error = await #expect(throws: SwapiError.self) { try await client.film(7) }
      guard case .badRequest(404) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  @Test func `a failing mock throws its error`() async {
    await #expect(throws: SwapiError.self) { try await SwapiClient.failingMock.film(1) }
  }

  @Test func `a mock's failing method throws, and its other method succeeds`() async throws {
    await #expect(throws: SwapiError.self) { try await SwapiClient.failingMockVariant.film(1) }
    #expect(try await SwapiClient.failingMockVariant.starship(1).name == "Death Star")
  }

  @Test func `a mock returns its own films and throws for other numbers`() async throws {
    #expect(try await SwapiClient.unreleasedFilmsMock.film(1).title == "The Mandalorian")
    await #expect(throws: SwapiError.self) { try await SwapiClient.unreleasedFilmsMock.film(2) }
  }

  @Test(
    arguments: Player.allCases,
    ["/api/films/2/?format=json", "/api/planets/1/?format=wookiee", "/api/people/", "/api/films/", "/api/planets/"])
  func `each URL named in the essay is answered by the included cassette`(player: Player, path: String) async throws {
    try await player.play(
      "swapi", in: Player.shipped, origin: "https://swapi.dev", fileID: #fileID, file: #filePath, line: #line,
      column: #column
    ) { url, configuration async throws in
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      let (data, response) = try await session.data(from: try #require(URL(string: path, relativeTo: url)))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect((try JSONSerialization.jsonObject(with: data) as? [String: Any])?.isEmpty == false)
    }
  }
}
