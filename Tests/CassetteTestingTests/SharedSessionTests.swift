import CassetteTesting
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Serialized for platforms on which task-local values do not identify the test of a request.
@Suite(.serialized) struct `URLSession.shared with a cassette` {
  private func login(_ session: URLSession = .shared) async throws -> String {
    try await Client(session: session).user().login
  }

  /// Returns the result of a task with a completion handler.
  private func text(of url: URL) async -> Result<String, any Error> {
    await withCheckedContinuation { continuation in
      let task = URLSession.shared.dataTask(with: url) { data, _, error in
        continuation.resume(
          returning: error.map { .failure($0) } ?? .success(String(decoding: data ?? Data(), as: UTF8.self)))
      }
      task.resume()
    }
  }

  @Test(.cassette("user", session: .shared)) func `the shared session is answered from the test's cassette`()
    async throws
  {
    #expect(try await login() == "kean")
  }

  @Test(.cassette("user", session: .shared)) func `the shared session and the test's session play the same cassette`()
    async throws
  {
    #expect(try await login() == "kean")
    #expect(try await login(.cassette) == "kean")
  }

  @Test(.cassette("user", perCase: true, session: .shared), arguments: ["ada", "grace"])
  func `the shared session is answered from the cassette of the test case`(name: String) async throws {
    #expect(try await login() == name)
  }

  @Test(.cassette("user", .relaxed), .stub(.get("/user"), .json(["login": "stubbed"]), session: .shared))
  func `the shared session is answered by a stub with session: .shared next to a cassette without it`() async throws {
    #expect(try await login() == "stubbed")
  }

  @Test(.stub(.get("/user"), .text("1"), session: .shared))
  func `a task of the shared session with a completion handler is answered by a stub`() async throws {
    let url = try #require(URL(string: "https://api.example.com/user"))
    #expect(try await text(of: url).get() == "1")
  }

  @Test func `withCassette with session: .shared passes URLSession.shared to its body`() async throws {
    try await withCassette("user", session: .shared) { session in
      #expect(session === URLSession.shared)
      let found = try await login(session)
      #expect(found == "kean")
    }
  }

  #if canImport(FoundationNetworking)
    @Test func `three hundred concurrent tests each get their own stub's answer on the shared session`() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<300 {
          group.addTask {
            let stub = CassetteStub(.get("/user"), .json(["login": .string("\(number)")]))
            try await withCassette(session: .shared, stubs: [stub]) { _ in
              for _ in 0..<5 {
                let found = try await login()
                #expect(found == "\(number)")
                await Task.yield()
              }
              // Child tasks inherit the task-local value of their test.
              async let one = login()
              async let other = login()
              let found = try await [one, other]
              #expect(found == ["\(number)", "\(number)"])
            }
          }
        }
        try await group.waitForAll()
      }
    }
  #endif

  @Test(.cassette("user", session: .shared, .relaxed))
  func `a request of a detached task on the shared session fails with an error that names the request`() async throws {
    let error = await #expect(throws: URLError.self) { try await Task.detached { try await login() }.value }
    #expect(error?.code == .resourceUnavailable)
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("GET https://api.example.com/user was sent on URLSession.shared by code of an unknown test"))
  }

  @Test func `a request on the shared session of a test without session: .shared fails`() async throws {
    try await withCassette("user", session: .shared, .relaxed) { _ in }
    let error = await #expect(throws: URLError.self) { try await login() }
    #expect(error?.localizedDescription.contains("outside of a test with .cassette(…, session: .shared)") == true)
  }

  @Test func `a request on the shared session after the end of its test fails with the test's name`() async throws {
    let (late, go) = AsyncStream.makeStream(of: Void.self)
    let task = try await withCassette("user", session: .shared, .relaxed) { _ in
      // An unstructured task inherits the task-local value and outlives the test.
      Task {
        for await _ in late { break }
        return try await login()
      }
    }
    go.yield()
    let error = await #expect(throws: URLError.self) { try await task.value }
    #expect(
      error?.localizedDescription.contains("was sent after \"a request on the shared session after the end") == true)
  }

  @Test func `cookies of the shared session are kept per test`() async throws {
    let url = try #require(URL(string: "https://cookies.example.com/in"))
    let stubs = [
      CassetteStub(.get("/in"), .status(204, headers: ["Set-Cookie": "session=of-this-test; Path=/"])),
      CassetteStub(.get("/asked"), .answering { .text($0.value(forHTTPHeaderField: "Cookie") ?? "none") }),
    ]
    try await withCassette(session: .shared, stubs: stubs) { session in
      _ = try await session.data(from: url)
      let (data, _) = try await session.data(from: url.deletingLastPathComponent().appending(path: "asked"))
      #expect(String(decoding: data, as: UTF8.self) == "session=of-this-test")
    }
    #expect(HTTPCookieStorage.shared.cookies(for: url) ?? [] == [])
    #expect(URLSession.shared.configuration.httpCookieStorage?.cookies(for: url) ?? [] == [])
  }

  @Test func `credentials in a URL are not stored by the shared session`() async throws {
    let url = try #require(URL(string: "https://user:secret@login.example.com/in"))
    let stubs = [CassetteStub(.get("/in"), .status(401, headers: ["WWW-Authenticate": "Basic realm=\"it\""]))]
    try await withCassette(session: .shared, stubs: stubs) { session in
      let (_, response) = try await session.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }
    let kept = URLCredentialStorage.shared.allCredentials.keys.map(\.host)
    #expect(!kept.contains("login.example.com"))
  }
}
