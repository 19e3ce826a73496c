import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TestMockServerTests {
  @Test func `a mock server answers from its cassette at its URL`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
      let login = try await client.user().login
      #expect(login == "kean")
    }
  }

  @Test func `a mock server answers a download task with the recorded body`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let url = server.url.appending(path: "user")
      let (file, _) = try await URLSession(configuration: .ephemeral).download(from: url)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("kean"))
    }
  }

  @Test(.mockServer("user")) func `.mockServer sets the current server of its test`() async throws {
    let server = try #require(TestMockServer.current)
    let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
    #expect(try await client.user().login == "kean")
  }
}
