import CassetteTesting
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client as in an app, which does not use cassettes itself.
struct Client {
  struct User: Decodable, Equatable {
    let login: String
  }

  let session: URLSession
  var base = URL(string: "https://api.example.com")

  func user() async throws -> User {
    guard let url = URL(string: "/user", relativeTo: base) else { throw URLError(.badURL) }
    return try JSONDecoder().decode(User.self, from: try await session.data(from: url).0)
  }
}

@Suite struct CassetteTraitTests {
  @Test(.cassette("user")) func `.cassette answers from the file beside the test file`() async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test(.cassette("other", in: "Cassettes/more")) func `.cassette with a folder answers from the file in that folder`()
    async throws
  {
    #expect(try await Client(session: .cassette).user().login == "elsewhere")
  }

  @Test(.cassette("user", perCase: true), arguments: ["ada", "grace"])
  func `.cassette with perCase answers each case from a cassette of its own`(login: String) async throws {
    #expect(try await Client(session: .cassette).user().login == login)
  }

  @Test(.stub(.get("/user"), .json(["login": "stubbed"])))
  func `.stub answers without a cassette file`() async throws {
    #expect(try await Client(session: .cassette).user().login == "stubbed")
  }

  @Test(.cassette("user"), .stub(.get("/other"), .status(204)))
  func `a session answers from the stubs and the cassette of its test`() async throws {
    let session = URLSession.cassette
    #expect(try await Client(session: session).user().login == "kean")
    let other = try #require(URL(string: "https://api.example.com/other"))
    #expect((try await session.data(from: other).1 as? HTTPURLResponse)?.statusCode == 204)
  }

  @Test(.cassette("user")) func `a session with the cassette configuration answers from the test's cassette`()
    async throws
  {
    let session = URLSession(configuration: .cassette)
    #expect(try await Client(session: session).user().login == "kean")
  }

  @Test(.cassette("user"), arguments: 0..<100)
  func `a hundred parallel cases each play the only recording of their cassette`(number: Int) async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test func `a request outside of a test with .cassette fails with an error that says so`() async throws {
    let error = await #expect(throws: URLError.self) { try await Client(session: .cassette).user() }
    #expect(error?.localizedDescription.contains("outside of a test with .cassette") == true)
  }
}

@Suite(.cassette("user")) struct `CassetteTrait on a suite` {
  @Test func `the cassette of a suite answers in each of its tests`() async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test(.stub(.get("/user"), .json(["login": "first"]), strictness: .relaxed))
  func `the stub of a test takes precedence over the cassette of its suite`() async throws {
    #expect(try await Client(session: .cassette).user().login == "first")
  }
}
