import APIClientKit
import ClientTestSupport
import Foundation
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
  /// Runs a closure with a client whose requests are answered by this player.
  func play(
    _ cassette: String = "api", _ setup: Setup = .with { _ in },
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ body: (APIClient) async throws -> Void
  ) async throws {
    try await play(
      cassette, origin: "https://api.example.com", fileID: fileID, file: file, line: line, column: column
    ) { url, configuration in
      let client = APIClient(baseURL: url) {
        $0.session = configuration
        setup.change(&$0)
      }
      try await body(client)
    }
  }
}

/// An error of a client, with its exchange.
struct Thrown: CustomStringConvertible {
  let error: any Error
  var exchange: Exchange? { Exchange(of: error) }
  var status: Int? { exchange?.status }
  var data: Data? { exchange?.data }
  var message: String? { exchange?.message }
  var curl: String? { exchange?.curl }
  var code: URLError.Code? { (error as? URLError)?.code }
  func body<Body: Decodable>(as type: Body.Type) -> Body? { (error as? APIError)?.body(as: type) }
  func header(_ name: String) -> String? { exchange?.response?.value(forHTTPHeaderField: name) }
  var description: String { "\(error)" }
}

/// Returns the error that a closure throws, and records an issue if it throws none.
func thrown<Value>(
  location: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
  _ ask: () async throws -> Value
) async -> Thrown? {
  await #expect(throws: (any Error).self, sourceLocation: location) { _ = try await ask() }.map { Thrown(error: $0) }
}

struct Order: Codable, Equatable, Sendable {
  var id = 0
  var placedAt = Date(timeIntervalSince1970: 0)
  var lineItems: [String] = []
}

struct NewOrder: Encodable, Sendable {
  var lineItems: [String]
}

extension APIClient.Configuration {
  mutating func useSnakeCase() {
    (encoder, decoder) = (.api(snakeCase: true), .api(snakeCase: true))
  }
}

/// The journal of a mock server.
struct RequestJournal: Decodable {
  struct Entry: Decodable {
    var method: String
    var url: String
    var headers: [[String]]
    var body: String?
    var bodyBytes: Int?
    func field(_ name: String) -> String? { headers.first { $0[0].lowercased() == name.lowercased() }?[1] }
  }

  var entries: [Entry]

  static func of(_ server: URL) async throws -> [Entry] {
    let client = APIClient(baseURL: server) { $0.session = .ephemeral }
    let journal: RequestJournal = try await client.value(for: .get("/__mock/journal"))
    return journal.entries
  }
}
