internal import CassetteSystem

extension SocketAddress {
  /// Tells whether a connection to the address reaches a listener on another, in whatever spelling.
  ///
  /// The unspecified address leads to this machine, and who listens on it hears all of the machine's addresses. False
  /// also
  /// where nobody can know.
  package func reaches(_ listener: SocketAddress, local: () -> Set<String> = SocketAddress.localHosts) -> Bool {
    guard port == listener.port else { return false }
    let (asked, heard) = (unmapped, listener.unmapped)
    if asked.host == heard.host { return true }
    // The sixth version hears the fourth, but not the other way around.
    guard asked.isIPv6 == heard.isIPv6 || heard.host == "::" else { return false }
    if asked.isUnspecified { return heard.isUnspecified || ["127.0.0.1", "::1"].contains(heard.host) }
    return heard.isUnspecified && (asked.isLoopback || local().contains(asked.host))
  }

  /// True if it stands for any address: `0.0.0.0`, `::`.
  private var isUnspecified: Bool { host == "0.0.0.0" || host == "::" }

  /// The address of the fourth version that is mapped into the sixth (RFC 4291 §2.5.5.2).
  private var unmapped: SocketAddress {
    let prefix = "::ffff:"
    guard isIPv6, host.lowercased().hasPrefix(prefix), host.contains(".") else { return self }
    return (try? SocketAddress(host: String(host.dropFirst(prefix.count)), port: port)) ?? self
  }

  /// Returns the addresses of this machine's interfaces, as text.
  package static func localHosts() -> Set<String> {
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
