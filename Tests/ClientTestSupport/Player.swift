package import CassetteTesting
package import Foundation
internal import MockServerTesting

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A player of a test's cassettes.
///
/// Each client is tested with both players.
package enum Player: String, CaseIterable, Sendable {
  case urlProtocol = "the URLProtocol"
  case server = "a mock server"

  /// The folder of the cassettes included in the package.
  package static let shipped = "../../cassettes"

  /// Runs a closure whose requests are answered by this player, with the base URL and a session configuration.
  ///
  /// - Parameters:
  ///   - cassette: The name of the cassette.
  ///   - folder: The folder of the cassette, or nil for the folder of the tests.
  ///   - origin: The origin of the API if requests are answered in process.
  ///   - strictness: The effect of a request without a recording.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor of the closure. By default that of the caller.
  ///   - body: Creates a client with the base URL and the configuration, and uses it.
  /// - Throws: The errors of the closure.
  package func play(
    _ cassette: String, in folder: String? = nil, origin: String, _ strictness: CassetteStrictness = .relaxed,
    fileID: String, file: StaticString, line: Int, column: Int, isolation: isolated (any Actor)? = #isolation,
    _ body: (URL, URLSessionConfiguration) async throws -> Void
  ) async throws {
    switch self {
    case .urlProtocol:
      try await withCassette(
        cassette, in: folder, strictness, matching: .careful, fileID: fileID, file: file, line: line, column: column
      ) { _ in
        guard let url = URL(string: origin) else { throw URLError(.badURL) }
        try await body(url, .cassette)
      }
    case .server:
      try await withMockServer(
        cassettes: cassette, in: folder, strictness: strictness, matching: .careful, fileID: fileID, file: file,
        line: line, column: column
      ) { server in try await body(server.url, .ephemeral) }
    }
  }
}
