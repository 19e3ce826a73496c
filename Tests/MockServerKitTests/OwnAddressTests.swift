import CassetteRecording
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerSockets
@testable import MockServerUpstream

/// A recorder never sends a request to its own address, in any spelling.
struct OwnAddressTests {
  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1", true), ("127.0.0.2", "127.0.0.1", false), ("0.0.0.0", "127.0.0.1", true),
      ("::ffff:127.0.0.1", "127.0.0.1", true), ("::ffff:7f00:1", "127.0.0.1", true), ("::1", "127.0.0.1", false),
      ("127.0.0.1", "0.0.0.0", true), ("127.9.9.9", "0.0.0.0", true), ("192.0.2.7", "0.0.0.0", true),
      ("192.0.2.8", "0.0.0.0", false), ("::1", "0.0.0.0", false), ("::1", "::", true), ("127.0.0.1", "::", true),
      ("192.0.2.7", "::", true), ("::", "::1", true), ("0.0.0.0", "0.0.0.0", true), ("::1", "::1", true),
      ("192.0.2.7", "192.0.2.7", true), ("127.0.0.1", "192.0.2.7", false),
    ])
  func `an address reaches a listener at the same address or at the wildcard address`(
    asked: String, heard: String, isReached: Bool
  ) throws {
    let asked = try SocketAddress(host: asked, port: 8080)
    #expect(asked.reaches(try SocketAddress(host: heard, port: 8080), local: { ["192.0.2.7"] }) == isReached)
    #expect(!asked.reaches(try SocketAddress(host: heard, port: 8081), local: { ["192.0.2.7"] }))
  }

  @Test func `the addresses of this machine include loopback`() {
    #expect(SocketAddress.localHosts().contains("127.0.0.1"))
  }

  /// Resolves every name to loopback.
  private static let lookUp: Resolver.LookUp = { host, port in
    let address = try? SocketAddress(host: host.contains(":") ? "::ffff:127.0.0.1" : "127.0.0.1", port: port)
    return (address.map { [$0] } ?? [], 0)
  }

  @Test(
    arguments: LoopKind.allCases,
    ["localhost", "127.0.0.1", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0", "some.host.test", "localhost."])
  func `a proxy refuses requests to its own address in every spelling`(kind: LoopKind, host: String) throws {
    let served = try Served(kind) { configuration in
      configuration.proxy = ProxySettings()
      var settings = RecordingSettings(upstream: nil, cassette: "\(configuration.cassettes[0])/a.json")
      settings.lookUp = Self.lookUp
      configuration.recording = settings
    }
    let port = try #require(served.url.split(separator: ":").last)
    let answer = try served.ask("GET http://\(host):\(port)/a")
    // A request to the address in the server's URL gets the explanation of the proxy, any other spelling is refused.
    if answer.status != 400 {
      #expect(answer.status == 502)
      #expect(answer.text.contains("the address of this recorder"))
    }
    served.server.stop()
    #expect(try served.server.saveRecording()?.changes.isEmpty == true)
  }

  @Test func `an upstream name that resolves to another server of this machine is requested`() throws {
    let probe = try LoopbackOrigin { _ in [] }
    let port = try #require(probe.url.split(separator: ":").last.flatMap { Int($0) })
    // The lookup keeps the port of the upstream, which differs from the recorder's port.
    let served = try Served(.platform) { configuration in
      let upstream = try? UpstreamOrigin("http://api.example.test:\(port)")
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.lookUp = { _, port in ((try? [SocketAddress(host: "127.0.0.1", port: port)]) ?? [], 0) }
      configuration.recording = settings
    }
    // The name resolves to the probe, which is not the recorder.
    #expect(try served.ask("GET /a").text.contains("the address of this recorder") == false)
    #expect(!probe.requests.isEmpty)
  }

  @Test func `an upstream that is the recorder's own address is refused at the start`() throws {
    let free = try LoopbackOrigin { _ in [] }
    let port = try #require(free.url.split(separator: ":").last.flatMap { Int($0) })
    let scratch = try ScratchFolder()
    var configuration = MockServer.Configuration(cassettes: [], host: "127.0.0.2", port: port)
    configuration.recording = RecordingSettings(
      upstream: try UpstreamOrigin("http://[::ffff:127.0.0.2]:\(port)"), cassette: "\(scratch.path)/a.json")
    let server = try MockServer(configuration)
    #expect(throws: MockServer.Failure.self) { try server.start() }
    _ = try server.saveRecording()
  }
}
