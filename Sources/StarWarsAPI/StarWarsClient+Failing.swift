extension StarWarsClient {
  /// A client whose members all fail with an error that names the member.
  public static var failing: StarWarsClient { StarWarsClient() }

  /// Returns a client whose members fail unless they are replaced, so that a test notices unexpected calls.
  ///
  /// ```swift
  /// let client = StarWarsClient.failing(except: { $0.person = { id in Person(id: id, name: "Luke Skywalker") } })
  /// ```
  ///
  /// - Parameter replace: A function that replaces members of the client.
  /// - Returns: The client.
  public static func failing(except replace: (inout StarWarsClient) -> Void) -> StarWarsClient {
    var client = StarWarsClient.failing
    replace(&client)
    return client
  }

  /// A client with fictitious films, for previews and demonstrations.
  public static var unreleasedFilms: StarWarsClient {
    var holiday = Film(id: 7, title: "A Quiet Day on Naboo")
    holiday.episodeId = 10
    holiday.director = "Nobody"
    var repairs = Film(id: 8, title: "The Hyperdrive Warranty")
    repairs.episodeId = 11
    repairs.director = "Nobody"
    let films = [holiday, repairs]
    return .failing(except: { client in
      client.films = { _ in Page(films) }
      client.film = { id in
        guard let film = films.first(where: { $0.id == id }) else {
          throw StarWarsError.status(404, detail: "Not found")
        }
        return film
      }
      client.search = { kind, word in
        guard kind == .films else { return [] }
        return films.filter { $0.title.lowercased().contains(word.lowercased()) }.map(SearchResult.film)
      }
    })
  }
}
