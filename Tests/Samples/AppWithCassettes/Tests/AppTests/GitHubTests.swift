import App
import CassetteTesting
import Foundation
import Testing

@Suite struct GitHubTests {
  // Plays Cassettes/github-developer.json next to this file. `.anyHost`, because it may have been recorded from another
  // server (GITHUB_URL).
  @Test(.cassette("github-developer", matching: .anyHost))
  func `a profile has a name`() async throws {
    let github = GitHub(baseURL: Server.gitHub, session: .cassette)
    let developer = try await github.developer("kean")
    #expect(developer.login == "kean")
    #expect(developer.name?.isEmpty == false)
  }

  @Test(.cassette("github-repositories", matching: .anyHost))
  func `the repositories of all pages are listed once`() async throws {
    let github = GitHub(baseURL: Server.gitHub, session: .cassette)
    let names = try await github.repositories(of: "kean").map(\.name)
    #expect(names.contains("Nuke"))
    #expect(Set(names).count == names.count)
  }

  // Uses a stub for an answer that a server does not give on demand.
  @Test(.stub(.get("/users/nobody"), .json(["message": "Not Found"], status: 404)))
  func `an unknown developer is an error`() async {
    let github = GitHub(session: .cassette)
    await #expect(throws: APIError(status: 404)) { try await github.developer("nobody") }
  }

  // Applies a fault to the first request, without changing the cassette.
  @Test(.cassette("github-developer", matching: .anyHost, with: .status(503, first: 1)))
  func `a busy server is an error, and then is not`() async throws {
    let github = GitHub(baseURL: Server.gitHub, session: .cassette)
    await #expect(throws: APIError(status: 503)) { try await github.developer("kean") }
    #expect(try await github.developer("kean").login == "kean")
  }
}
