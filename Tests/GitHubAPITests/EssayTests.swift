import APIClientKit
import CassetteTesting
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the essay "Swift API Client Best Practices" (2019): callbacks on top of `GitHubClient`.
private struct CallbackClient {
  let client: GitHubClient

  func getIssues(completion: @escaping @Sendable (_ result: Result<[GitHubAPI.Issue], any Error>) -> Void) {
    send(.get("repos/davbeck/VectorIO/issues"), completion)
  }

  func getPullRequests(completion: @escaping @Sendable (_ result: Result<[PullRequest], any Error>) -> Void) {
    send(.get("repos/davbeck/VectorIO/pulls"), completion)
  }

  private func send<Value: Decodable & Sendable>(
    _ request: Request<Value>, _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    Task { [client] in
      do { completion(.success(try await client.value(for: request))) } catch { completion(.failure(error)) }
    }
  }
}

/// The steps of the essay with this client.
///
/// Differences are on the page of this client.
@Suite struct `Samples of the essay Swift API Client Best Practices` {
  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `URLSession fetches issues and pull requests from the included cassette`() async throws {
    let decoder = JSONDecoder.api()
    let session = URLSession(configuration: .cassette)
    let issues = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/issues"))
    let pulls = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/pulls"))
    #expect(try decoder.decode([GitHubAPI.Issue].self, from: try await session.data(from: issues).0).isEmpty == false)
    #expect(try decoder.decode([PullRequest].self, from: try await session.data(from: pulls).0).isEmpty == false)
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `the client fetches the same issues and pull requests by route, path and URL`() async throws {
    let client = GitHubClient(session: .cassette)
    let issues = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues.get)
    let pulls = try await client.value(for: GitHub.repos("davbeck", "VectorIO").pulls.get)
    // A relative path, an absolute path and a whole URL, resolved like `URL(string:relativeTo:)`.
    for place in ["repos/davbeck/VectorIO/issues", "/repos/davbeck/VectorIO/issues"] {
      #expect(try await client.value(for: Request<[GitHubAPI.Issue]>.get(place)).map(\.id) == issues.map(\.id))
    }
    let url = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/pulls"))
    #expect(try await client.value(for: Request<[PullRequest]>(url: url)).map(\.number) == pulls.map(\.number))
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `a client with callbacks receives issues and pull requests`() async throws {
    let client = CallbackClient(client: GitHubClient(session: .cassette))
    let issues = await withCheckedContinuation { continuation in
      client.getIssues { (result) in continuation.resume(returning: result) }
    }
    let pulls = await withCheckedContinuation { continuation in
      client.getPullRequests { (result) in continuation.resume(returning: result) }
    }
    #expect(try issues.get().isEmpty == false)
    #expect(try pulls.get().isEmpty == false)
  }

  @Test(
    .stub(
      .get("/refused"),
      .json(["message": "Not Found", "documentation_url": "https://docs.github.com/rest"], status: 404)),
    .stub(.get("/silent"), .text("", status: 502)), .stub(.get("/broken"), .text("{", type: "application/json")),
    .stub(.get("/away"), .failing(.notConnectedToInternet))
  ) func `a refused, empty, broken, failed or invalid request throws the matching GitHubFailure`() async throws {
    let client = GitHubClient(session: .cassette)
    func failure(of path: String) async -> GitHubFailure? {
      await #expect(throws: GitHubFailure.self) { try await client.value(for: Request<User>.get(path)) }
    }
    guard case .status(404, let error?)? = await failure(of: "refused") else { return #expect(Bool(false)) }
    #expect(error.message == "Not Found")
    #expect(error.documentationURL?.absoluteString == "https://docs.github.com/rest")
    // An error response without a message keeps its status.
    guard case .status(502, nil)? = await failure(of: "silent") else { return #expect(Bool(false)) }
    guard case .unexpected(is DecodingError)? = await failure(of: "broken") else { return #expect(Bool(false)) }
    guard case .unexpected(is URLError)? = await failure(of: "away") else { return #expect(Bool(false)) }
    guard case .invalidURL? = await failure(of: "http://[") else { return #expect(Bool(false)) }
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `one catch clause handles the errors of chained requests`() async throws {
    let client = GitHubClient(session: .cassette)
    do {
      let issues = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues.get)
      let first = try #require(issues.last)
      let issue = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues(first.number).get)
      #expect(issue.number == first.number)
      _ = try await client.value(for: GitHub.repos("kean", "missing").get)
      Testing.Issue.record("nothing was thrown")
    } catch let failure as GitHubFailure {
      #expect(failure.status == 404)
    }
  }
}
