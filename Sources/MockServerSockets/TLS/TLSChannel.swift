/// A non-blocking TLS connection on a socket.
final class TLSChannel: AcceptedChannel {
  private let context: TLSContext
  private let library: OpenSSL
  private let pointer: OpenSSL.Object
  /// The expected host name of the server; nil on the server side.
  private let host: String?
  private var isOpen = false
  private var isBroken = false
  private(set) var wasAskedPlainly = false
  private(set) var waitsToWrite = false

  init(_ context: TLSContext, _ descriptor: Int32, to host: String) throws(SecurityError) {
    (self.context, library, self.host) = (context, context.library, host)
    pointer = try Self.make(context)
    guard library.setDescriptor(pointer, descriptor) == 1, expect(host) else {
      throw SecurityError("\(host) is not a valid name for a certificate")
    }
    library.setConnecting(pointer)
  }

  init(_ context: TLSContext, accepting descriptor: Int32) throws(SecurityError) {
    (self.context, library, host) = (context, context.library, nil)
    pointer = try Self.make(context)
    guard library.setDescriptor(pointer, descriptor) == 1 else {
      throw SecurityError("OpenSSL could not create a connection: \(library.reason() ?? "unknown reason")")
    }
    library.setAccepting(pointer)
  }

  deinit { library.free(pointer) }

  private static func make(_ context: TLSContext) throws(SecurityError) -> OpenSSL.Object {
    guard let pointer = context.library.new(context.pointer) else {
      throw SecurityError("OpenSSL could not create a connection: \(context.library.reason() ?? "unknown reason")")
    }
    return pointer
  }

  /// Sends the server name, and requires the certificate to contain that name (RFC 6066 §3, RFC 9525).
  private func expect(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if (try? SocketAddress(host: bare, port: 0)) != nil, bare != "localhost" {
      // An address is not sent as the server name, and the certificate must contain it as an address.
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
    if result == 1 {
      isOpen = true
      return .ready
    }
    switch library.error(pointer, result) {
    case OpenSSL.Code.wantsRead: return .waits(.readable)
    case OpenSSL.Code.wantsWrite: return .waits(.writable)
    default:
      isBroken = true
      return .failed(explanation())
    }
  }

  private func explanation() -> String {
    let verification = library.verification(pointer)
    let reason = library.reason()
    let distrust =
      context.verifies && verification != 0
      ? library.verificationText(verification).map { String(cString: $0) } ?? "it is not valid" : nil
    guard let host else {
      wasAskedPlainly = reason == "http request"
      return HandshakeFailure.words(reason, distrust: distrust)
    }
    if let distrust {
      return "the certificate of \(host) is not trusted: \(distrust); "
        + "name its certificate authority with --ca FILE, or skip the check with --insecure"
    }
    switch reason {
    case "wrong version number"?, "packet length too long"?, "http request"?:
      return "it does not use TLS; is it an http:// server?"
    case let reason?: return "no TLS with \(host): \(reason)"
    case nil: return "the connection ended during the TLS handshake"
    }
  }

  /// Reads available bytes.
  ///
  /// OpenSSL reads one record at a time from the socket, and no byte beyond it. If the buffer has room for 16 KB, the
  /// maximum size of a record (RFC 8446 §5.1), all remaining bytes stay in the socket, where the event loop notices
  /// them.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    library.clearErrors()
    let count = library.read(pointer, buffer.baseAddress, Int32(clamping: buffer.count))
    waitsToWrite = false
    if count > 0 { return .bytes(Int(count)) }
    let error = library.error(pointer, count)
    waitsToWrite = error == OpenSSL.Code.wantsWrite
    return outcome(error)
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    // OpenSSL treats an empty write as an error.
    guard !bytes.isEmpty else { return .wouldBlock }
    library.clearErrors()
    let count = library.write(pointer, bytes.baseAddress, Int32(clamping: bytes.count))
    return count > 0 ? .bytes(Int(count)) : outcome(library.error(pointer, count))
  }

  private func outcome(_ error: Int32) -> IOResult {
    switch error {
    case OpenSSL.Code.wantsRead, OpenSSL.Code.wantsWrite: return .wouldBlock
    // After `close_notify` all data has been received. Without it, the data may be truncated (RFC 8446 §6.1).
    case OpenSSL.Code.ended: return .ended
    default:
      isBroken = true
      return .failed(Platform.brokenConnection)
    }
  }

  func end() {
    // OpenSSL must not send `close_notify` after a fatal error.
    guard isOpen, !isBroken else { return }
    library.clearErrors()
    _ = library.shutdown(pointer)
    library.clearErrors()
  }
}
