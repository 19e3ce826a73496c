/// Hosts of this machine, told by what is written alone.
package enum LoopbackHost {
  /// Tells whether a name in lower case is `localhost`, or one below it (RFC 6761 §6.3).
  package static func isName(_ name: String) -> Bool {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Tells whether a host is an IPv4 address: a name may begin with 127, too.
  package static func isIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Tells whether a host is an address of 127.0.0.0/8 (RFC 1122 §3.2.1.3).
  package static func isIPv4Loopback(_ host: String) -> Bool { host.hasPrefix("127.") && isIPv4(host) }
}
