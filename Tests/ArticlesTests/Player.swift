import Articles
import CassetteTesting
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who plays the cassettes of a test: everything the client does is tried with both.
enum Player: String, CaseIterable, Sendable {
  case urlProtocol = "the URLProtocol"
  case server = "a mock server"

  /// The cassettes that ship with the package.
  static let shipped = "../../cassettes"

  /// Runs a part of a test with a client that this player answers.
  func play(
    _ cassette: String, in folder: String? = nil, tokens: any TokenStore = MemoryTokenStore(),
    credentials: Credentials? = nil, timeout: TimeInterval = 30, strictly isStrict: Bool = false,
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (ArticlesClient) async throws -> Void
  ) async throws {
    let signIn = credentials.map { credentials in { @Sendable () async throws -> Credentials in credentials } }
    let strictness = isStrict ? Strictness.strict : .relaxed
    switch self {
    case .urlProtocol:
      try await withCassette(
        cassette, in: folder, strictness, fileID: fileID, file: file, line: line, column: column
      ) { session in
        guard let url = URL(string: "https://api.domain.com") else { throw URLError(.badURL) }
        try await body(ArticlesClient(baseURL: url, session: session, tokens: tokens, credentials: signIn))
      }
    case .server:
      try await withMockServer(
        cassettes: cassette, in: folder, strictness: strictness, fileID: fileID, file: file, line: line, column: column
      ) { server in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        try await body(ArticlesClient(baseURL: server.url, session: session, tokens: tokens, credentials: signIn))
      }
    }
  }
}
