internal import CassetteSystem

extension SocketAddress {
  /// Returns true if a connection to this address reaches a listener on another address, however they are written.
  ///
  /// The unspecified address connects to this machine, and a listener on it accepts connections to all addresses of the
  /// machine. Also false if the answer cannot be determined.
  package func reaches(_ listener: SocketAddress, local: () -> Set<String> = SocketAddress.localHosts) -> Bool {
    guard port == listener.port else { return false }
    let (asked, heard) = (unmapped, listener.unmapped)
    if asked.host == heard.host { return true }
    // A listener on IPv6 accepts IPv4 connections, but not the reverse.
    guard asked.isIPv6 == heard.isIPv6 || heard.host == "::" else { return false }
    if asked.isUnspecified { return heard.isUnspecified || ["127.0.0.1", "::1"].contains(heard.host) }
    return heard.isUnspecified && (asked.isLoopback || local().contains(asked.host))
  }

  /// True for the unspecified address, `0.0.0.0` or `::`.
  private var isUnspecified: Bool { host == "0.0.0.0" || host == "::" }

  /// The IPv4 address if this is an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), otherwise this address.
  private var unmapped: SocketAddress {
    let prefix = "::ffff:"
    guard isIPv6, host.lowercased().hasPrefix(prefix), host.contains(".") else { return self }
    return (try? SocketAddress(host: String(host.dropFirst(prefix.count)), port: port)) ?? self
  }

  /// Returns the addresses of the network interfaces of this machine as strings.
  static func localHosts() -> Set<String> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var hosts: Set<String> = []
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      if let address = entry.pointee.ifa_addr, let found = SocketAddress(address) { hosts.insert(found.host) }
    }
    return hosts
  }
}
