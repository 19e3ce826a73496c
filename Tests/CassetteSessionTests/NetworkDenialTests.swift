import Foundation
import TestSupport
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Serialized, because the network of the whole process is denied. No test connects to another machine: the tests
// register a loopback server as a proxy, which counts as network.
@Suite(.serialized) struct NetworkDenialTests {
  private func origin() throws -> LoopbackOrigin {
    try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
  }

  /// Returns the answer to a request, or its error.
  private func asks(_ url: URL, _ session: URLSession) async -> Result<String, any Error> {
    do {
      return .success(String(decoding: try await session.data(from: url).0, as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  #if os(Linux) && canImport(Glibc)
    @Test func `no session reaches the denied network, and the refused connection is listed`() async throws {
      let origin = try origin()
      let url = try #require(URL(string: origin.url))
      let port = try #require(url.port)
      let before = URLSession(configuration: .default)
      #expect(try await asks(url, before).get() == "ok")
      NetworkDenial.addProxy(port: port)
      defer { NetworkDenial.removeProxy(port: port) }
      NetworkDenial.forget { $0.contains(":\(port)") }
      let denial = NetworkDenial()
      let sessions = [before, URLSession(configuration: .default), URLSession(configuration: .ephemeral), .shared]
      for session in sessions {
        await #expect(throws: URLError.self) { try await asks(url, session).get() }
      }
      #expect(origin.requests.count == 1)
      let refused = denial.end()
      #expect(refused.certain.isEmpty)
      #expect(refused.possible.contains { $0.contains("port \(port)") })
      #expect(NetworkDenial.unattributed.contains { $0.contains("port \(port)") })
      NetworkDenial.forget { $0.contains("port \(port)") }
      // A test of another suite may deny the network at the same time.
      NetworkDenial.removeProxy(port: port)
      #expect(try await asks(url, before).get() == "ok")
      origin.stop()
    }

    @Test func `the refused lookup of a name is listed with the name`() {
      let denial = NetworkDenial()
      var hints = addrinfo()
      // With this flag a lookup that is not refused sends no request to a name server.
      hints.ai_flags = AI_NUMERICHOST
      var found: UnsafeMutablePointer<addrinfo>?
      #expect(getaddrinfo("api.example.invalid", nil, &hints, &found) != 0)
      let refused = denial.end()
      #expect(refused.possible.contains { $0.contains("api.example.invalid") })
      NetworkDenial.forget { $0.contains("api.example.invalid") }
    }
  #endif

  @Test func `a loopback server is reached while the network is denied`() async throws {
    let origin = try origin()
    let denial = NetworkDenial()
    let url = try #require(URL(string: origin.url))
    #expect(try await asks(url, URLSession(configuration: .default)).get() == "ok")
    _ = denial.end()
    origin.stop()
  }

  @Test func `a denied request on the shared session fails with a remedy and is attributed to its own test`()
    async throws
  {
    let origin = try origin()
    let url = try #require(URL(string: origin.url))
    let port = try #require(url.port)
    NetworkDenial.addProxy(port: port)
    defer { NetworkDenial.removeProxy(port: port) }
    let denial = NetworkDenial()
    let other = NetworkDenial()
    // A session that refuses requests like the shared one, which other tests of this process may use.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [DeniedURLProtocol.self]
    let session = URLSession(configuration: configuration)
    let result = await NetworkDenial.$current.withValue(denial) { await asks(url, session) }
    let error = #expect(throws: URLError.self) { try result.get() }
    #expect(error?.code == .notConnectedToInternet)
    #expect(error?.localizedDescription.contains(".cassette(\"name\", session: .shared)") == true)
    let certain = denial.end().certain
    #expect(certain.contains { $0.contains("GET \(origin.url)") && $0.contains("on URLSession.shared") })
    #expect(!other.end().certain.contains { $0.contains(origin.url) })
    #expect(origin.requests.isEmpty)
    NetworkDenial.forget { $0.contains(":\(port)") }
    origin.stop()
  }

  @Test(
    arguments: [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", true),
      ("128.0.0.1", false), ("10.0.0.1", false), ("::2", false), ("127.0.0.1.example.com", false),
    ])
  func `an address is loopback or not`(address: String, isLoopback: Bool) {
    #expect(LoopbackNames.isLoopback(address) == isLoopback)
  }

  @Test func `names of the hosts file with only loopback addresses are loopback names`() {
    let names = LoopbackNames.names(
      inHosts: "127.0.0.1 localhost\n127.0.1.1\tbuilder builder.lan # me\n10.0.0.7 db\n127.0.0.1 both\n10.0.0.8 both\n")
    #expect(names == ["localhost", "builder", "builder.lan"])
    #expect(LoopbackNames.contains("app.localhost"))
    #expect(!LoopbackNames.contains("localhost.example.com"))
  }

  @Test func `a loopback proxy in the environment is listed with its port`() {
    let ports = LoopbackNames.proxyPorts(in: [
      "HTTPS_PROXY": "http://127.0.0.1:3128", "http_proxy": "localhost:8888", "ALL_PROXY": "http://proxy.example.com:1",
    ])
    #expect(ports == [3128, 8888])
  }

  @Test func `the host of a recorded URL and its addresses are allowed`() {
    let denial = NetworkDenial()
    defer { _ = denial.end() }
    NetworkDenial.allow(URL(string: "https://recorded.example.com/a"))
    #expect(NetworkDenial.passes(host: "recorded.example.com"))
    #expect(!NetworkDenial.passes(address: "192.0.2.9", port: 443))
    NetworkDenial.learn(host: "recorded.example.com", address: "192.0.2.9")
    #expect(NetworkDenial.passes(address: "192.0.2.9", port: 443))
    #expect(!NetworkDenial.passes(host: "other.example.com"))
    NetworkDenial.forget { $0.contains("other.example.com") || $0.contains("192.0.2.9") }
  }

  @Test func `CASSETTE_NETWORK denies the network with deny, and another value than allow is an error`() throws {
    #expect(try NetworkDenial.isDenied(by: ["CASSETTE_NETWORK": "deny"]))
    #expect(try !NetworkDenial.isDenied(by: ["CASSETTE_NETWORK": "allow"]))
    #expect(try !NetworkDenial.isDenied(by: [:]))
    let error = #expect(throws: NetworkDenial.Problem.self) {
      try NetworkDenial.isDenied(by: ["CASSETTE_NETWORK": "denied"])
    }
    #expect(error?.description == "CASSETTE_NETWORK=denied is invalid: it must be deny or allow")
  }
}
