import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples of the page about recording.
@Suite struct TransferTests {
  private func owner(_ session: URLSession, _ base: String = "https://api.example.com") async throws -> String {
    struct Transfer: Decodable { let owner: String }
    let (data, _) = try await session.data(from: #require(URL(string: "\(base)/transfer")))
    return try JSONDecoder().decode(Transfer.self, from: data).owner
  }

  @Test(
    .cassette("transfer"),
    .redacting(.header("X-Team"), .query("sig"), .json("$.account.iban"), .json("$..email")))
  func `values of redacted headers, query items and JSON paths are removed`() async throws {
    #expect(try await owner(.cassette) == "xxxx")
  }

  @Test(
    .cassette("transfer"),
    .redacting(.json("$.account.iban"), with: "DE00000000000000000000"),
    .redacting(.json("$.owner")) { name in String(repeating: "x", count: name.count) })
  func `redacted JSON values are replaced by the given text or closure`() async throws {
    #expect(try await owner(.cassette) == "xxxx")
  }

  @Test func `a mock server redacts while it records`() async throws {
    try await withMockServer(
      cassettes: "transfer", upstream: "https://api.example.com",
      redacting: .redacting(.json("$.account.iban"), with: "DE00000000000000000000").keepingOpaque()
    ) { server in
      let found = try await owner(URLSession(configuration: .ephemeral), server.url.absoluteString)
      #expect(found == "xxxx")
    }
  }
}
