import Foundation
import TestSupport
import Testing

@testable import CassetteSession
@testable import CassetteTesting
@testable import Cassettes
@testable import MockServerTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Serialized, because the denial of the network concerns the whole process.
@Suite(.serialized) struct `Denied network` {
  private func denied(_ body: (URL) async throws -> Void) async throws {
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")] }
    let url = try #require(URL(string: origin.url))
    let port = try #require(url.port)
    // Treats the port as a proxy on this machine, which counts as network.
    NetworkDenial.addProxy(port: port)
    defer { NetworkDenial.removeProxy(port: port) }
    NetworkDenial.forget { $0.contains(":\(port)") || $0.contains("port \(port)") }
    try await body(url)
    #expect(origin.requests.isEmpty)
    origin.stop()
  }

  @Test func `a test with .noNetwork fails once at its line with the request and a remedy`() async throws {
    let test = try #require(Test.current)
    try await denied { url in
      let issues = try await issues {
        let trait: CassetteTrait = .noNetwork
        try await trait.provideScope(for: test, testCase: nil) { _ = try await URLSession.shared.data(from: url) }
      }
      let told = refusals(issues, of: url)
      let text = told.first?.comments.first?.rawValue ?? ""
      #expect(told.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
      #expect(!issues.contains { if case .errorCaught = $0.kind { true } else { false } })
      #expect(text.contains("GET \(url.absoluteString) on URLSession.shared"))
      #expect(text.contains("use .cassette(\"name\", session: .shared)"))
      #expect(text.contains("The test then threw"))
    }
  }

  @Test func `a denied request fails its test although the code under test ignores the error`() async throws {
    try await denied { url in
      let line = #line + 2
      let issues = try await issues {
        try await withCassette(noNetwork: true) { _ in _ = try? await URLSession.shared.data(from: url) }
      }
      #expect(refusals(issues, of: url).map { $0.sourceLocation?.line } == [line])
    }
  }

  @Test func `a test with .noNetwork is answered by its cassette and by a mock server`() async throws {
    let test = try #require(Test.current)
    let traits: [CassetteTrait] = [.cassette("user"), .noNetwork]
    let found = try await issues {
      try await traits[0].provideScope(for: test, testCase: nil) {
        try await traits[1].provideScope(for: test, testCase: nil) {
          #expect(try await Client(session: .cassette).user().login == "kean")
          try await withMockServer(cassettes: "user") { server in
            let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
            let login = try await client.user().login
            #expect(login == "kean")
          }
        }
      }
    }
    #expect(!text(found).contains { $0.contains("127.0.0.1") || $0.contains("kean") })
  }

  private func text(_ issues: [Issue]) -> [String] { issues.map { $0.comments.first?.rawValue ?? "\($0)" } }

  /// Returns the issues about a refused request to a URL, because requests of concurrent tests may be refused, too.
  private func refusals(_ issues: [Issue], of url: URL) -> [Issue] {
    issues.filter { issue in
      text([issue]).contains {
        $0.hasPrefix("the network is denied while this test runs") && $0.contains(url.absoluteString)
      }
    }
  }

  @Test func `CASSETTE_NETWORK=deny with a recording mode is an error`() {
    let environment = ["CASSETTE_NETWORK": "deny", "CASSETTE_MODE": "record"]
    let error = #expect(throws: CassetteError.self) { try CassetteMode.ofTest(nil, environment: environment) }
    #expect(error?.description.contains("unset CASSETTE_NETWORK") == true)
    #expect(throws: CassetteError.self) { try CassetteMode.ofTest(.record, environment: ["CASSETTE_NETWORK": "deny"]) }
  }
}
