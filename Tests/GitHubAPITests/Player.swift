import APIClientKit
import ClientTestSupport
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Changes the configuration of a test's client.
struct Setup {
  let change: (inout APIClient.Configuration) -> Void
  static func with(_ change: @escaping (inout APIClient.Configuration) -> Void) -> Setup { Setup(change: change) }
}

extension Player {
  /// Runs a closure with a client whose requests are answered by this player from an included or a test cassette.
  func play(
    _ cassette: String = "github", _ setup: Setup = .with { _ in }, token: String? = nil,
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (GitHubClient) async throws -> Void
  ) async throws {
    try await play(
      cassette, in: cassette == "github" ? Self.shipped : nil, origin: "https://api.github.com", fileID: fileID,
      file: file, line: line, column: column
    ) { url, configuration in
      try await body(GitHubClient(baseURL: url, token: token, session: configuration, configure: setup.change))
    }
  }
}
