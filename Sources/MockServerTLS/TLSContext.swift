package import MockServerSockets

/// The settings that connections over TLS share: whom they trust, and who they are.
///
/// `@unchecked Sendable`: OpenSSL counts a context's users itself, and it is not changed once it is made.
package final class TLSContext: @unchecked Sendable {
  /// A certificate with its chain, and its key: two files of PEM.
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
  /// True if the other side's certificate is looked at.
  let verifies: Bool
  private let names: Names?

  /// Creates a context for connections to servers, which trusts the system's authorities or those in a file.
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

  /// Creates a context for connections of clients, who need a certificate of an authority in the file, if one is named.
  package convenience init(serving identity: Identity, clientAuthorities: String? = nil) throws(SecurityError) {
    try self.init(clientAuthorities: clientAuthorities, names: nil) { context throws(SecurityError) in
      try context.be(identity)
    }
  }

  /// Creates a context for connections of clients, with a certificate that was made here.
  ///
  /// It serves clients for whose server `find` returns no other.
  convenience init(
    certificate: OpenSSL.Object, key: OpenSSL.Object, clientAuthorities: String? = nil,
    naming find: (@Sendable (String) -> TLSContext?)? = nil
  ) throws(SecurityError) {
    try self.init(clientAuthorities: clientAuthorities, names: find.map(Names.init)) { context throws(SecurityError) in
      let (library, pointer) = (context.library, context.pointer)
      guard library.contextUseCertificate(pointer, certificate) == 1, library.contextUseKey(pointer, key) == 1 else {
        throw SecurityError("OpenSSL takes no certificate: \(library.reason() ?? "it does not say why")")
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
      // It lives as long as the context, and OpenSSL's connections no longer than their channels, which keep that.
      let owner = Unmanaged.passUnretained(names).toOpaque()
      _ = library.contextControl(pointer, OpenSSL.Code.setNameCallbackOwner, 0, owner)
    }
    _ = library.contextControl(pointer, OpenSSL.Code.setMode, OpenSSL.Code.releaseBuffers, nil)
    _ = library.contextOptions(pointer, OpenSSL.Code.noRenegotiation | OpenSSL.Code.endsWithoutGoodbye)
    library.contextChooseProtocol(pointer, chooseProtocol, nil)
    // Without it no client that gave a certificate could come back to its session.
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
      throw SecurityError("OpenSSL makes no context: \(library.reason() ?? "it does not say why")")
    }
    _ = library.contextControl(pointer, OpenSSL.Code.setMode, OpenSSL.Code.partialMovingWrites, nil)
    _ = library.contextControl(pointer, OpenSSL.Code.setLeastVersion, OpenSSL.Code.version12, nil)
    // OpenSSL would ask on the terminal, and wait.
    library.contextPassword(pointer) { _, _, _, _ in -1 }
    return (library, pointer)
  }

  private func trust(_ file: String) throws(SecurityError) {
    try read(file)
    guard library.contextAuthorities(pointer, file, nil) == 1 else {
      throw SecurityError("\(file) holds no certificate in PEM: \(library.reason() ?? "it cannot be read")")
    }
  }

  private func be(_ identity: Identity) throws(SecurityError) {
    let (certificate, key) = (identity.certificate, identity.key)
    try read(certificate)
    guard library.contextCertificate(pointer, certificate) == 1 else {
      throw SecurityError("\(certificate) holds no certificate in PEM: \(library.reason() ?? "it cannot be read")")
    }
    try read(key)
    guard library.contextKey(pointer, key, OpenSSL.Code.filePEM) == 1, library.contextCheckKey(pointer) == 1 else {
      let reason = library.reason() ?? "it cannot be read"
      if reason.contains("mismatch") { throw SecurityError("\(key) is not the private key of \(certificate)") }
      if reason.contains("password") {
        throw SecurityError("\(key) is encrypted; write it in the clear: openssl pkey -in \(key) -out plain.key")
      }
      throw SecurityError("\(key) holds no private key of \(certificate): \(reason)")
    }
  }

  /// The maximum size of a file of certificates or keys, in bytes; the system's certificate authorities have 220 KB.
  private static let mostBytes = 16 << 20

  private func read(_ file: String) throws(SecurityError) {
    if let reason = Platform.reasonNotToRead(file, mostBytes: Self.mostBytes) {
      throw SecurityError("\(file) cannot be read: \(reason)")
    }
  }

  /// The pin for clients: the digest of the certificate's public key, as `sha256//` and base64 (RFC 7469 §2.4).
  package var pin: String? {
    guard let certificate = library.contextOwnCertificate(pointer) else { return nil }
    return (try? OpenSSLCertificates.shared.get())?.pin(of: certificate)
  }

  /// Begins TLS on a connected socket with a server of a name, or an address, in brackets or not.
  package func connect(_ descriptor: Int32, to host: String) throws(SecurityError) -> any SecureChannel {
    try TLSChannel(self, descriptor, to: host)
  }

  /// Expects TLS on a socket that was accepted.
  package func accept(_ descriptor: Int32) throws(SecurityError) -> any AcceptedChannel {
    try TLSChannel(self, accepting: descriptor)
  }
}

/// Finds who to be for a server's name.
private final class Names: Sendable {
  let find: @Sendable (String) -> TLSContext?

  init(_ find: @escaping @Sendable (String) -> TLSContext?) { self.find = find }
}

/// Becomes the server that the client has named (RFC 6066 §3).
private let chooseName: OpenSSL.NameCallback = { connection, _, owner in
  guard let owner, let library = try? OpenSSL.shared.get(),
    let name = library.serverName(connection, OpenSSL.Code.nameOfHost),
    let context = Unmanaged<Names>.fromOpaque(owner).takeUnretainedValue().find(String(cString: name))
  else { return OpenSSL.Code.protocolNotSpoken }
  // OpenSSL counts the context's users: the connection keeps it.
  _ = library.setContext(connection, context.pointer)
  return OpenSSL.Code.protocolChosen
}

/// Takes HTTP/1.1 where the client speaks it, and lets no other protocol begin (RFC 7301 §3.2).
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
