package import MockServerTLS
package import MockServerUpstream

/// The settings of a forward proxy, whose clients name the origin of each request (RFC 9112 §3.2.2).
package struct ProxySettings: Sendable {
  /// Makes certificates, so that what is asked over https can be recorded and played; nil where there is none.
  package var authority: LocalAuthority?
  /// The file of the authority that clients are to trust.
  package var trusted: String?
  /// The reason why there is no authority, for clients that ask for a tunnel.
  package var lack = "this proxy has no certificates"
  /// The origins that may be asked; empty for all.
  package var origins: [UpstreamOrigin] = []

  package init() {}

  /// Tells whether an origin may be asked.
  func allows(_ origin: UpstreamOrigin) -> Bool { origins.isEmpty || origins.contains(origin) }
}
