import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ProfileTests {
  // From a file: Cassettes/github-user.json, beside this one.
  @Test(.cassette("github-user"))
  func `the profile decodes`() async throws {
    let github = GitHub(session: .cassette)
    #expect(try await github.user("kean").login == "kean")
  }

  // A file for each argument: Cassettes/user-ada.json and Cassettes/user-grace.json.
  @Test(.cassette("user", perCase: true), arguments: ["ada", "grace"])
  func `everyone has a profile`(login: String) async throws {
    #expect(try await GitHub(session: .cassette).user(login).login == login)
  }

  // Where a file is too much: answers written down here, played one after the other.
  @Test(.stub(.get("/users/kean"), .status(503).delay(.milliseconds(20)), .json(["login": "kean"])))
  func `a second try succeeds`() async throws {
    #expect(try await GitHub(session: .cassette).patientUser("kean").login == "kean")
  }

  @Test(.stub(.get("/users/kean"), .failing(.notConnectedToInternet)))
  func `no network is an error`() async throws {
    let error = await #expect(throws: URLError.self) { try await GitHub(session: .cassette).user("kean") }
    #expect(error?.code == .notConnectedToInternet)
  }

  // What was asked for, in the order it came; a template stands for any name.
  @Test(.stub(.get("/users/{name}"), .json(["login": "kean"])))
  func `the profile is asked for once`() async throws {
    _ = try await GitHub(session: .cassette).user("kean")
    #expect(sent(.get("/users/kean")).headers["Accept"] == nil)
    #expect(URLSession.cassette.requests.count == 1)
  }

  // A cassette, and a stub for what it does not have.
  @Test(.cassette("github-user"), .stub(.get("/users/nobody"), .status(404)))
  func `nobody has no profile`() async throws {
    let github = GitHub(session: .cassette)
    #expect(try await github.user("kean").followers == 42)
    await #expect(throws: GitHub.Failure(status: 404)) { try await github.user("nobody") }
  }

  // The cassette stays as it is; the first request meets a busy service.
  @Test(.cassette("github-user", with: .status(503, first: 1)))
  func `a busy service is asked again`() async throws {
    #expect(try await GitHub(session: .cassette).patientUser("kean").followers == 42)
  }

  // A server on a free port: for downloads, other processes and other HTTP stacks.
  @Test func `a picture is downloaded`() async throws {
    try await withMockServer(cassettes: "avatar") { server in
      let github = GitHub(session: URLSession(configuration: .ephemeral), baseURL: server.url.absoluteString)
      let picture = try Data(contentsOf: await github.avatar(of: "kean"))
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }
}
