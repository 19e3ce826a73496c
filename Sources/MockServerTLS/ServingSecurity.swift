package import MockServerSockets

/// Who a server is for clients that speak TLS, and whom it lets in.
package struct ServingSecurity: Sendable {
  /// What connections are accepted with.
  package let context: TLSContext
  /// The file of the authority that clients are to trust; nil where somebody else's made the certificate.
  package let trusted: String?
  /// A file with a certificate and a key for clients that are asked for one; nil where none was made here.
  package let client: String?

  /// What clients pin: the digest of the certificate's public key.
  package var pin: String? { context.pin }

  /// A certificate that somebody made.
  ///
  /// - Parameters:
  ///   - identity: The certificate and its key.
  ///   - clientAuthorities: A file of certificates one of which must have made the client's; nil asks for none.
  /// - Throws: What is missing, or wrong with a file.
  package init(_ identity: TLSContext.Identity, clientAuthorities: String? = nil) throws(SecurityError) {
    context = try TLSContext(serving: identity, clientAuthorities: clientAuthorities)
    trusted = nil
    client = nil
  }

  /// Who is let in by a server whose certificate is made here.
  package enum Clients: Sendable {
    case all
    /// Those with a certificate of an authority in this file.
    case known(String)
    /// Those with the certificate that is made here.
    case own
  }

  /// A certificate of this machine's own authority, for `localhost` and what else leads to the server.
  ///
  /// - Parameters:
  ///   - host: The address to be listened on.
  ///   - folder: Where the authority and the certificate are kept, so that they are trusted, and pinned, once.
  ///   - clients: Who is let in.
  /// - Throws: What is missing, or wrong with the folder.
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

  /// What a certificate has to name: this machine to itself, and to others where they reach it.
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
