internal import CassetteHTTP
package import MockServerSockets

/// The origin to ask: scheme, host and port of a server.
package struct UpstreamOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The reason why a text names no origin, and what to type.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// True if it is spoken to over TLS.
  package let isSecure: Bool
  /// The host as it is written: a name, or an address, in brackets where it is of the sixth version.
  package let host: String
  /// The port, 80 or 443 unless the text says another.
  package let port: Int

  /// Reads `https://api.github.com` or `http://127.0.0.1:8080`.
  ///
  /// - Parameter text: Scheme, host and perhaps a port; a slash at the end is no path.
  /// - Throws: ``Problem`` with what to type.
  package init(_ text: String) throws(Problem) {
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    // Before a host may stand a password, and behind it a token, however wrong the rest is.
    let start = text.lastIndex(of: "@") ?? text.firstRange(of: "%40")?.lowerBound
    let rest = start.map { text[$0...] } ?? text[...]
    let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
    let shown = (start == nil ? "" : "…") + rest[..<end] + (end < rest.endIndex ? "…" : "")
    if let scheme, scheme != "http", scheme != "https" {
      throw Problem(description: "\"\(shown)\" is neither http nor https")
    }
    guard let target = HTTPTarget(text), target.form == .absolute, let authority = target.authority else {
      let isLocal = ["127.", "localhost", "[::1]", "0.0.0.0"].contains { text.lowercased().hasPrefix($0) }
      let hint = scheme != nil || text.isEmpty ? "" : "; type \(isLocal ? "http" : "https")://\(shown)"
      throw Problem(description: "\"\(shown)\" is not the URL of a server\(hint)")
    }
    isSecure = scheme == "https"
    guard !authority.contains("@") else {
      throw Problem(description: "an upstream takes no user or password; send an Authorization field with the requests")
    }
    guard target.path == "/", target.query == nil else {
      let origin = text.prefix { $0 != "?" }.dropLast(target.path == "/" ? 0 : target.path.count)
      throw Problem(description: "an origin is a scheme and a host without a path; type \(origin)")
    }
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[bracket...].lastIndex(of: ":") {
      guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else {
        throw Problem(description: "the port of \"\(shown)\" is not a number from 1 to 65535")
      }
      self.port = port
      host = authority[..<colon].lowercased()
    } else {
      port = isSecure ? 443 : 80
      host = authority.lowercased()
    }
    guard !host.isEmpty else { throw Problem(description: "\"\(shown)\" names no host") }
  }

  /// Reads the URL of an upstream, which may have a path: `https://api.example.com/v2`.
  ///
  /// - Parameter text: Scheme, host, perhaps a port and a path.
  /// - Returns: The origin, and the path without a slash at its end; empty for none.
  /// - Throws: ``Problem`` with what to type.
  package static func withPath(_ text: String) throws(Problem) -> (origin: UpstreamOrigin, path: String) {
    guard let target = HTTPTarget(text), target.form == .absolute, target.query == nil, target.path != "/" else {
      return (try UpstreamOrigin(text), "")
    }
    var path = target.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return (try UpstreamOrigin(String(text.dropLast(target.path.utf8.count))), String(path))
  }

  /// The value of the `Host` field: with the port only where it is not the scheme's own.
  package var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// Scheme and authority, as a cassette's `origin` has it.
  package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// Tells whether a person wrote this very address, and not a name that leads to it.
  func names(_ address: SocketAddress) -> Bool {
    (try? SocketAddress(host: host, port: 0))?.host == address.host
  }

  /// Returns the reason why an address that the host's name leads to is not asked; nil when it may be.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - isNamed: Whether a person named this origin, and not a client.
  /// - Returns: What to say, and what to type.
  package func refusal(of address: SocketAddress, isNamed: Bool = true) -> String? {
    guard address.isLinkLocalOrMetadata, !(isNamed && names(address)) else { return nil }
    return "\(host) leads to \(address.host), an address of this link or of a cloud's metadata service; "
      + (isNamed ? "if it is meant, name the address itself as the upstream" : "if it is meant, type --origin \(self)")
  }

  /// The origin of this host and port without TLS.
  package var spokenPlainly: UpstreamOrigin { UpstreamOrigin(isSecure: false, host: host, port: port) }

  private init(isSecure: Bool, host: String, port: Int) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
  }
}
