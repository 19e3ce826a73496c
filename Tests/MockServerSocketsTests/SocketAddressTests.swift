import Testing

@testable import MockServerSockets

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80", true), ("localhost", "127.0.0.1:80", true), ("::1", "[::1]:80", true),
    ("[::1]", "[::1]:80", true), ("0.0.0.0", "0.0.0.0:80", false), ("::", "[::]:80", false),
    ("127.9.9.9", "127.9.9.9:80", true),
  ])
  func `IPv4 and IPv6 addresses are parsed and written as in URLs`(host: String, text: String, isLoopback: Bool) throws
  {
    let address = try SocketAddress(host: host, port: 80)
    #expect(address.description == text)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(arguments: ["localhost", "LOCALHOST", "api.localhost"])
  func `a name of the loopback address has addresses without a resolver`(name: String) {
    let found = Platform.addresses(of: name, port: 80)
    #expect(found.code == 0 && !found.addresses.isEmpty)
    #expect(found.addresses.allSatisfy { $0.isLoopback && $0.port == 80 })
  }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.1", "fe80::1", "FE80:0::1", "febf::1", "fd00:ec2::254", "fd00:0ec2::254",
    "fd00:ec2:0:0:0:0:0:254", "::ffff:169.254.169.254", "::FFFF:a9fe:a9fe", "0:0:0:0:0:ffff:a9fe:a9fe",
    "0:0:0:0:0:ffff:169.254.169.254", "0::ffff:a9fe:a9fe", "::a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1",
    "100.100.100.200", "192.0.0.192", "168.63.129.16", "::ffff:100.100.100.200",
  ])
  func `a link-local or cloud metadata address is recognized in every spelling`(host: String) throws {
    #expect(try SocketAddress(host: host, port: 80).isLinkLocalOrMetadata)
  }

  @Test(arguments: [
    "127.0.0.1", "169.253.1.1", "10.0.0.1", "100.100.100.201", "::1", "::", "fec0::1", "fd00:ec2::255",
    "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2001:db8::a9fe:a9fe", "2002:7f00:1::1",
  ])
  func `other addresses are not link-local or metadata addresses`(host: String) throws {
    #expect(try !SocketAddress(host: host, port: 80).isLinkLocalOrMetadata)
  }

  @Test(arguments: ["0:0:0:0:0:0:0:1", "::0:1", "0000::0001"])
  func `different spellings of an address are equal`(host: String) throws {
    #expect(try SocketAddress(host: host, port: 80) == SocketAddress(host: "::1", port: 80))
  }

  @Test(arguments: ["example.com", "", "1.2.3", "127.0.0.1.5", "::g", "256.0.0.1"])
  func `an invalid address is an error that names it`(host: String) {
    #expect(throws: SocketError.badAddress(host)) { try SocketAddress(host: host, port: 1) }
  }

  @Test(arguments: [-1, 65_536])
  func `a port out of range is refused`(port: Int) {
    #expect(throws: SocketError.self) { try SocketAddress(host: "127.0.0.1", port: port) }
  }

  @Test func `port 0 becomes the port chosen by the system`() throws {
    let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    #expect(listener.address.port > 0)
  }

  @Test func `a port in use is an error that names the address`() throws {
    let first = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    #expect(throws: SocketError.addressInUse(first.address)) { try Listener(first.address) }
  }
}
