internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerSockets
internal import MockServerWire

/// The forward proxies from the environment variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
package struct OutgoingProxies: Hashable, Sendable {
  /// A proxy and its credentials.
  package struct Proxy: Hashable, Sendable {
    /// The origin of the proxy's URL.
    package let origin: UpstreamOrigin
    /// The value of `Proxy-Authorization`; nil if the URL contains no user.
    let credentials: String?
  }

  private var http: Proxy?
  private var https: Proxy?
  /// The entries of `NO_PROXY` in lower case, for hosts that are contacted without a proxy.
  private var exceptions: [String] = []

  /// Creates an empty set, so that every origin is contacted directly.
  init() {}

  /// Reads the environment variables.
  ///
  /// A lower-case name takes precedence over the same name in upper case. `HTTP_PROXY` is ignored in a CGI program,
  /// where a client can set it with a `Proxy` field.
  package init(environment: (String) -> String?) throws(UpstreamOrigin.Problem) {
    func value(_ name: String, countsUpperCase: Bool = true) -> (name: String, text: String)? {
      for name in countsUpperCase ? [name, name.uppercased()] : [name] {
        if let text = environment(name), !text.isEmpty { return (name, text) }
      }
      return nil
    }
    if let found = value("https_proxy") { https = try Self.proxy(found.name, found.text) }
    if let found = value("http_proxy", countsUpperCase: environment("REQUEST_METHOD") == nil) {
      http = try Self.proxy(found.name, found.text)
    }
    exceptions = (value("no_proxy")?.text ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
  }

  private static func proxy(_ name: String, _ text: String) throws(UpstreamOrigin.Problem) -> Proxy {
    var text = text.hasSuffix("/") ? String(text.dropLast()) : text
    if !text.contains("://") { text = "http://\(text)" }
    var credentials: String?
    if let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@") {
      let user = PercentEncoding.decodeText(text[scheme.upperBound..<at].utf8)
      let pair = Array((user.contains(":") ? user : "\(user):").utf8)
      credentials = "Basic \(String(decoding: BodyBase64.encode(pair), as: UTF8.self))"
      text = String(text[..<scheme.upperBound]) + String(text[text.index(after: at)...])
    }
    guard text.lowercased().hasPrefix("http://") else {
      let scheme = text.prefix { $0 != ":" }
      throw UpstreamOrigin.Problem(
        description: "\(name) names a proxy with the scheme \(scheme); only http:// is supported, such as "
          + "\(name)=http://proxy.example.com:3128")
    }
    do throws(UpstreamOrigin.Problem) {
      return Proxy(origin: try UpstreamOrigin(text), credentials: credentials)
    } catch {
      throw UpstreamOrigin.Problem(description: "\(name): \(error)")
    }
  }

  /// Returns the proxy for requests to an origin; nil if the origin is contacted directly.
  package func proxy(for origin: UpstreamOrigin) -> Proxy? {
    guard let proxy = origin.isSecure ? https : http, !isLoopback(origin), !isException(origin) else { return nil }
    return proxy
  }

  private func isLoopback(_ origin: UpstreamOrigin) -> Bool {
    let host = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
    return LoopbackHost.isName(host) || SocketAddress.isLoopback(host: host)
  }

  /// Returns true if `NO_PROXY` lists an origin.
  ///
  /// `example.com`, `.example.com` and `*.example.com` match a host and its subdomains. An address matches itself in any
  /// spelling, and a block of addresses matches those in it. All may specify a port. `*` matches all hosts.
  private func isException(_ origin: UpstreamOrigin) -> Bool {
    let host = Self.bare(origin.host)
    let address = try? SocketAddress(host: host, port: 0)
    return exceptions.contains { exception in
      if exception == "*" { return true }
      var name = exception
      if let colon = name.lastIndex(of: ":"), name[..<colon].last == "]" || !name[..<colon].contains(":") {
        guard Int(name[name.index(after: colon)...]) == origin.port else { return false }
        name = String(name[..<colon])
      }
      if let address { return address.isIn(Self.bare(name)) }
      name = Self.bare(String(name.dropFirst(name.hasPrefix("*.") ? 2 : name.hasPrefix(".") ? 1 : 0)))
      return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }
  }

  /// Returns a host without brackets and without a final dot.
  private static func bare(_ host: String) -> String {
    var host = host
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }
}
