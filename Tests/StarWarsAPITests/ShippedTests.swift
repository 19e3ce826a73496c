import ClientTestSupport
import Foundation
import StarWarsAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Checks that `cassettes/swapi.json` is complete and correct.
@Suite struct `Included Star Wars cassette` {
  @Test(arguments: Player.allCases)
  func `every item of every list is answered by its number`(player: Player) async throws {
    try await player.play("swapi", in: Player.shipped) { client async throws in
      let counts = [
        try await walk(client.all(\.people), client.person), try await walk(client.all(\.planets), client.planet),
        try await walk(client.all(\.films), client.film), try await walk(client.all(\.speciesList), client.species),
        try await walk(client.all(\.vehicles), client.vehicle),
        try await walk(client.all(\.starships), client.starship),
      ]
      #expect(counts == [82, 60, 6, 37, 39, 36])
    }
  }

  /// Counts the items of a list, and checks that each equals the resource with its number.
  private func walk<Item: Identifiable & Equatable & Sendable>(
    _ list: Listing<Item>, _ one: StarWarsClient.One<Item>
  ) async throws -> Int where Item.ID == Int {
    var count = 0
    for try await item in list {
      #expect(try await one(item.id) == item)
      count += 1
    }
    return count
  }

  @Test(arguments: ResourceKind.allCases)
  func `a search finds the resources of every kind whose searched fields contain all words in any case`(
    kind: ResourceKind
  ) async throws {
    try await Player.urlProtocol.play("swapi", in: Player.shipped) { client async throws in
      let all = try await client.search(kind, "")
      let texts = all.map(\.searchable)
      var words: Set<String> = ["nobody", "q9", "Ω", "a", "r2", "X-w"]
      for name in texts.map({ $0[0] }) {
        // In any case, and a part of its middle.
        words.insert(name.uppercased())
        words.insert(name.split(separator: " ").last.map { "\($0.dropFirst().prefix(3))" } ?? "")
      }
      for word in words.sorted() {
        let parts = word.lowercased().split { $0 == " " || $0 == "," }
        let expected = zip(all, texts).filter { item in
          parts.allSatisfy { part in item.1.contains { $0.lowercased().contains(part) } }
        }
        #expect(try await client.search(kind, word).map(\.name) == expected.map(\.0.name), "\(word)")
      }
    }
  }

  @Test(.enabled(if: corpora != nil, "CORPORA names no folder"), arguments: Player.allCases)
  func `every response equals the public API's response except for the opening crawls`(player: Player) async throws {
    struct Row: Decodable {
      var path: String
      var status: Int
      var headers: [[String]]
      var body: String
    }
    let lines = try String(contentsOfFile: "\(corpora ?? "")/swapi/responses.jsonl", encoding: .utf8)
    let rows = try lines.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    #expect(rows.count == 296)
    try await player.play(
      "swapi", in: Player.shipped, origin: "https://swapi.dev", fileID: #fileID, file: #filePath, line: #line,
      column: #column
    ) { url, configuration async throws in
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      let here = url.absoluteString.hasSuffix("/") ? String(url.absoluteString.dropLast()) : url.absoluteString
      for row in rows {
        let (data, response) = try await session.data(from: try #require(URL(string: here + row.path)))
        let answer = try #require(response as? HTTPURLResponse)
        #expect(answer.statusCode == row.status, "\(row.path)")
        for field in row.headers { #expect(answer.value(forHTTPHeaderField: field[0]) == field[1], "\(row.path)") }
        let said = String(decoding: data, as: UTF8.self).replacing(here, with: "https://swapi.dev")
        #expect(Self.withoutCrawls(said) == Self.withoutCrawls(row.body), "\(row.path)")
      }
    }
  }

  private static func withoutCrawls(_ text: String) -> String {
    text.replacing(#/"opening_crawl":"(?:[^"\\]|\\.)*"/#, with: "")
  }
}

extension SearchResult {
  /// The fields that a search compares, the name first.
  fileprivate var searchable: [String] {
    switch self {
    case .starship(let starship): [starship.name, starship.model]
    case .vehicle(let vehicle): [vehicle.name, vehicle.model]
    case .film, .person, .planet, .species: [name]
    }
  }
}
