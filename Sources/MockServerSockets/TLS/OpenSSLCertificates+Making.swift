/// Functions that create and parse keys and certificates.
extension OpenSSLCertificates {
  /// Returns an error that describes a failed operation, with OpenSSL's reason if it reports one.
  private func failure(_ what: String) -> SecurityError {
    let reason = (try? OpenSSL.shared.get())?.reason()
    return SecurityError("OpenSSL \(what)\(reason.map { ": \($0)" } ?? "")")
  }

  /// Creates a key on the curve P-256.
  ///
  /// The caller must free it.
  func makeKey() throws(SecurityError) -> Object {
    let context = keyContextNew(Code.ellipticCurve, nil)
    defer { keyContextFree(context) }
    var key: Object?
    guard let context, keyBegin(context) > 0, keySet(context, "ec_paramgen_curve", "P-256") > 0,
      keyMake(context, &key) > 0, let key
    else { throw failure("could not create a key") }
    return key
  }

  /// The content of a certificate.
  struct Wish {
    let name: String
    let days: Int
    /// The extensions, which limit the use of the certificate, in the syntax of OpenSSL configuration files.
    let extensions: [(identifier: Int32, value: String)]
  }

  /// Creates a certificate for a key.
  ///
  /// - Parameters:
  ///   - wish: The content of the certificate.
  ///   - key: The key of the certificate.
  ///   - issuer: The certificate of the issuer; nil for a self-signed certificate.
  ///   - issuerKey: The key that signs the certificate.
  /// - Returns: The certificate, which the caller must free.
  /// - Throws: The OpenSSL error.
  func makeCertificate(
    _ wish: Wish, of key: Object, by issuer: Object?, _ issuerKey: Object
  ) throws(SecurityError) -> Object {
    guard let certificate = new() else { throw failure("could not create a certificate") }
    do throws(SecurityError) {
      try fill(certificate, wish, key, issuer ?? certificate)
      guard sign(certificate, issuerKey, sha256()) > 0 else { throw failure("could not sign a certificate") }
      return certificate
    } catch {
      free(certificate)
      throw error
    }
  }

  private func fill(
    _ certificate: Object, _ wish: Wish, _ key: Object, _ issuer: Object
  ) throws(SecurityError) {
    let now = Platform.wallNanoseconds() / 1_000_000_000
    let day = 86_400
    // Serial numbers are positive. Clients treat two certificates of an issuer with the same number as one
    // (RFC 5280 §4.1.2.2).
    let number = UInt64.random(in: 1...UInt64(Int64.max))
    // The common name is only for display, and has at most 64 characters. The validity starts a day ago, so that a
    // client whose clock is slow accepts the certificate.
    guard setVersion(certificate, Code.version3) == 1, setNumber(serialNumber(certificate), number) == 1,
      setTime(notBefore(certificate), now - day) != nil, setTime(notAfter(certificate), now + wish.days * day) != nil,
      setKey(certificate, key) == 1,
      addName(subject(certificate), "O", Code.utf8, "mockserver", -1, -1, 0) == 1,
      addName(subject(certificate), "CN", Code.utf8, String(wish.name.prefix(64)), -1, -1, 0) == 1,
      setIssuer(certificate, subject(issuer)) == 1
    else { throw failure("could not create a certificate for \(wish.name)") }
    try withUnsafeTemporaryAllocation(byteCount: Code.extensionContextSize, alignment: 16) {
      context throws(SecurityError) in
      context.initializeMemory(as: UInt8.self, repeating: 0)
      extensionContext(context.baseAddress, issuer, certificate, nil, nil, 0)
      for (identifier, value) in wish.extensions {
        let made = extensionNew(nil, context.baseAddress, identifier, value)
        defer { extensionFree(made) }
        guard made != nil, addExtension(certificate, made, -1) == 1 else {
          throw failure("could not create a certificate with \(value)")
        }
      }
    }
  }

