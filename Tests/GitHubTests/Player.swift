import APIClient
import CassetteTesting
import Foundation
import GitHub
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The two ways a cassette answers: inside the process, and over a socket.
enum Player: CaseIterable, Sendable {
  case urlProtocol
  case server

  /// Runs a test's body with a client that this player answers, from the cassette that ships or one of the tests.
  func play(
    _ cassette: String = "github", token: String? = nil,
    configure: (inout APIClient.Configuration) -> Void = { _ in },
    _ body: (GitHubClient) async throws -> Void
  ) async throws {
    let folder = cassette == "github" ? "../../cassettes" : nil
    switch self {
    case .urlProtocol:
      try await withCassette(cassette, in: folder, .relaxed) { _ in
        try await body(GitHubClient(token: token, session: .cassette, configure: configure))
      }
    case .server:
      try await withMockServer(cassettes: cassette, in: folder) { server in
        try await body(GitHubClient(baseURL: server.url, token: token, session: .ephemeral, configure: configure))
      }
    }
  }
}
