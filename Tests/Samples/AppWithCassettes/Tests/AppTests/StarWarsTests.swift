import App
import CassetteTesting
import Foundation
import Testing

@Suite struct StarWarsTests {
  @Test(.cassette("swapi-luke", matching: .anyHost))
  func `Luke flies an X-wing`() async throws {
    let starWars = StarWars(baseURL: Server.starWars, session: .cassette)
    let luke = try await starWars.person(1)
    #expect(luke.name == "Luke Skywalker")
    #expect(try await starWars.starships(of: luke).map(\.name).contains("X-wing"))
  }
}
