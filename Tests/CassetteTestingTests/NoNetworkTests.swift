import Foundation
import TestSupport
import Testing

@testable import CassetteSession
@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What keeps the process off the network is one for all tests.
@Suite(.serialized) struct `A test without the network` {
  private func denied(_ body: (URL) async throws -> Void) async throws {
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")] }
    let url = try #require(URL(string: origin.url))
    let port = try #require(url.port)
    // Stands for the network, as a proxy on this machine does.
    NetworkDenial.addProxy(port: port)
    defer { NetworkDenial.removeProxy(port: port) }
    try await body(url)
    #expect(origin.requests.isEmpty)
    origin.stop()
  }

  @Test func `fails at its line, once, with what was asked and what to type`() async throws {
    let test = try #require(Test.current)
    try await denied { url in
      let issues = try await issues {
        let trait: CassetteTrait = .noNetwork
        try await trait.provideScope(for: test, testCase: nil) { _ = try await URLSession.shared.data(from: url) }
      }
      let text = issues.first?.comments.first?.rawValue ?? ""
      #expect(issues.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
      #expect(text.contains("GET \(url.absoluteString) was asked on URLSession.shared"))
      #expect(text.contains("use .cassette(\"name\", session: .shared)"))
      #expect(text.contains("The test then threw"))
    }
  }

  @Test func `is told of what the code under test swallows`() async throws {
    try await denied { url in
      let line = #line + 2
      let issues = try await issues {
        try await withCassette(noNetwork: true) { _ in _ = try? await URLSession.shared.data(from: url) }
      }
      #expect(issues.map { $0.sourceLocation?.line } == [line])
    }
  }

  @Test(.cassette("user"), .noNetwork) func `is answered from its cassette`() async throws {
    #expect(try await Client(session: .cassette).user().login == "kean")
  }

  @Test(.noNetwork) func `reaches a mock server`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
      let login = try await client.user().login
      #expect(login == "kean")
    }
  }

  @Test func `records nothing where the environment denies it`() {
    let environment = ["CASSETTE_NETWORK": "deny", "CASSETTE_MODE": "record"]
    let error = #expect(throws: CassetteError.self) { try Mode.ofTest(nil, environment: environment) }
    #expect(error?.description.contains("unset CASSETTE_NETWORK") == true)
    #expect(throws: CassetteError.self) { try Mode.ofTest(.live, environment: ["CASSETTE_NETWORK": "deny"]) }
  }
}
