/// The certificate authority in a folder, which is kept so that clients need to trust it only once.
extension LocalAuthority {
  /// The key and certificate of the authority.
  ///
  /// Its owner can impersonate any server to clients that trust the authority.
  private static let authorityFile = "authority.pem"
  /// The certificate of the authority, for clients to trust.
  private static let trustedFile = "ca.pem"
  /// The key and certificate of the server.
  private static let serverFile = "server.pem"
  /// The key and certificate of a client, for servers that require client certificates.
  private static let clientFile = "client.pem"

  /// Returns the authority of a folder, and the file with its certificate.
  ///
  /// Creates both if they do not exist.
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
    // If two servers start for the first time at once, both use the authority that was written first.
    try folder.write(new.secretText, to: authorityFile, isSecret: true, replaces: old != nil)
    return try read(folder) ?? new
  }

  private static func read(_ folder: PrivateFolder) throws(SecurityError) -> LocalAuthority? {
    guard let text = try folder.read(authorityFile, isSecret: true) else { return nil }
    guard let authority = try read(text, serverText: try folder.read(serverFile, isSecret: true)) else {
      throw SecurityError(
        "\(folder.path(of: authorityFile)) has no key for its certificate; move it away to create a new authority, "
          + "which clients must trust instead")
    }
    return authority
  }

  /// Returns the certificate for some hosts, which is kept until the hosts change or it is about to expire.
  ///
  /// - Parameters:
  ///   - hosts: The host names and addresses in the certificate.
  ///   - folder: The folder of the authority.
  ///   - clientAuthorities: The file with the authorities of accepted client certificates; nil to accept all clients.
  /// - Returns: The context for connections of clients.
  /// - Throws: The reason why the certificate could not be read, created or written.
  func keptCertificate(
    for hosts: [String], in folder: String, clientAuthorities: String?
  ) throws(SecurityError) -> TLSContext {
    let folder = try PrivateFolder(folder)
    let (context, secretText) = try certificate(
      for: hosts, kept: try folder.read(Self.serverFile, isSecret: true), clientAuthorities: clientAuthorities)
    if let secretText { try folder.write(secretText, to: Self.serverFile, isSecret: true, replaces: true) }
    return context
  }

  /// Returns the path of a file with a key and certificate for clients, which is created if necessary.
  func keptClient(in folder: String) throws(SecurityError) -> String {
    let folder = try PrivateFolder(folder)
    if let secretText = try clientCertificate(named: "a client", kept: try folder.read(Self.clientFile, isSecret: true))
    {
      try folder.write(secretText, to: Self.clientFile, isSecret: true, replaces: true)
    }
    return folder.path(of: Self.clientFile)
  }
}
