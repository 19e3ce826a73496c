/// What connections over TLS have in common: whom they trust, and who they are.
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
  let verifies: Bool

  /// For connections to servers.
  ///
  /// - Parameters:
  ///   - authorities: A file of certificates to trust; nil for the system's.
  ///   - identity: Who to be, where a server asks.
  ///   - isInsecure: Whether certificates are not looked at.
  /// - Throws: What is missing, or wrong with a file.
  package init(
    trusting authorities: String? = nil, identity: Identity? = nil, isInsecure: Bool = false
  ) throws(SecurityError) {
    (library, pointer) = try Self.make { $0.clientMethod() }
    verifies = !isInsecure
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
    return (library, pointer)
  }

  private func trust(_ file: String) throws(SecurityError) {
    guard library.contextAuthorities(pointer, file, nil) == 1 else {
      throw SecurityError("\(file) holds no certificate in PEM: \(library.reason() ?? "it cannot be read")")
    }
  }

  private func be(_ identity: Identity) throws(SecurityError) {
    guard library.contextCertificate(pointer, identity.certificate) == 1 else {
      throw SecurityError(
        "\(identity.certificate) holds no certificate in PEM: \(library.reason() ?? "it cannot be read")")
    }
    guard library.contextKey(pointer, identity.key, OpenSSL.Code.filePEM) == 1,
      library.contextCheckKey(pointer) == 1
    else {
      throw SecurityError(
        "\(identity.key) holds no private key of \(identity.certificate): \(library.reason() ?? "it cannot be read")")
    }
  }

  /// Begins TLS on a connected socket.
  ///
  /// - Parameters:
  ///   - descriptor: The socket.
  ///   - host: Who the server must be: a name, or an address, in brackets or not.
  /// - Returns: The channel, its handshake to be gone on with.
  /// - Throws: When the library makes none.
  package func connect(_ descriptor: Int32, to host: String) throws(SecurityError) -> any SecureChannel {
    try TLSChannel(self, descriptor, to: host)
  }
}
