import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `A mock server for a test` {
  @Test func `serves cassettes on a port`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
      let login = try await client.user().login
      #expect(login == "kean")
    }
  }

  @Test func `serves downloads`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let url = server.url.appending(path: "user")
      let (file, _) = try await URLSession(configuration: .ephemeral).download(from: url)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("kean"))
    }
  }

  @Test(.mockServer("user")) func `is there for the length of a test with the trait`() async throws {
    let server = try #require(TestMockServer.current)
    let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
    #expect(try await client.user().login == "kean")
  }
}
