import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ProfileTests {
  // Plays the file Cassettes/github-user.json next to this file.
  @Test(.cassette("github-user"))
  func `the profile decodes`() async throws {
    let github = GitHub(session: .cassette)
    #expect(try await github.user("kean").login == "kean")
  }

  // Plays a file for each argument: Cassettes/user-ada.json and Cassettes/user-grace.json.
  @Test(.cassette("user", perCase: true), arguments: ["ada", "grace"])
  func `each argument plays a cassette with its name`(login: String) async throws {
    #expect(try await GitHub(session: .cassette).user(login).login == login)
  }

  // Uses answers in code instead of a file; they are played in order.
  @Test(.stub(.get("/users/kean"), .status(503).delay(.milliseconds(20)), .json(["login": "kean"])))
  func `a request retried after status 503 succeeds`() async throws {
    #expect(try await GitHub(session: .cassette).patientUser("kean").login == "kean")
  }

  @Test(.stub(.get("/users/kean"), .failing(.notConnectedToInternet)))
  func `a request without a network throws notConnectedToInternet`() async throws {
    let error = await #expect(throws: URLError.self) { try await GitHub(session: .cassette).user("kean") }
    #expect(error?.code == .notConnectedToInternet)
  }

  // Returns the requests in the order in which they were sent; the name in braces matches any segment.
  @Test(.stub(.get("/users/{name}"), .json(["login": "kean"])))
  func `fetching a profile sends one request`() async throws {
    _ = try await GitHub(session: .cassette).user("kean")
    #expect(sent(.get("/users/kean")).headers["Accept"] == nil)
    #expect(URLSession.cassette.requests.count == 1)
  }

  // Combines a cassette with a stub for a request that it does not contain.
  @Test(.cassette("github-user"), .stub(.get("/users/nobody"), .status(404)))
  func `an unknown user throws status 404`() async throws {
    let github = GitHub(session: .cassette)
    #expect(try await github.user("kean").followers == 42)
    await #expect(throws: GitHub.Failure(status: 404)) { try await github.user("nobody") }
  }

  // Applies a fault to the first request, without changing the cassette.
  @Test(.cassette("github-user", with: .status(503, first: 1)))
  func `a request is retried if a fault answers the first with 503`() async throws {
    #expect(try await GitHub(session: .cassette).patientUser("kean").followers == 42)
  }

  // Starts a server on a free port, for downloads, other processes and other HTTP clients.
  @Test func `an avatar is downloaded from a mock server`() async throws {
    try await withMockServer(cassettes: "avatar") { server in
      let github = GitHub(session: URLSession(configuration: .ephemeral), baseURL: server.url.absoluteString)
      let picture = try Data(contentsOf: await github.avatar(of: "kean"))
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  // A failed expectation in the closure fails the test that sent the request.
  @Test(
    .stub(
      .get("/users/{name}"),
      .answering { request in
        #expect(request.httpMethod == "GET")
        return .json(["login": "kean"]).header("X-Path", request.url?.path() ?? "")
      }))
  func `a closure returns the response to a request`() async throws {
    #expect(try await GitHub(session: .cassette).user("kean").login == "kean")
  }

  // The text is written when the test runs with CASSETTE_EXPECT=write.
  @Test(.cassette("github-user"))
  func `the requests sent equal the curl commands in the test`() async throws {
    _ = try await GitHub(session: .cassette).user("kean")
    expectRequests {
      """
      curl https://api.github.com/users/kean
      """
    }
  }

  @Test func `a response is held until the test releases its gate`() async throws {
    let gate = CassetteGate()
    let stub = CassetteStub(.get("/users/kean"), .json(["login": "kean"]).held(by: gate))
    try await withCassette(stubs: [stub]) { session in
      async let user = GitHub(session: session).user("kean")
      await gate.reached()
      // The request has been sent, and its response is held: check the loading state here.
      await gate.release()
      let login = try await user.login
      #expect(login == "kean")
    }
  }

  @Test(.stub(.get("/users/kean"), .json(["login": "kean"]).delay(.seconds(3_600))), .clock(ImmediateClock()))
  func `a delay of an hour takes no time with an immediate clock`() async throws {
    #expect(try await GitHub(session: .cassette, timeout: 7_200).user("kean").login == "kean")
  }

  @Test(.cassette("github-user", matching: .body(ignoring: "$.createdAt"), .query(ignoring: "ts"), .anyHost))
  func `a request to another host is answered with anyHost`() async throws {
    let github = GitHub(session: .cassette, baseURL: "https://staging.example.com")
    #expect(try await github.user("kean").login == "kean")
  }

  @Test(.cassette("github-user", .relaxed))
  func `a stub added while the test runs replaces the recording`() async throws {
    let player = CassettePlayer.current
    player.stub(.get("/users/kean"), .json(["login": "kean", "followers": 43]))
    #expect(try await GitHub(session: .cassette).user("kean").followers == 43)
    await player.wait(for: .get("/users/kean"))
    player.verify(.get("/users/{name}"), .once)
  }

  @Test func `a client that takes a base URL reaches the mock server`() async throws {
    try await withMockServer(cassettes: "github-user") { server in
      let github = GitHub(session: URLSession(configuration: .ephemeral), baseURL: server.url.absoluteString)
      let user = try await github.user("kean")
      #expect(user.login == "kean")
    }
  }
}
