package import MockServerSockets

/// The identity of a server for clients that speak TLS, and the clients it lets in.
package struct ServingSecurity: Sendable {
  /// The context to accept connections with.
  package let context: TLSContext
  /// The file of the authority that clients are to trust; nil where the certificate is another authority's.
  package let trusted: String?
  /// A file with a certificate and a key for clients that are asked for one; nil where none was made here.
  package let client: String?

  /// The pin for clients: the digest of the certificate's public key.
  package var pin: String? { context.pin }

  /// Creates the identity of a given certificate; clients need one of an authority in the file, if one is named.
  package init(_ identity: TLSContext.Identity, clientAuthorities: String? = nil) throws(SecurityError) {
    context = try TLSContext(serving: identity, clientAuthorities: clientAuthorities)
    trusted = nil
    client = nil
  }

  /// The clients that are let in by a server whose certificate is made here.
  package enum Clients: Sendable {
    case all
    /// Those with a certificate of an authority in this file.
    case known(String)
    /// Those with the certificate that is made here.
    case own
  }

  /// Creates the identity of this machine's own authority, for `localhost` and the other names of the server.
  ///
  /// It is kept in the folder, so that it is trusted, and pinned, once.
  package init(
    selfSignedFor host: String, keptIn folder: String, clients: Clients = .all
  ) throws(SecurityError) {
    let (authority, trusted) = try LocalAuthority.kept(in: folder)
    let clientAuthorities: String?
    switch clients {
    case .all: (clientAuthorities, client) = (nil, nil)
    case .known(let file): (clientAuthorities, client) = (file, nil)
    case .own: (clientAuthorities, client) = (trusted, try authority.keptClient(in: folder))
    }
    context = try authority.keptCertificate(
      for: Self.hosts(host), in: folder, clientAuthorities: clientAuthorities)
    self.trusted = trusted
  }

  /// Returns the hosts that a certificate has to name: this machine to itself, and to others where they reach it.
  static func hosts(_ host: String) -> [String] {
    var hosts = ["localhost", "127.0.0.1", "::1"]
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if hosts.contains(bare) { return hosts }
    let isAnywhere = bare == "0.0.0.0" || bare == "::"
    let others = isAnywhere ? [Platform.machineName()] : [bare, Platform.machineName()]
    hosts += others.filter(LocalAuthority.canName)
    return hosts
  }
}
