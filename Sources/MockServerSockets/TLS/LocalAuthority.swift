internal import CassetteSystem

/// A certificate authority of this machine.
///
/// Clients that trust it accept the certificates that it signs.
///
/// `@unchecked Sendable`: the OpenSSL objects do not change after they are created.
package final class LocalAuthority: @unchecked Sendable {
  /// The number of days for which server certificates are valid.
  ///
  /// Clients reject certificates valid for more than 398 days.
  static let serverDays = 397
  /// The number of days for which an authority is valid, long enough to be trusted only once.
  static let authorityDays = 3_650
  /// The number of days before its expiry at which a certificate is replaced.
  static let spareDays = 7
  /// The maximum number of certificates in the cache.
  private static let kept = 256

  private let library: OpenSSLCertificates
  private let certificate: OpenSSLCertificates.Object
  private let key: OpenSSLCertificates.Object
  /// The key of all server certificates.
  ///
  /// Creating a key is the slowest step, and clients need to pin only one key.
  private let serverKey: OpenSSLCertificates.Object
  private let contexts = Locked<[String: TLSContext]>([:])

  /// The key and certificate in PEM, which must be kept secret.
  let secretText: [UInt8]
  /// The certificate in PEM, for clients to trust.
  let text: [UInt8]

  /// Creates an authority with a new key.
  ///
  /// - Parameter name: The name that lists of trusted authorities display.
  /// - Throws: The OpenSSL error.
  convenience init(name: String) throws(SecurityError) { try self.init(name: name, days: Self.authorityDays) }

  convenience init(name: String, days: Int) throws(SecurityError) {
    let library = try OpenSSLCertificates.shared.get()
    let key = try library.makeKey()
    let wish = OpenSSLCertificates.Wish(
      name: name, days: days,
      extensions: [
        // The authority may sign certificates of servers and clients, but no further authorities.
        (OpenSSLCertificates.Code.basicConstraints, "critical,CA:TRUE,pathlen:0"),
        (OpenSSLCertificates.Code.keyUsage, "critical,keyCertSign,cRLSign"),
        (OpenSSLCertificates.Code.subjectKeyIdentifier, "hash"),
      ])
    do throws(SecurityError) {
      try self.init(library, try library.makeCertificate(wish, of: key, by: nil, key), key, serverKey: nil)
    } catch {
      library.keyFree(key)
      throw error
    }
  }

  /// Parses a kept authority and the key of its server certificate; nil if `secretText` has no key with its
  /// certificate.
  static func read(_ secretText: [UInt8], serverText: [UInt8]? = nil) throws(SecurityError) -> LocalAuthority? {
    let library = try OpenSSLCertificates.shared.get()
    guard let (certificate, key) = library.read(secretText) else { return nil }
    let server = serverText.flatMap { library.read($0) }
    library.free(server?.certificate)
    return try LocalAuthority(library, certificate, key, serverKey: server?.key)
  }

  /// Takes ownership of the certificate and keys.
  ///
  /// Creates the server key if it is nil.
  private init(
    _ library: OpenSSLCertificates, _ certificate: OpenSSLCertificates.Object, _ key: OpenSSLCertificates.Object,
    serverKey: OpenSSLCertificates.Object?
  ) throws(SecurityError) {
    self.library = library
    self.serverKey = if let serverKey { serverKey } else { try library.makeKey() }
    text = try library.text(of: certificate, and: nil)
    secretText = try library.text(of: certificate, and: key)
    self.certificate = certificate
    self.key = key
  }

  deinit {
    library.free(certificate)
    library.keyFree(key)
    library.keyFree(serverKey)
  }

  /// True if the authority does not expire within the next `spareDays` days.
  var isValid: Bool { library.isValid(certificate, afterDays: Self.spareDays) }

  /// Returns the context for connections of clients to a host.
  ///
  /// Each host's certificate is created once and cached.
  package func certificate(for host: String) throws(SecurityError) -> TLSContext {
    let host = host.lowercased()
    if let context = contexts.withLock({ $0[host] }) { return context }
    let made = try makeCertificate(for: [host], of: serverKey)
    defer { library.free(made) }
    let context = try TLSContext(certificate: made, key: serverKey)
    contexts.withLock { contexts in
      // The cache is limited to bound memory. Certificates removed from it are created again.
      if contexts.count >= Self.kept { contexts = [:] }
      contexts[host] = context
    }
    return context
  }

  /// Returns a new key and certificate for a client in PEM; nil if the kept certificate is still valid.
  func clientCertificate(named name: String, kept: [UInt8]?) throws(SecurityError) -> [UInt8]? {
    if try withGood(kept, { _ in true }) != nil { return nil }
    let key = try library.makeKey()
    defer { library.keyFree(key) }
    let wish = OpenSSLCertificates.Wish(
      name: name, days: Self.serverDays,
      extensions: Self.leaf + [(OpenSSLCertificates.Code.extendedKeyUsage, "clientAuth")])
    let made = try library.makeCertificate(wish, of: key, by: certificate, self.key)
    defer { library.free(made) }
    return try library.text(of: made, and: key)
  }

  /// Calls a closure with the kept certificate if this authority has signed it and it does not expire soon.
  private func withGood<Result>(
    _ kept: [UInt8]?, _ use: (OpenSSLCertificates.Object) throws(SecurityError) -> Result?
  ) throws(SecurityError) -> Result? {
    guard let old = kept.flatMap({ library.read($0) }) else { return nil }
    defer {
      library.free(old.certificate)
      library.keyFree(old.key)
    }
    guard library.isValid(old.certificate, afterDays: Self.spareDays), library.verify(old.certificate, key) == 1 else {
      return nil
    }
    return try use(old.certificate)
  }

  /// The extensions of all server and client certificates.
  private static let leaf = [
    (OpenSSLCertificates.Code.basicConstraints, "critical,CA:FALSE"),
    (OpenSSLCertificates.Code.keyUsage, "critical,digitalSignature"),
    (OpenSSLCertificates.Code.subjectKeyIdentifier, "hash"),
    (OpenSSLCertificates.Code.authorityKeyIdentifier, "keyid:always"),
  ]

  private func makeCertificate(
    for hosts: [String], of key: OpenSSLCertificates.Object
  ) throws(SecurityError) -> OpenSSLCertificates.Object {
    var names: [String] = []
    for host in hosts {
      guard let name = HostName.alternativeName(host) else {
        throw SecurityError("\(host) is not a valid name for a certificate")
      }
      names.append(name)
    }
    let wish = OpenSSLCertificates.Wish(
      name: hosts.first ?? "a server", days: Self.serverDays,
      extensions: Self.leaf + [
        (OpenSSLCertificates.Code.extendedKeyUsage, "serverAuth"),
        (OpenSSLCertificates.Code.alternativeNames, names.joined(separator: ",")),
      ])
    return try library.makeCertificate(wish, of: key, by: certificate, self.key)
  }

  /// Returns true if a certificate can be created for a host name or an address.
  static func canName(_ host: String) -> Bool { HostName.alternativeName(host) != nil }

  // MARK: Kept certificates

  /// Returns a context with a certificate for some hosts.
  ///
  /// It creates further certificates for other requested names.
  ///
  /// - Parameters:
  ///   - hosts: The host names and addresses in the certificate.
  ///   - kept: The kept key and certificate in PEM; nil if there are none.
  ///   - clientAuthorities: The file with the authorities of accepted client certificates; nil to accept all clients.
  /// - Returns: The context, and the PEM to keep; the latter is nil if the kept certificate is still valid.
  /// - Throws: The OpenSSL error.
  func certificate(
    for hosts: [String], kept: [UInt8]?, clientAuthorities: String?
  ) throws(SecurityError) -> (context: TLSContext, secretText: [UInt8]?) {
    // Clients may request other hosts, for example through a hosts file or curl's `--connect-to`.
    let find: @Sendable (String) -> TLSContext? = { host in
      hosts.contains(host.lowercased()) ? nil : try? self.certificate(for: host)
    }
    let old = try withGood(kept) { certificate throws(SecurityError) -> TLSContext? in
      guard library.hasKey(certificate, serverKey) == 1, hosts.allSatisfy({ library.isFor($0, certificate) }) else {
        return nil
      }
      return try TLSContext(
        certificate: certificate, key: serverKey, clientAuthorities: clientAuthorities, naming: find)
    }
    if let old { return (old, nil) }
    let made = try makeCertificate(for: hosts, of: serverKey)
    defer { library.free(made) }
    let context = try TLSContext(
      certificate: made, key: serverKey, clientAuthorities: clientAuthorities, naming: find)
    return (context, try library.text(of: made, and: serverKey))
  }
}
