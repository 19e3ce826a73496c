/// Recognizes the hosts of this machine by their names and addresses, without a look-up.
package enum LoopbackHost {
  /// Returns true for the lowercase name `localhost` and its subdomains (RFC 6761 §6.3).
  package static func isName(_ name: String) -> Bool {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Returns true if a host is an IPv4 address, because a host name may begin with 127 as well.
  package static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns true if a host is an address of 127.0.0.0/8 (RFC 1122 §3.2.1.3).
  package static func isIPv4Loopback(_ host: String) -> Bool { host.hasPrefix("127.") && isIPv4(host) }
}
