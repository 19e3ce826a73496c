package import MockServerSockets

/// The authority of this machine, kept so that clients are told to trust it once.
extension LocalAuthority {
  /// Key and certificate of the authority: whoever has it can pass for any server where the authority is trusted.
  private static let authorityFile = "authority.pem"
  /// The certificate of the authority, for clients.
  private static let trustedFile = "ca.pem"
  /// Key and certificate of the server.
  private static let serverFile = "server.pem"
  /// Key and certificate of a client, for servers that ask for one.
  private static let clientFile = "client.pem"

  /// Returns the authority of a folder, made when first asked for, and the file that clients are to trust.
  package static func kept(in folder: String) throws(SecurityError) -> (authority: LocalAuthority, trusted: String) {
    let folder = try PrivateFolder(folder)
    let authority = try kept(in: folder)
    if try folder.read(trustedFile) != authority.text {
      try folder.write(authority.text, to: trustedFile, isSecret: false, replaces: true)
    }
    return (authority, folder.path(of: trustedFile))
  }

  private static func kept(in folder: PrivateFolder) throws(SecurityError) -> LocalAuthority {
    let old = try read(folder)
    if let old, old.isValid { return old }
    let new = try LocalAuthority(name: "mockserver on \(Platform.machineName())")
    // Of two servers that start for the first time together, both take what the faster one has made.
    try folder.write(new.secretText, to: authorityFile, isSecret: true, replaces: old != nil)
    return try read(folder) ?? new
  }

  private static func read(_ folder: PrivateFolder) throws(SecurityError) -> LocalAuthority? {
    guard let text = try folder.read(authorityFile) else { return nil }
    guard let authority = try read(text, serverText: try folder.read(serverFile)) else {
      throw SecurityError(
        "\(folder.path(of: authorityFile)) holds no key with its certificate; move it away, and a new one is made "
          + "that clients are to trust instead")
    }
    return authority
  }

  /// Returns the certificate for some hosts: the last one, unless the hosts are others or its end has come near.
  ///
  /// Clients need one of an authority in the file, if one is named.
  package func keptCertificate(
    for hosts: [String], in folder: String, clientAuthorities: String?
  ) throws(SecurityError) -> TLSContext {
    let folder = try PrivateFolder(folder)
    let (context, secretText) = try certificate(
      for: hosts, kept: try folder.read(Self.serverFile), clientAuthorities: clientAuthorities)
    if let secretText { try folder.write(secretText, to: Self.serverFile, isSecret: true, replaces: true) }
    return context
  }

  /// Returns the file of a certificate, and its key, for a client that is asked for one.
  package func keptClient(in folder: String) throws(SecurityError) -> String {
    let folder = try PrivateFolder(folder)
    if let secretText = try clientCertificate(named: "a client", kept: try folder.read(Self.clientFile)) {
      try folder.write(secretText, to: Self.clientFile, isSecret: true, replaces: true)
    }
    return folder.path(of: Self.clientFile)
  }
}
