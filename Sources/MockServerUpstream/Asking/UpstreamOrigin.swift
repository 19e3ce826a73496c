internal import CassetteHTTP
internal import CassetteSystem
package import MockServerSockets
internal import MockServerWire

/// The origin that requests are sent to: scheme, host and port.
package struct UpstreamOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The reason why a URL does not name an origin, and its correction.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// True if the scheme is `https`.
  package let isSecure: Bool
  /// The host name or address as written, with brackets for an IPv6 address.
  package let host: String
  /// The port, by default 80 or 443.
  package let port: Int

  /// Parses a URL such as `https://api.github.com` or `http://127.0.0.1:8080`.
  ///
  /// - `text`: The scheme, the host and optionally a port. A final slash is ignored.
  package init(_ text: String) throws(Problem) {
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    // The message must not show a password before the host or a token after it, even if the rest of the URL is invalid.
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
      throw Problem(
        description:
          "the URL of an upstream must not contain a user or password; send an Authorization field with the requests")
    }
    guard target.path == "/", target.query == nil else {
      let origin = text.prefix { $0 != "?" }.dropLast(target.path == "/" ? 0 : target.path.count)
      throw Problem(description: "an origin is a scheme and a host without a path; use \(origin)")
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
    guard !host.isEmpty else { throw Problem(description: "\"\(shown)\" has no host") }
  }

  /// Parses the URL of an upstream, which may have a path, such as `https://api.example.com/v2`.
  package static func withPath(_ text: String) throws(Problem) -> (origin: UpstreamOrigin, path: String) {
    guard let target = HTTPTarget(text), target.form == .absolute, target.query == nil, target.path != "/" else {
      return (try UpstreamOrigin(text), "")
    }
    var path = target.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    return (try UpstreamOrigin(String(text.dropLast(target.path.utf8.count))), String(path))
  }

  /// The value of the `Host` field, with the port unless it is the default of the scheme.
  var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// The scheme and authority, as in the `origin` member of a cassette.
  package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// Returns true if the user wrote this address itself, rather than a host name that resolves to it.
  func names(_ address: SocketAddress) -> Bool {
    (try? SocketAddress(host: host, port: 0))?.host == address.host
  }

  /// Returns the reason why a resolved address must not be contacted; nil if it may be.
  ///
  /// - `isNamed`: True (the default) if the user named this origin; false if a client did.
  package func refusal(of address: SocketAddress, isNamed: Bool = true) -> String? {
    guard address.isLinkLocalOrMetadata, !(isNamed && names(address)) else { return nil }
    return "\(host) leads to \(address.host), an address of this link or of a cloud's metadata service; "
      + (isNamed ? "to allow it, name the address itself as the upstream" : "to allow it, use --origin \(self)")
  }

  /// The same host and port with the scheme `http`.
  package var spokenPlainly: UpstreamOrigin { UpstreamOrigin(isSecure: false, host: host, port: port) }

  private init(isSecure: Bool, host: String, port: Int) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
  }
}

extension OutgoingProxies.Proxy {
  /// Returns the `CONNECT` request for a tunnel to an origin (RFC 9110 §9.3.6).
  package func tunnel(to origin: UpstreamOrigin) -> [UInt8] {
    var bytes = Array("CONNECT \(origin.host):\(origin.port) HTTP/1.1\r\nHost: \(origin.host):\(origin.port)\r\n".utf8)
    if let credentials { ResponseSerializer.appendField("Proxy-Authorization", credentials, to: &bytes) }
    return bytes + Array("\r\n".utf8)
  }
}

/// A cache of one address resolver per origin.
package final class Resolvers: Sendable {
  private let known = Locked<[UpstreamOrigin: Resolver]>([:])
  private let lookUp: Resolver.LookUp?

  init(asking lookUp: Resolver.LookUp?) { self.lookUp = lookUp }

  /// The resolver of an origin, which is created on first use.
  package subscript(origin: UpstreamOrigin) -> Resolver {
    known.withLock { known in
      if let resolver = known[origin] { return resolver }
      // The cache is limited to bound memory. Resolvers removed from it are created again.
      if known.count >= 1_000 { known = [:] }
      let resolver = Resolver(host: origin.host, port: origin.port, asking: lookUp)
      known[origin] = resolver
      return resolver
    }
  }
}
