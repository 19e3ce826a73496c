internal import CassetteSystem
import Foundation

/// The names and addresses of this machine, which are not the network.
enum LoopbackNames {
  /// Tells if an address in digits is of this machine: loopback's, or the one that means no address at all.
  ///
  /// Loopback's are 127.0.0.0/8 (RFC 1122 §3.2.1.3) and ::1 (RFC 4291 §2.5.3).
  static func isLoopback(_ address: String) -> Bool {
    let mapped = address.lowercased().hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    return ["::1", "::", "0.0.0.0"].contains(mapped) || LoopbackHost.isIPv4Loopback(mapped)
  }

  /// Tells whether a host is an address in digits: it is looked at when it is connected to.
  static func isAddress(_ host: String) -> Bool { host.contains(":") || LoopbackHost.isIPv4(host) }

  /// Tells whether a name is loopback's, by itself (RFC 6761 §6.3) or by `/etc/hosts`.
  static func contains(_ name: String) -> Bool {
    let name = name.hasSuffix(".") ? String(name.dropLast()) : name
    return LoopbackHost.isName(name) || fromHosts.contains(name)
  }

  private static let fromHosts = names(inHosts: (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? "")

  /// The names that a hosts file has for loopback only.
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

  /// The ports of proxies on this machine that the environment names: through them the network would be reached.
  static let proxyPorts = proxyPorts(in: ProcessInfo.processInfo.environment)

  /// The ports of such proxies.
  static func proxyPorts(in environment: [String: String]) -> Set<Int> {
    var ports: Set<Int> = []
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"] {
      guard let text = environment[name], !text.isEmpty,
        let url = URL(string: text.contains("://") ? text : "http://\(text)"),
        let host = url.host(percentEncoded: false)?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
        contains(host.lowercased()) || isLoopback(host)
      else { continue }
      // curl's own default.
      ports.insert(url.port ?? (url.scheme == "https" ? 443 : 1_080))
    }
    return ports
  }
}
