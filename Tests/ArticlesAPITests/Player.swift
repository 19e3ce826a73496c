import ArticlesAPI
import CassetteTesting
import ClientTestSupport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Player {
  /// Runs a closure with a client whose requests are answered by this player.
  func play(
    _ cassette: String, in folder: String? = nil, tokens: any TokenStore = MemoryTokenStore(.bearer("abc")),
    credentials: Credentials? = nil, timeout: TimeInterval = 600, strictly isStrict: Bool = false,
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (ArticlesClient) async throws -> Void
  ) async throws {
    let signIn = credentials.map { credentials in { @Sendable () async throws -> Credentials in credentials } }
    try await play(
      cassette, in: folder, origin: "https://api.domain.com", isStrict ? .strict : .relaxed, fileID: fileID, file: file,
      line: line, column: column
    ) { url, configuration in
      configuration.timeoutIntervalForRequest = timeout
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      try await body(ArticlesClient(baseURL: url, session: session, tokens: tokens, credentials: signIn))
    }
  }
}
