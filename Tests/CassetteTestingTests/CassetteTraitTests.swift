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

@Suite struct `The cassette trait` {
  @Test(.cassette("user")) func `a cassette beside the test file answers`() async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test(.cassette("other", in: "Cassettes/more")) func `a cassette in a folder answers`() async throws {
    #expect(try await Client(session: .cassette).user().login == "elsewhere")
  }

  @Test(.cassette("user", perCase: true), arguments: ["ada", "grace"])
  func `each case has its own`(login: String) async throws {
    #expect(try await Client(session: .cassette).user().login == login)
  }

  @Test(.stub(.get("/user"), .json(["login": "stubbed"])))
  func `a stub answers without a file`() async throws {
    #expect(try await Client(session: .cassette).user().login == "stubbed")
  }

  @Test(.cassette("user"), .stub(.get("/other"), .status(204)))
  func `stubs and a cassette make one deck`() async throws {
    let session = URLSession.cassette
    #expect(try await Client(session: session).user().login == "kean")
    let other = try #require(URL(string: "https://api.example.com/other"))
    #expect((try await session.data(from: other).1 as? HTTPURLResponse)?.statusCode == 204)
  }

  @Test(.cassette("user")) func `a configuration is bound to the same deck`() async throws {
    let session = URLSession(configuration: .cassette)
    #expect(try await Client(session: session).user().login == "kean")
  }

  @Test(.cassette("user"), arguments: 0..<100)
  func `a hundred cases side by side have a deck each`(number: Int) async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test func `outside of a test's scope every request says so`() async throws {
    let error = await #expect(throws: URLError.self) { try await Client(session: .cassette).user() }
    #expect(error?.localizedDescription.contains("outside of a test with .cassette") == true)
  }
}

@Suite(.cassette("user")) struct `A suite with a cassette` {
  @Test func `gives it to each test`() async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test(.stub(.get("/user"), .json(["login": "first"]), strictness: .relaxed))
  func `whose stubs come first`() async throws {
    #expect(try await Client(session: .cassette).user().login == "first")
  }
}
