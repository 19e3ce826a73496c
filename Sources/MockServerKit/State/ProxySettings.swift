package import MockServerSockets
package import MockServerUpstream

/// The settings of a forward proxy, whose clients name the origin of each request (RFC 9112 §3.2.2).
package struct ProxySettings: Sendable {
  /// The authority that issues certificates, so that https requests can be recorded and played; nil disables https.
  package var authority: LocalAuthority?
  /// The certificate file of the authority, which clients have to trust.
  package var trusted: String?
  /// The reason for the missing authority, for clients that request a tunnel.
  package var lack = "this proxy has no certificates"
  /// The permitted origins; empty for all.
  package var origins: [UpstreamOrigin] = []

  package init() {}

  /// Returns true if requests to an origin are permitted.
  func allows(_ origin: UpstreamOrigin) -> Bool { origins.isEmpty || origins.contains(origin) }
}
