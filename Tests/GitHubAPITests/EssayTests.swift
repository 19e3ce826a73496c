import APIClientKit
import CassetteTesting
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the essay of 2019, "Swift API Client Best Practices": callbacks on top of this one.
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

/// What the essay does step by step, done with this client; what differs is on its page.
@Suite struct `The essay on an error model` {
  @Test(.cassette("github", in: "../../cassettes", .relaxed))
  func `gets issues and pull requests from a task of the session`() async throws {
    let decoder = JSONDecoder.api()
    let session = URLSession(configuration: .cassette)
    let issues = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/issues"))
    let pulls = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/pulls"))
    #expect(try decoder.decode([GitHubAPI.Issue].self, from: try await session.data(from: issues).0).isEmpty == false)
    #expect(try decoder.decode([PullRequest].self, from: try await session.data(from: pulls).0).isEmpty == false)
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed)) func `gets them from a client`() async throws {
    let client = GitHubClient(session: .cassette)
    let issues = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues.get)
    let pulls = try await client.value(for: GitHub.repos("davbeck", "VectorIO").pulls.get)
    // A path below the base URL, one that begins anew, and a whole URL, as `URL(string:relativeTo:)` has them.
    for place in ["repos/davbeck/VectorIO/issues", "/repos/davbeck/VectorIO/issues"] {
      #expect(try await client.value(for: Request<[GitHubAPI.Issue]>.get(place)).map(\.id) == issues.map(\.id))
    }
    let url = try #require(URL(string: "https://api.github.com/repos/davbeck/VectorIO/pulls"))
    #expect(try await client.value(for: Request<[PullRequest]>(url: url)).map(\.number) == pulls.map(\.number))
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed)) func `calls back with a result`() async throws {
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
  ) func `has an error for all that goes wrong`() async throws {
    let client = GitHubClient(session: .cassette)
    func failure(of path: String) async -> GitHubFailure? {
      await #expect(throws: GitHubFailure.self) { try await client.value(for: Request<User>.get(path)) }
    }
    guard case .status(404, let error?)? = await failure(of: "refused") else { return #expect(Bool(false)) }
    #expect(error.message == "Not Found")
    #expect(error.documentationURL?.absoluteString == "https://docs.github.com/rest")
    // A refusal without words keeps its status.
    guard case .status(502, nil)? = await failure(of: "silent") else { return #expect(Bool(false)) }
    guard case .unexpected(is DecodingError)? = await failure(of: "broken") else { return #expect(Bool(false)) }
    guard case .unexpected(is URLError)? = await failure(of: "away") else { return #expect(Bool(false)) }
    guard case .invalidURL? = await failure(of: "http://[") else { return #expect(Bool(false)) }
  }

  @Test(.cassette("github", in: "../../cassettes", .relaxed)) func `chains, and handles errors once`() async throws {
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
