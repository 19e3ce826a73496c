internal import CassetteSystem
package import MockServerSockets

/// An authority of this machine alone: who trusts it trusts the certificates that it makes.
///
/// `@unchecked Sendable`: OpenSSL's objects are not changed once they are made.
package final class LocalAuthority: @unchecked Sendable {
  /// The number of days that certificates of servers are valid: clients refuse more than 398.
  static let serverDays = 397
  /// The number of days that an authority is valid, so that it is to be trusted once.
  static let authorityDays = 3_650
  /// The number of days before its end from which on a certificate is made anew.
  static let spareDays = 7
  /// The number of hosts' certificates that are kept.
  private static let kept = 256

  private let library: OpenSSLCertificates
  private let certificate: OpenSSLCertificates.Object
  private let key: OpenSSLCertificates.Object
  /// The one key of all the servers: making keys takes longest, and who pins it need do so once.
  private let serverKey: OpenSSLCertificates.Object
  private let contexts = Locked<[String: TLSContext]>([:])

  /// Key and certificate as PEM, to be kept from others.
  package let secretText: [UInt8]
  /// The certificate as PEM, to be trusted.
  package let text: [UInt8]

  /// Makes a new authority of a name that a list of trusted ones is to show.
  package convenience init(name: String) throws(SecurityError) { try self.init(name: name, days: Self.authorityDays) }

  convenience init(name: String, days: Int) throws(SecurityError) {
    let library = try OpenSSLCertificates.shared.get()
    let key = try library.makeKey()
    let wish = OpenSSLCertificates.Wish(
      name: name, days: days,
      extensions: [
        // It makes certificates of servers, and no authorities.
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

  /// Reads an authority that was kept, and the key of the server that it made; nil when it is none.
  package static func read(_ secretText: [UInt8], serverText: [UInt8]? = nil) throws(SecurityError) -> LocalAuthority? {
    let library = try OpenSSLCertificates.shared.get()
    guard let (certificate, key) = library.read(secretText) else { return nil }
    let server = serverText.flatMap { library.read($0) }
    library.free(server?.certificate)
    return try LocalAuthority(library, certificate, key, serverKey: server?.key)
  }

  /// Takes all over; a key for servers that is not there is made.
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

  /// True if the authority can still be used for a while.
  package var isValid: Bool { library.isValid(certificate, afterDays: Self.spareDays) }

  /// Returns the certificate for clients that ask for a host; it is made once for each.
  package func certificate(for host: String) throws(SecurityError) -> TLSContext {
    let host = host.lowercased()
    if let context = contexts.withLock({ $0[host] }) { return context }
    let made = try makeCertificate(for: [host], of: serverKey)
    defer { library.free(made) }
    let context = try TLSContext(certificate: made, key: serverKey)
    contexts.withLock { contexts in
      // A bound on memory: what is forgotten is made again.
      if contexts.count >= Self.kept { contexts = [:] }
      contexts[host] = context
    }
    return context
  }

  /// Returns certificate and key, as PEM, for a client that is asked for one; nil when those that are kept are good.
  package func clientCertificate(named name: String, kept: [UInt8]?) throws(SecurityError) -> [UInt8]? {
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

  /// Lends the certificate that was kept, if it is one of this authority's and can still be used for a while.
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

  /// The extensions in every certificate that is no authority's.
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
        throw SecurityError("\(host) is not a name a certificate can have")
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

  /// Tells whether a text is a name or an address that a certificate can be made for.
  package static func canName(_ host: String) -> Bool { HostName.alternativeName(host) != nil }

  // MARK: a certificate that is kept

  /// Returns a certificate for some hosts, and for any other that a client names.
  ///
  /// Beside it stands what to keep, nil when what is kept is good. Clients need one of an authority in the file, if one
  /// is
  /// named.
  package func certificate(
    for hosts: [String], kept: [UInt8]?, clientAuthorities: String?
  ) throws(SecurityError) -> (context: TLSContext, secretText: [UInt8]?) {
    // Clients may come for any other host, too: by a hosts file, or curl --connect-to.
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