  // MARK: PEM

  /// Encodes a key and a certificate in PEM, the key first.
  func text(of certificate: Object?, and key: Object?) throws(SecurityError) -> [UInt8] {
    let buffer = bufferNew(memoryMethod())
    defer { _ = bufferFree(buffer) }
    guard buffer != nil, key == nil || writeKey(buffer, key, nil, nil, 0, nil, nil) == 1,
      certificate == nil || writeCertificate(buffer, certificate) == 1
    else { throw failure("could not write PEM") }
    var text = [UInt8](repeating: 0, count: 16 << 10)
    let count = text.withUnsafeMutableBytes { bufferRead(buffer, $0.baseAddress, Int32(clamping: $0.count)) }
    guard count > 0 else { throw failure("could not write PEM") }
    return Array(text.prefix(Int(count)))
  }

  /// Parses a key and a certificate in PEM; nil if one is missing or they do not match.
  ///
  /// The caller must free them.
  func read(_ text: [UInt8]) -> (certificate: Object, key: Object)? {
    defer { _ = (try? OpenSSL.shared.get())?.reason() }
    func read(_ take: (Object?) -> Object?) -> Object? {
      text.withUnsafeBytes { bytes in
        let buffer = bufferOf(bytes.baseAddress, Int32(clamping: bytes.count))
        defer { _ = bufferFree(buffer) }
        return take(buffer)
      }
    }
    // With an empty password OpenSSL does not prompt for one.
    var password: UInt8 = 0
    let key = withUnsafeMutablePointer(to: &password) { password in read { readKey($0, nil, nil, password) } }
    let certificate = read { readCertificate($0, nil, nil, nil) }
    guard let key, let certificate, hasKey(certificate, key) == 1 else {
      keyFree(key)
      free(certificate)
      return nil
    }
    return (certificate, key)
  }

  // MARK: Properties of certificates

  /// Returns true if a certificate is still valid after a number of days.
  func isValid(_ certificate: Object, afterDays days: Int) -> Bool {
    var time = Platform.wallNanoseconds() / 1_000_000_000 + days * 86_400
    return compareTime(notAfter(certificate), &time) > 0
  }

  /// Returns true if a certificate contains a host name or an address.
  func isFor(_ host: String, _ certificate: Object) -> Bool {
    if let address = HostName.address(host) { return checkAddress(certificate, address, 0) == 1 }
    return checkHost(certificate, host, 0, 0, nil) == 1
  }

  /// Returns the digest of a certificate's public key in the form in which clients pin it.
  func pin(of certificate: Object) -> String? {
    let length = keyPublicBytes(key(certificate), nil)
    guard length > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let written = bytes.withUnsafeMutableBufferPointer { bytes in
      // OpenSSL advances the pointer past the bytes that it wrote.
      var end = bytes.baseAddress
      return keyPublicBytes(key(certificate), &end)
    }
    guard written == length else { return nil }
    var digest = [UInt8](repeating: 0, count: 32)
    guard self.digest(bytes, bytes.count, &digest, nil, sha256(), nil) == 1 else { return nil }
    // 44 characters and a terminating zero.
    var text = [UInt8](repeating: 0, count: 45)
    let count = base64(&text, digest, 32)
    return "sha256//" + String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self)
  }
}

/// Conversions of hosts for certificates, which distinguish names and addresses.
enum HostName {
  /// Returns the address without brackets; nil for a host name.
  static func address(_ host: String) -> String? {
    guard host != "localhost" else { return nil }
    return (try? SocketAddress(host: host, port: 0))?.host
  }

  /// Returns an entry for the subject alternative names; nil if the text is not a host name (RFC 1123 §2.1).
  static func alternativeName(_ host: String) -> String? {
    if let address = address(host) { return "IP:\(address)" }
    let isName = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard isName, host.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return nil }
    return "DNS:\(host)"
  }
}
