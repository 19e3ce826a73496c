import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples of the essay "Web API Client in Swift" (2021) and of Get's documentation, verbatim.
@Suite struct `Samples of the essay Web API Client in Swift` {
  @Test(
    .stub(.get("/user"), .json(["id": 1, "login": "kean"])),
    .stub(.get("/users/kean/repos"), .json([["name": "Nuke"], ["name": "Get"]])),
    .stub(.post("/user/emails"), .status(201))
  ) func `the essay's requests are sent directly and through resources`() async throws {
    let client = APIClient(host: "api.github.com") { $0.session = .cassette }

    // Using the client directly
    let user: User = try await client.send(.get("/user")).value
    try await client.send(.post("/user/emails", body: ["kean@example.com"]))
    #expect(user.login == "kean")

    // Using a predefined API definition
    let repos = try await client.send(Resources.users("kean").repos.get)
    #expect(repos.value.map(\.name) == ["Nuke", "Get"])

    // The essay's sample for Get 2.0
    var request = Request(path: "/user/emails", method: .post)
    request.body = ["kean@example.com"]
    try await client.send(request)
  }

  @Test(.stub(.get("/search?page=2&q=nuke"), .json([["name": "Nuke"]])))
  func `a query is given as a dictionary or as pairs`() async throws {
    let client = APIClient(host: "api.github.com") { $0.session = .cassette }
    let found: [Repo] = try await client.value(for: .get("/search", query: ["q": "nuke", "page": "2"]))
    #expect(found.map(\.name) == ["Nuke"])
    let again: [Repo] = try await client.value(for: .get("/search", query: [("page", "2"), ("q", "nuke")]))
    #expect(again.map(\.name) == ["Nuke"])
  }

  /// The essay's `APIClientDelegate`, which conforms to the protocols of the methods that it implements.
  private final class YourAPIClientDelegate: SendDelegate, RetryDelegate {
    let accessToken = "token"

    func client(_ client: APIClient, willSendRequest request: inout URLRequest) {
      request.setValue("Bearer: \(accessToken)", forHTTPHeaderField: "Authorization")
    }

    func client(
      _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool {
      if case .unacceptableStatusCode(let status) = (error as? APIError), status == 401, attempts == 1 {
        return await refreshAccessToken()
      }
      return false
    }

    private func refreshAccessToken() async -> Bool { false }
  }

  @Test(.stub(.get("/user").header("Authorization", .equals("Bearer: token")), .json(["id": 1, "login": "kean"])))
  func `a delegate adds the Authorization field`() async throws {
    let client = APIClient(baseURL: URL(string: "https://api.github.com")) {
      $0.sessionConfiguration = .cassette
      $0.delegate = YourAPIClientDelegate()
    }
    #expect(try await client.value(for: Paths.user.get).login == "kean")
  }

  @Test(.stub(.get("/user"), .json(["id": 1, "login": "kean"])))
  func `extensions of the client add a cache policy and downloads`() async throws {
    let client = APIClient(host: "api.github.com") { $0.session = .cassette }
    let user = try await client.send(Paths.user.get, cachePolicy: .reloadIgnoringLocalCacheData)
    #expect(user.login == "kean")
    let file = try await client.file(of: .get("/user"))
    #expect(try Data(contentsOf: file).count > 0)
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }

  @Test func `a request is printed as a curl command`() async throws {
    let client = APIClient(host: "api.github.com")
    let command = try await client.curl(for: Paths.user.emails.post(["kean@example.com"]))
    #expect(command.contains("--request 'POST'") && command.contains(#"--data-raw '["kean@example.com"]'"#))
    #expect(try await client.makeURLRequest(for: Paths.user.get).curl().hasSuffix("'https://api.github.com/user'"))
  }
}

/// The essay's two extensions of the client: a cache policy, and downloads.
extension APIClient {
  fileprivate func send<Response: Decodable>(
    _ request: Request<Response>, cachePolicy: URLRequest.CachePolicy
  ) async throws -> Response {
    try await send(request) { $0.cachePolicy = cachePolicy }.value
  }

  fileprivate func file(of request: Request<Void>) async throws -> URL {
    try await download(for: request).location
  }
}
