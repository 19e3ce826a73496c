internal import CassetteSystem
import Foundation

/// The names and addresses of this machine, which do not count as network.
enum LoopbackNames {
  /// Returns true if a numeric address belongs to this machine: a loopback address or the unspecified address.
  ///
  /// Loopback addresses are 127.0.0.0/8 (RFC 1122 §3.2.1.3) and ::1 (RFC 4291 §2.5.3).
  static func isLoopback(_ address: String) -> Bool {
    let mapped = address.lowercased().hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    return ["::1", "::", "0.0.0.0"].contains(mapped) || LoopbackHost.isIPv4Loopback(mapped)
  }

  /// Returns true if a host is a numeric address, which is checked when a connection is opened.
  static func isAddress(_ host: String) -> Bool { host.contains(":") || LoopbackHost.isIPv4(host) }

  /// Returns true if a name is reserved for loopback (RFC 6761 §6.3) or has a loopback address in `/etc/hosts`.
  static func contains(_ name: String) -> Bool {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    return LoopbackHost.isName(name) || fromHosts.contains(name)
  }

  private static let fromHosts = names(inHosts: (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? "")

  /// Returns the names in a hosts file that have only loopback addresses.
  static func names(inHosts text: String) -> Set<String> {
    var own: Set<String> = []
    var others: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard let address = words.first else { continue }
      let names = words.dropFirst().map { $0.lowercased() }
      if isLoopback(String(address)) { own.formUnion(names) } else { others.formUnion(names) }
    }
    return own.subtracting(others)
  }

  /// The ports of proxies on this machine in environment variables, because they connect to the network.
  static let proxyPorts = proxyPorts(in: ProcessInfo.processInfo.environment)

  /// Returns the ports of proxies on this machine in the given environment variables.
  static func proxyPorts(in environment: [String: String]) -> Set<Int> {
    var ports: Set<Int> = []
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"] {
      guard let text = environment[name], !text.isEmpty,
        let url = URL(string: text.contains("://") ? text : "http://\(text)"),
        let host = url.host(percentEncoded: false)?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
        contains(host.lowercased()) || isLoopback(host)
      else { continue }
      // 1080 is curl's default for proxies.
      ports.insert(url.port ?? (url.scheme == "https" ? 443 : 1_080))
    }
    return ports
  }
}
