import APIClient
import CassetteTesting
import Foundation
import GitHub
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a test changes of its client.
struct Setup {
  let change: (inout APIClient.Configuration) -> Void
  static func with(_ change: @escaping (inout APIClient.Configuration) -> Void) -> Setup { Setup(change: change) }
}

/// The two ways a cassette answers: inside the process, and over a socket.
enum Player: CaseIterable, Sendable {
  case urlProtocol
  case server

  /// Runs a test's body with a client that this player answers, from the cassette that ships or one of the tests.
  func play(
    _ cassette: String = "github", _ setup: Setup = .with { _ in }, token: String? = nil,
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ body: (GitHubClient) async throws -> Void
  ) async throws {
    let folder = cassette == "github" ? "../../cassettes" : nil
    switch self {
    case .urlProtocol:
      try await withCassette(cassette, in: folder, .relaxed, fileID: fileID, file: file, line: line, column: column) {
        _ in
        try await body(GitHubClient(token: token, session: .cassette, configure: setup.change))
      }
    case .server:
      try await withMockServer(
        cassettes: cassette, in: folder, strictness: .relaxed, fileID: fileID, file: file, line: line, column: column
      ) { server in
        try await body(GitHubClient(baseURL: server.url, token: token, session: .ephemeral, configure: setup.change))
      }
    }
  }
}
