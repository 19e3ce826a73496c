package import CassetteTesting
package import Foundation
internal import MockServerTesting

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Who plays the cassettes of a test: everything a client does is tried with both.
package enum Player: String, CaseIterable, Sendable {
  case urlProtocol = "the URLProtocol"
  case server = "a mock server"

  /// The cassettes that ship with the package.
  package static let shipped = "../../cassettes"

  /// Runs a part of a test that this player answers, with where its API is and what a session that gets there is made of.
  ///
  /// - Parameters:
  ///   - cassette: What is played.
  ///   - folder: Where it is; nil for the tests' own.
  ///   - origin: Where the API is when nothing is sent.
  ///   - strictness: What a request without an answer means.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: Where it runs: where it was called.
  ///   - body: What makes a client of them and uses it.
  /// - Throws: What the body throws.
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
