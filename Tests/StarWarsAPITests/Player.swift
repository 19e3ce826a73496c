import CassetteTesting
import ClientTestSupport
import Foundation
import StarWarsAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Player {
  /// Runs a closure with a live client whose requests are answered by this player.
  func play(
    _ cassette: String, in folder: String? = nil, timeout: TimeInterval = 600, strictly isStrict: Bool = false,
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (StarWarsClient) async throws -> Void
  ) async throws {
    try await play(
      cassette, in: folder, origin: "https://swapi.dev", isStrict ? .strict : .relaxed, fileID: fileID, file: file,
      line: line, column: column
    ) { url, configuration in
      configuration.timeoutIntervalForRequest = timeout
      let session = URLSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      try await body(.live(baseURL: url.appending(path: "api"), session: session))
    }
  }
}
