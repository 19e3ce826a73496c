/// The certificate of a server, and the rule for client certificates.
package struct ServingSecurity: Sendable {
  /// The context for accepted connections.
  package let context: TLSContext
  /// The file of the authority for clients to trust; nil if the certificate was not created by mockserver.
  package let trusted: String?
  /// The file with a key and certificate for clients; nil if none was created.
  package let client: String?

  /// The digest of the certificate's public key, for clients that pin it.
  package var pin: String? { context.pin }

  /// Creates the settings for a given certificate.
  ///
  /// - Parameters:
  ///   - identity: The certificate and key of the server.
  ///   - clientAuthorities: The file with the authorities of accepted client certificates; nil (the default) to accept
  ///     all clients.
  /// - Throws: The reason why a file could not be loaded.
  package init(_ identity: TLSContext.Identity, clientAuthorities: String? = nil) throws(SecurityError) {
    context = try TLSContext(serving: identity, clientAuthorities: clientAuthorities)
    trusted = nil
    client = nil
  }

  /// The clients that a server with a generated certificate accepts.
  package enum Clients: Sendable {
    case all
    /// Clients with a certificate of an authority in this file.
    case known(String)
    /// Clients with the generated client certificate.
    case own
  }

  /// Creates a certificate for `localhost` and the other names of the server, signed by this machine's authority.
  ///
  /// - Parameters:
  ///   - host: The listening address of the server.
  ///   - folder: The folder in which the authority and the certificate are kept, so that clients trust or pin them only
  ///     once.
  ///   - clients: The accepted clients, all by default.
  /// - Throws: The reason why the certificate could not be created, read or written.
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

  /// Returns the hosts in the certificate: the loopback names, and the names by which other machines reach the server.
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
