/// The settings shared by TLS connections: the trusted authorities, the certificate and its key.
///
/// `@unchecked Sendable`: OpenSSL's reference count is thread-safe, and the context does not change after its creation.
package final class TLSContext: @unchecked Sendable {
  /// The paths of two PEM files: a certificate with its chain, and its key.
  package struct Identity: Hashable, Sendable {
    let certificate: String
    let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  let library: OpenSSL
  let pointer: OpenSSL.Object
  /// True if the certificate of the peer is verified.
  let verifies: Bool
  private let names: Names?

  /// Creates a context for connections to servers.
  ///
  /// - Parameters:
  ///   - authorities: The file with the trusted authorities; nil (the default) for those of the system.
  ///   - identity: The certificate and key of the client; nil (the default) to send none.
  ///   - isInsecure: True to accept any server certificate. The default is false.
  /// - Throws: The reason why a file could not be loaded.
  package init(
    trusting authorities: String? = nil, identity: Identity? = nil, isInsecure: Bool = false
  ) throws(SecurityError) {
    (library, pointer) = try Self.make { $0.clientMethod() }
    verifies = !isInsecure
    names = nil
    library.contextVerify(pointer, isInsecure ? OpenSSL.Code.verifyNone : OpenSSL.Code.verifyPeer, nil)
    if let authorities {
      try trust(authorities)
    } else {
      _ = library.contextDefaultAuthorities(pointer)
    }
    if let identity { try be(identity) }
    let protocols = [8] + Array("http/1.1".utf8)
    _ = library.contextProtocols(pointer, protocols, UInt32(protocols.count))
  }

  /// Creates a context for connections of clients.
  ///
  /// - Parameters:
  ///   - identity: The certificate and key of the server.
  ///   - clientAuthorities: The file with the authorities of accepted client certificates; nil (the default) to accept
  ///     all clients.
  /// - Throws: The reason why a file could not be loaded.
  convenience init(serving identity: Identity, clientAuthorities: String? = nil) throws(SecurityError) {
    try self.init(clientAuthorities: clientAuthorities, names: nil) { context throws(SecurityError) in
      try context.be(identity)
    }
  }

  /// Creates a context for connections of clients, with a generated certificate.
  ///
  /// - Parameters:
  ///   - certificate: The certificate of the server.
  ///   - key: The key of the certificate.
  ///   - clientAuthorities: The file with the authorities of accepted client certificates; nil (the default) to accept
  ///     all clients.
  ///   - find: A function that returns the context for a requested server name; nil to use this context.
  /// - Throws: The reason why the certificate or a file could not be loaded.
  convenience init(
    certificate: OpenSSL.Object, key: OpenSSL.Object, clientAuthorities: String? = nil,
    naming find: (@Sendable (String) -> TLSContext?)? = nil
  ) throws(SecurityError) {
    try self.init(clientAuthorities: clientAuthorities, names: find.map(Names.init)) { context throws(SecurityError) in
      let (library, pointer) = (context.library, context.pointer)
      guard library.contextUseCertificate(pointer, certificate) == 1, library.contextUseKey(pointer, key) == 1 else {
        throw SecurityError("OpenSSL does not accept the certificate: \(library.reason() ?? "unknown reason")")
      }
    }
  }

  private init(
    clientAuthorities: String?, names: Names?, identify: (TLSContext) throws(SecurityError) -> Void
  ) throws(SecurityError) {
    (library, pointer) = try Self.make { $0.serverMethod() }
    verifies = clientAuthorities != nil
    self.names = names
    if let names {
      _ = library.contextNameCallback(pointer, OpenSSL.Code.setNameCallback, chooseName)
      // The object lives as long as the context. Each connection's channel retains the context.
      let owner = Unmanaged.passUnretained(names).toOpaque()
      _ = library.contextControl(pointer, OpenSSL.Code.setNameCallbackOwner, 0, owner)
    }
    _ = library.contextControl(pointer, OpenSSL.Code.setMode, OpenSSL.Code.releaseBuffers, nil)
    _ = library.contextOptions(pointer, OpenSSL.Code.noRenegotiation | OpenSSL.Code.endsWithoutGoodbye)
    library.contextChooseProtocol(pointer, chooseProtocol, nil)
    // OpenSSL resumes sessions of clients with certificates only if a session ID context is set.
    let sessions = Array("mockserver".utf8)
    _ = library.contextSessions(pointer, sessions, UInt32(sessions.count))
    if let clientAuthorities {
      try trust(clientAuthorities)
      library.contextSetClientAuthorities(pointer, library.contextClientAuthorities(clientAuthorities))
      library.contextVerify(pointer, OpenSSL.Code.verifyPeer | OpenSSL.Code.failIfNoPeerCertificate, nil)
    }
    try identify(self)
  }

  deinit { library.contextFree(pointer) }

  private static func make(
    _ method: (OpenSSL) -> OpenSSL.Object?
  ) throws(SecurityError) -> (OpenSSL, OpenSSL.Object) {
    let library = try OpenSSL.shared.get()
    guard let pointer = library.contextNew(method(library)) else {
      throw SecurityError("OpenSSL could not create a context: \(library.reason() ?? "unknown reason")")
    }
    _ = library.contextControl(pointer, OpenSSL.Code.setMode, OpenSSL.Code.partialMovingWrites, nil)
    _ = library.contextControl(pointer, OpenSSL.Code.setLeastVersion, OpenSSL.Code.version12, nil)
    // By default OpenSSL would prompt on the terminal, and block.
    library.contextPassword(pointer) { _, _, _, _ in -1 }
    return (library, pointer)
  }

  private func trust(_ file: String) throws(SecurityError) {
    try read(file)
    guard library.contextAuthorities(pointer, file, nil) == 1 else {
      throw SecurityError("\(file) does not contain a PEM certificate: \(library.reason() ?? "it cannot be read")")
    }
  }

  private func be(_ identity: Identity) throws(SecurityError) {
    let (certificate, key) = (identity.certificate, identity.key)
    try read(certificate)
    guard library.contextCertificate(pointer, certificate) == 1 else {
      throw SecurityError(
        "\(certificate) does not contain a PEM certificate: \(library.reason() ?? "it cannot be read")")
    }
    try read(key)
    guard library.contextKey(pointer, key, OpenSSL.Code.filePEM) == 1, library.contextCheckKey(pointer) == 1 else {
      let reason = library.reason() ?? "it cannot be read"
      if reason.contains("mismatch") { throw SecurityError("\(key) is not the private key of \(certificate)") }
      if reason.contains("password") {
        throw SecurityError("\(key) is encrypted; decrypt it: openssl pkey -in \(key) -out plain.key")
      }
      throw SecurityError("\(key) does not contain the private key of \(certificate): \(reason)")
    }
  }

  /// The maximum size of a certificate or key file in bytes.
  ///
  /// The system's certificate authorities take 220 KB.
  private static let mostBytes = 16 << 20

  private func read(_ file: String) throws(SecurityError) {
    if let reason = Platform.reasonNotToRead(file, mostBytes: Self.mostBytes) {
      throw SecurityError("\(file) cannot be read: \(reason)")
    }
  }

  /// The digest of the certificate's public key, for clients that pin it: `sha256//` and base64 (RFC 7469 §2.4).
  var pin: String? {
    guard let certificate = library.contextOwnCertificate(pointer) else { return nil }
    return (try? OpenSSLCertificates.shared.get())?.pin(of: certificate)
  }

  /// Starts TLS with a server on a connected socket.
  ///
  /// - Parameters:
  ///   - descriptor: The connected socket.
  ///   - host: The expected host name or address of the server, with or without brackets.
  /// - Returns: The channel, whose handshake has not started.
  /// - Throws: The reason why the channel could not be created.
  package func connect(_ descriptor: Int32, to host: String) throws(SecurityError) -> any SecureChannel {
    try TLSChannel(self, descriptor, to: host)
  }

  /// Starts TLS with a client on an accepted socket.
  package func accept(_ descriptor: Int32) throws(SecurityError) -> any AcceptedChannel {
    try TLSChannel(self, accepting: descriptor)
  }
}

/// A function that finds the context for a server name, as an object for OpenSSL's callback.
private final class Names: Sendable {
  let find: @Sendable (String) -> TLSContext?

  init(_ find: @escaping @Sendable (String) -> TLSContext?) { self.find = find }
}

/// Switches the connection to the context for the requested server name (RFC 6066 §3).
private let chooseName: OpenSSL.NameCallback = { connection, _, owner in
  guard let owner, let library = try? OpenSSL.shared.get(),
    let name = library.serverName(connection, OpenSSL.Code.nameOfHost),
    let context = Unmanaged<Names>.fromOpaque(owner).takeUnretainedValue().find(String(cString: name))
  else { return OpenSSL.Code.protocolNotSpoken }
  // OpenSSL counts the references to a context, so the connection keeps it alive.
  _ = library.setContext(connection, context.pointer)
  return OpenSSL.Code.protocolChosen
}

/// Selects HTTP/1.1 or HTTP/1.0 if the client offers it, and otherwise rejects the handshake (RFC 7301 §3.2).
private let chooseProtocol: OpenSSL.ProtocolChoice = { _, choice, choiceLength, list, length, _ in
  guard let list else { return OpenSSL.Code.protocolNotSpoken }
  let offered = UnsafeBufferPointer(start: list, count: Int(length))
  for wanted in ["http/1.1", "http/1.0"] {
    var start = 0
    while start < offered.count {
      let end = start + 1 + Int(offered[start])
      guard end <= offered.count else { return OpenSSL.Code.noProtocol }
      if offered[(start + 1)..<end].elementsEqual(wanted.utf8) {
        choice?.pointee = list + start + 1
        choiceLength?.pointee = offered[start]
        return OpenSSL.Code.protocolChosen
      }
      start = end
    }
  }
  return OpenSSL.Code.noProtocol
}
