import Testing

@testable import Sockets

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80", true), ("localhost", "127.0.0.1:80", true), ("::1", "[::1]:80", true),
    ("[::1]", "[::1]:80", true), ("0.0.0.0", "0.0.0.0:80", false), ("::", "[::]:80", false),
    ("127.9.9.9", "127.9.9.9:80", true),
  ])
  func `addresses of both versions are read and written as URLs do`(
    host: String, text: String, isLoopback: Bool
  ) throws {
    let address = try SocketAddress(host: host, port: 80)
    #expect(address.description == text)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(arguments: ["example.com", "", "1.2.3", "127.0.0.1.5", "::g", "256.0.0.1"])
  func `what is no address is refused by name`(host: String) {
    #expect(throws: SocketError.badAddress(host)) { try SocketAddress(host: host, port: 1) }
  }

  @Test(arguments: [-1, 65_536])
  func `a port out of range is refused`(port: Int) {
    #expect(throws: SocketError.self) { try SocketAddress(host: "127.0.0.1", port: port) }
  }

  @Test func `port 0 becomes the port the system chose`() throws {
    let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    #expect(listener.address.port > 0)
  }

  @Test func `a taken port is an error that names it`() throws {
    let first = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    #expect(throws: SocketError.addressInUse(first.address)) { try Listener(first.address) }
  }
}
