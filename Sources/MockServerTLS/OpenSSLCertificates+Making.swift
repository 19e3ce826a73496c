internal import MockServerSockets

/// Keys and certificates, made and read.
extension OpenSSLCertificates {
  /// Says what came to nothing, with OpenSSL's own reason where it gives one.
  private func failure(_ what: String) -> SecurityError {
    let reason = (try? OpenSSL.shared.get())?.reason()
    return SecurityError("OpenSSL \(what)\(reason.map { ": \($0)" } ?? "")")
  }

  /// Makes a key on the curve P-256; the caller frees it.
  func makeKey() throws(SecurityError) -> Object {
    let context = keyContextNew(Code.ellipticCurve, nil)
    defer { keyContextFree(context) }
    var key: Object?
    guard let context, keyBegin(context) > 0, keySet(context, "ec_paramgen_curve", "P-256") > 0,
      keyMake(context, &key) > 0, let key
    else { throw failure("makes no key") }
    return key
  }

  /// The content of a certificate to make.
  struct Wish {
    let name: String
    let days: Int
    /// The extensions, which say what certificates may be used for, as OpenSSL's configuration files write them.
    let extensions: [(identifier: Int32, value: String)]
  }

  /// Makes a certificate for a key, signed by an issuer, or by itself; the caller frees it.
  func makeCertificate(
    _ wish: Wish, of key: Object, by issuer: Object?, _ issuerKey: Object
  ) throws(SecurityError) -> Object {
    guard let certificate = new() else { throw failure("makes no certificate") }
    do throws(SecurityError) {
      try fill(certificate, wish, key, issuer ?? certificate)
      guard sign(certificate, issuerKey, sha256()) > 0 else { throw failure("signs no certificate") }
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
    // Serial numbers are positive, and clients take two certificates of one number for one (RFC 5280 §4.1.2.2).
    let number = UInt64.random(in: 1...UInt64(Int64.max))
    // A common name is for people to read, and has 64 characters at most. A clock that is a little behind must not refuse a certificate of today.
    guard setVersion(certificate, Code.version3) == 1, setNumber(serialNumber(certificate), number) == 1,
      setTime(notBefore(certificate), now - day) != nil, setTime(notAfter(certificate), now + wish.days * day) != nil,
      setKey(certificate, key) == 1,
      addName(subject(certificate), "O", Code.utf8, "mockserver", -1, -1, 0) == 1,
      addName(subject(certificate), "CN", Code.utf8, String(wish.name.prefix(64)), -1, -1, 0) == 1,
      setIssuer(certificate, subject(issuer)) == 1
    else { throw failure("makes no certificate of \(wish.name)") }
    try withUnsafeTemporaryAllocation(byteCount: Code.extensionContextSize, alignment: 16) {
      context throws(SecurityError) in
      context.initializeMemory(as: UInt8.self, repeating: 0)
      extensionContext(context.baseAddress, issuer, certificate, nil, nil, 0)
      for (identifier, value) in wish.extensions {
        let made = extensionNew(nil, context.baseAddress, identifier, value)
        defer { extensionFree(made) }
        guard made != nil, addExtension(certificate, made, -1) == 1 else {
          throw failure("makes no certificate with \(value)")
        }
      }
    }
  }

  // MARK: texts

  /// A key and a certificate as PEM, the key first.
  func text(of certificate: Object?, and key: Object?) throws(SecurityError) -> [UInt8] {
    let buffer = bufferNew(memoryMethod())
    defer { _ = bufferFree(buffer) }
    guard buffer != nil, key == nil || writeKey(buffer, key, nil, nil, 0, nil, nil) == 1,
      certificate == nil || writeCertificate(buffer, certificate) == 1
    else { throw failure("writes no PEM") }
    var text = [UInt8](repeating: 0, count: 16 << 10)
    let count = text.withUnsafeMutableBytes { bufferRead(buffer, $0.baseAddress, Int32(clamping: $0.count)) }
    guard count > 0 else { throw failure("writes no PEM") }
    return Array(text.prefix(Int(count)))
  }

  /// Reads key and certificate from PEM, if both are there and belong together; the caller frees them.
  func read(_ text: [UInt8]) -> (certificate: Object, key: Object)? {
    defer { _ = (try? OpenSSL.shared.get())?.reason() }
    func read(_ take: (Object?) -> Object?) -> Object? {
      text.withUnsafeBytes { bytes in
        let buffer = bufferOf(bytes.baseAddress, Int32(clamping: bytes.count))
        defer { _ = bufferFree(buffer) }
        return take(buffer)
      }
    }
    // An empty password, so that OpenSSL asks nobody for one.
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

  // MARK: facts

  /// Tells whether a certificate can still be used after so many days.
  func isValid(_ certificate: Object, afterDays days: Int) -> Bool {
    var time = Platform.wallNanoseconds() / 1_000_000_000 + days * 86_400
    return compareTime(notAfter(certificate), &time) > 0
  }

  /// Tells whether a certificate is for a host: a name or an address.
  func isFor(_ host: String, _ certificate: Object) -> Bool {
    if let address = HostName.address(host) { return checkAddress(certificate, address, 0) == 1 }
    return checkHost(certificate, host, 0, 0, nil) == 1
  }

  /// The digest of a certificate's public key, as clients that pin it write it.
  func pin(of certificate: Object) -> String? {
    let length = keyPublicBytes(key(certificate), nil)
    guard length > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let written = bytes.withUnsafeMutableBufferPointer { bytes in
      // OpenSSL moves the pointer to behind what it wrote.
      var end = bytes.baseAddress
      return keyPublicBytes(key(certificate), &end)
    }
    guard written == length else { return nil }
    var digest = [UInt8](repeating: 0, count: 32)
    guard self.digest(bytes, bytes.count, &digest, nil, sha256(), nil) == 1 else { return nil }
    // 44 characters, and a zero behind them.
    var text = [UInt8](repeating: 0, count: 45)
    let count = base64(&text, digest, 32)
    return "sha256//" + String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self)
  }
}

/// Hosts as certificates have them: addresses apart from names.
enum HostName {
  /// The address without brackets; nil for a name.
  static func address(_ host: String) -> String? {
    guard host != "localhost" else { return nil }
    return (try? SocketAddress(host: host, port: 0))?.host
  }

  /// Returns a host as a certificate's list of names has it; nil for what is no host (RFC 1123 §2.1).
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
    return isName && (1...253).contains(host.utf8.count) ? "DNS:\(host)" : nil
  }
}
