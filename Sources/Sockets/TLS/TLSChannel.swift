/// TLS over one socket, without waiting.
final class TLSChannel: SecureChannel {
  private let context: TLSContext
  private let library: OpenSSL
  private let pointer: OpenSSL.Object
  private let host: String

  init(_ context: TLSContext, _ descriptor: Int32, to host: String) throws(SecurityError) {
    self.context = context
    library = context.library
    self.host = host
    guard let pointer = library.new(context.pointer) else {
      throw SecurityError("OpenSSL makes no connection: \(library.reason() ?? "it does not say why")")
    }
    self.pointer = pointer
    guard library.setDescriptor(pointer, descriptor) == 1, expect(host) else {
      throw SecurityError("\(host) is not a name a certificate can have")
    }
    library.setConnecting(pointer)
  }

  deinit { library.free(pointer) }

  /// Names the server, and has its certificate checked for that name (RFC 6066 §3, RFC 9525).
  private func expect(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if (try? SocketAddress(host: bare, port: 0)) != nil, bare != "localhost" {
      // An address is never named to the server, and must stand in the certificate as one.
      return library.setAddress(library.parameters(pointer), bare) == 1
    }
    var name = Array(bare.utf8CString)
    let isNamed = name.withUnsafeMutableBytes {
      library.control(pointer, OpenSSL.Code.setServerName, 0, $0.baseAddress) == 1
    }
    library.setHostFlags(pointer, OpenSSL.Code.noPartialWildcards)
    return isNamed && library.setHost(pointer, bare) == 1
  }

  func shakeHands() -> OutgoingStream.Progress {
    library.clearErrors()
    let result = library.shakeHands(pointer)
    if result == 1 { return .ready }
    switch library.error(pointer, result) {
    case OpenSSL.Code.wantsRead: return .waits(.readable)
    case OpenSSL.Code.wantsWrite: return .waits(.writable)
    default: return .failed(explanation())
    }
  }

  private func explanation() -> String {
    let verification = library.verification(pointer)
    let reason = library.reason()
    if context.verifies, verification != 0 {
      let words = library.verificationText(verification).map { String(cString: $0) } ?? "it is not valid"
      return "the certificate of \(host) is not trusted: \(words); "
        + "name the authority that made it with --ca FILE, or look at no certificate with --insecure"
    }
    switch reason {
    case "wrong version number"?, "packet length too long"?, "http request"?:
      return "it does not speak TLS; is it an http:// server?"
    case let reason?: return "no TLS with \(host): \(reason)"
    case nil: return "the connection ended during the TLS handshake"
    }
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    library.clearErrors()
    let count = library.read(pointer, buffer.baseAddress, Int32(clamping: buffer.count))
    return count > 0 ? .bytes(Int(count)) : outcome(count)
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    // Nothing to write is an error to OpenSSL.
    guard !bytes.isEmpty else { return .wouldBlock }
    library.clearErrors()
    let count = library.write(pointer, bytes.baseAddress, Int32(clamping: bytes.count))
    return count > 0 ? .bytes(Int(count)) : outcome(count)
  }

  private func outcome(_ result: Int32) -> IOResult {
    switch library.error(pointer, result) {
    case OpenSSL.Code.wantsRead, OpenSSL.Code.wantsWrite: .wouldBlock
    // A peer that says goodbye has sent all; one that just ends may have been cut off (RFC 8446 §6.1).
    case OpenSSL.Code.ended: .ended
    default: .failed(Platform.brokenConnection)
    }
  }
}
