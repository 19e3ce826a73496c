import CassetteTesting
import Foundation
import GitHubAPI
import MockServerTesting
import Testing

// The samples of "Test your own client" (CassetteTesting.docc/Clients.md), verbatim. The README links to this page.

/// A model of an app that shows a developer's name and repositories.
struct Profile {
  let github: GitHubClient

  func headline(of login: String) async throws -> String {
    let user = try await github.value(for: GitHub.users(login).get)
    let repos = try await github.value(for: GitHub.users(login).repos.get)
    return "\(user.name ?? user.login): \(repos.map(\.name).joined(separator: ", "))"
  }
}

@Suite struct `Samples of the page Test your own client` {
  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `the headline has the developer's name and repositories`() async throws {
    let profile = Profile(github: GitHubClient(session: .cassette))
    #expect(try await profile.headline(of: "kean") == "Alexander Grebenyuk: Align, FetchImage, Get")
  }

  @Test(.stub(.get("/users/kean"), .json(["message": "Not Found"], status: 404)))
  func `an unknown developer throws status 404`() async throws {
    let profile = Profile(github: GitHubClient(session: .cassette))
    let failure = await #expect(throws: GitHubFailure.self) { try await profile.headline(of: "kean") }
    guard case .status(404, let error)? = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(error?.message == "Not Found")
  }

  @Test func `the headline is the same with a mock server`() async throws {
    try await withMockServer(cassettes: "github", in: "../../cassettes", strictness: .relaxed) { server in
      let profile = Profile(github: GitHubClient(baseURL: server.url))
      let headline = try await profile.headline(of: "kean")
      #expect(headline == "Alexander Grebenyuk: Align, FetchImage, Get")
    }
  }
}

/// The samples of GitHubAPI.docc, verbatim.
@Suite struct `Samples of the GitHubAPI documentation` {
  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `a missing repository's error has a description`() async throws {
    let client = GitHubClient(session: .cassette)
    let nuke = try await client.value(for: GitHub.repos("kean", "Nuke").get)
    #expect(nuke.permissions?.pull == true)
    let failure = await #expect(throws: GitHubFailure.self) {
      try await client.value(for: GitHub.repos("kean", "missing").get)
    }
    #expect(failure?.localizedDescription == "GitHub answered with status 404: Not Found.")
  }

  @Test(.cassette("github-recordings", in: "../../cassettes", .relaxed))
  func `recorded responses of GitHub are decoded`() async throws {
    let client = GitHubClient(session: .cassette)
    let github3 = GitHub.repos("ana-example", "github3.py")
    #expect(try await client.value(for: github3.get).owner.login == "ana-example")
    #expect(try await client.value(for: github3.issues(187).get).number == 187)
    #expect(try await client.value(for: github3.pulls(235).get).base?.repo?.name == "github3.py")
    #expect(try await client.value(for: github3.releases.latest.get).tagName == "0.9.3")
    #expect(try await client.value(for: GitHub.repos("github", "linguist").get).topics?.isEmpty == false)
  }
  @Test(arguments: ["articles", "github", "github-recordings", "swapi"])
  func `an included cassette contains only invented mail addresses`(cassette: String) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../cassettes/\(cassette).json").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    let invented = ["example.com", "example.org", "users.noreply.github.com"]
    for address in text.matches(of: /([\w.+-]+)@(\w[\w-]*(?:\.[\w-]+)+)/) where address.output.2 != "github.com" {
      #expect(invented.contains(String(address.output.2)), "\(address.output.0)")
    }
  }
}
