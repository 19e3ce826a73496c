import CassetteTesting
import Foundation
import GitHubAPI
import MockServerTesting
import Testing

// "Test your own client", which the README links to (CassetteTesting.docc/Clients.md), word for word.

/// A model of the app: what it shows of a developer.
struct Profile {
  let github: GitHubClient

  func headline(of login: String) async throws -> String {
    let user = try await github.value(for: GitHub.users(login).get)
    let repos = try await github.value(for: GitHub.users(login).repos.get)
    return "\(user.name ?? user.login): \(repos.map(\.name).joined(separator: ", "))"
  }
}

@Suite struct `Test your own client` {
  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `shows a developer's repositories`() async throws {
    let profile = Profile(github: GitHubClient(session: .cassette))
    #expect(try await profile.headline(of: "kean") == "Alexander Grebenyuk: Align, FetchImage, Get")
  }

  @Test(.stub(.get("/users/kean"), .json(["message": "Not Found"], status: 404)))
  func `says that there is no such developer`() async throws {
    let profile = Profile(github: GitHubClient(session: .cassette))
    let failure = await #expect(throws: GitHubFailure.self) { try await profile.headline(of: "kean") }
    guard case .status(404, let error)? = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(error?.message == "Not Found")
  }

  @Test func `shows them through a real server, too`() async throws {
    try await withMockServer(cassettes: "github", in: "../../cassettes", strictness: .relaxed) { server in
      let profile = Profile(github: GitHubClient(baseURL: server.url))
      let headline = try await profile.headline(of: "kean")
      #expect(headline == "Alexander Grebenyuk: Align, FetchImage, Get")
    }
  }
}
