#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The system's OpenSSL, found when it is first needed: nothing has to be installed to build.
///
/// Pointers to OpenSSL's objects are passed as OpaquePointer. The numbers are those of its headers, which have not
/// changed since 1.1.
struct OpenSSL: Sendable {
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  enum Code {
    static let verifyNone: Int32 = 0
    static let verifyPeer: Int32 = 1
    static let failIfNoPeerCertificate: Int32 = 2
    static let filePEM: Int32 = 1
    static let wantsRead: Int32 = 2
    static let wantsWrite: Int32 = 3
    static let systemCall: Int32 = 5
    static let ended: Int32 = 6
    static let setServerName: Int32 = 55
    static let setMode: Int32 = 33
    static let setLeastVersion: Int32 = 123
    /// What was written may be offered again from elsewhere, and may be taken in part.
    static let partialMovingWrites: Int = 3
    static let version12: Int = 0x0303
    static let noPartialWildcards: UInt32 = 4
  }

  let clientMethod: @convention(c) @Sendable () -> Object?
  let serverMethod: @convention(c) @Sendable () -> Object?
  let contextNew: @convention(c) @Sendable (Object?) -> Object?
  let contextFree: @convention(c) @Sendable (Object?) -> Void
  let contextControl: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
  let contextDefaultAuthorities: @convention(c) @Sendable (Object?) -> Int32
  let contextAuthorities: @convention(c) @Sendable (Object?, Text?, Text?) -> Int32
  let contextClientAuthorities: @convention(c) @Sendable (Text?) -> Object?
  let contextSetClientAuthorities: @convention(c) @Sendable (Object?, Object?) -> Void
  let contextVerify: @convention(c) @Sendable (Object?, Int32, UnsafeRawPointer?) -> Void
  let contextCertificate: @convention(c) @Sendable (Object?, Text?) -> Int32
  let contextKey: @convention(c) @Sendable (Object?, Text?, Int32) -> Int32
  let contextCheckKey: @convention(c) @Sendable (Object?) -> Int32
  let contextProtocols: @convention(c) @Sendable (Object?, UnsafePointer<UInt8>?, UInt32) -> Int32
  let new: @convention(c) @Sendable (Object?) -> Object?
  let free: @convention(c) @Sendable (Object?) -> Void
  let setDescriptor: @convention(c) @Sendable (Object?, Int32) -> Int32
  let control: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
  let setHost: @convention(c) @Sendable (Object?, Text?) -> Int32
  let setHostFlags: @convention(c) @Sendable (Object?, UInt32) -> Void
  let parameters: @convention(c) @Sendable (Object?) -> Object?
  let setAddress: @convention(c) @Sendable (Object?, Text?) -> Int32
  let setConnecting: @convention(c) @Sendable (Object?) -> Void
  let setAccepting: @convention(c) @Sendable (Object?) -> Void
  let shakeHands: @convention(c) @Sendable (Object?) -> Int32
  let read: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
  let write: @convention(c) @Sendable (Object?, UnsafeRawPointer?, Int32) -> Int32
  let shutdown: @convention(c) @Sendable (Object?) -> Int32
  let error: @convention(c) @Sendable (Object?, Int32) -> Int32
  let verification: @convention(c) @Sendable (Object?) -> Int
  let verificationText: @convention(c) @Sendable (Int) -> Text?
  let nextError: @convention(c) @Sendable () -> UInt
  let clearErrors: @convention(c) @Sendable () -> Void
  let errorReason: @convention(c) @Sendable (UInt) -> Text?

  /// The library, or what is missing.
  static let shared: Result<OpenSSL, SecurityError> = {
    for name in names {
      guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      if let loaded = OpenSSL(library) { return .success(loaded) }
      dlclose(library)
    }
    return .failure(
      SecurityError("https needs OpenSSL, and none was found (\(names.joined(separator: ", "))); \(remedy)"))
  }()

  #if canImport(Darwin)
    private static let names = [
      "libssl.3.dylib", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib", "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
    ]
    private static let remedy = "install it with: brew install openssl@3"
  #else
    private static let names = ["libssl.so.3", "libssl.so.1.1"]
    private static let remedy = "install it with: apt-get install libssl3"
  #endif

  private init?(_ library: UnsafeMutableRawPointer) {
    var isComplete = true
    func symbol<F>(_ name: String, _ type: F.Type = F.self) -> F? {
      guard let pointer = dlsym(library, name) else {
        isComplete = false
        return nil
      }
      return unsafeBitCast(pointer, to: F.self)
    }
    guard let clientMethod: @convention(c) @Sendable () -> Object? = symbol("TLS_client_method"),
      let serverMethod: @convention(c) @Sendable () -> Object? = symbol("TLS_server_method"),
      let contextNew: @convention(c) @Sendable (Object?) -> Object? = symbol("SSL_CTX_new"),
      let contextFree: @convention(c) @Sendable (Object?) -> Void = symbol("SSL_CTX_free"),
      let contextControl: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int = symbol(
        "SSL_CTX_ctrl"),
      let contextDefaultAuthorities: @convention(c) @Sendable (Object?) -> Int32 = symbol(
        "SSL_CTX_set_default_verify_paths"),
      let contextAuthorities: @convention(c) @Sendable (Object?, Text?, Text?) -> Int32 = symbol(
        "SSL_CTX_load_verify_locations"),
      let contextClientAuthorities: @convention(c) @Sendable (Text?) -> Object? = symbol("SSL_load_client_CA_file"),
      let contextSetClientAuthorities: @convention(c) @Sendable (Object?, Object?) -> Void = symbol(
        "SSL_CTX_set_client_CA_list"),
      let contextVerify: @convention(c) @Sendable (Object?, Int32, UnsafeRawPointer?) -> Void = symbol(
        "SSL_CTX_set_verify"),
      let contextCertificate: @convention(c) @Sendable (Object?, Text?) -> Int32 = symbol(
        "SSL_CTX_use_certificate_chain_file"),
      let contextKey: @convention(c) @Sendable (Object?, Text?, Int32) -> Int32 = symbol("SSL_CTX_use_PrivateKey_file"),
      let contextCheckKey: @convention(c) @Sendable (Object?) -> Int32 = symbol("SSL_CTX_check_private_key"),
      let contextProtocols: @convention(c) @Sendable (Object?, UnsafePointer<UInt8>?, UInt32) -> Int32 = symbol(
        "SSL_CTX_set_alpn_protos"),
      let new: @convention(c) @Sendable (Object?) -> Object? = symbol("SSL_new"),
      let free: @convention(c) @Sendable (Object?) -> Void = symbol("SSL_free"),
      let setDescriptor: @convention(c) @Sendable (Object?, Int32) -> Int32 = symbol("SSL_set_fd"),
      let control: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int = symbol("SSL_ctrl"),
      let setHost: @convention(c) @Sendable (Object?, Text?) -> Int32 = symbol("SSL_set1_host"),
      let setHostFlags: @convention(c) @Sendable (Object?, UInt32) -> Void = symbol("SSL_set_hostflags"),
      let parameters: @convention(c) @Sendable (Object?) -> Object? = symbol("SSL_get0_param"),
      let setAddress: @convention(c) @Sendable (Object?, Text?) -> Int32 = symbol("X509_VERIFY_PARAM_set1_ip_asc"),
      let setConnecting: @convention(c) @Sendable (Object?) -> Void = symbol("SSL_set_connect_state"),
      let setAccepting: @convention(c) @Sendable (Object?) -> Void = symbol("SSL_set_accept_state"),
      let shakeHands: @convention(c) @Sendable (Object?) -> Int32 = symbol("SSL_do_handshake"),
      let read: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32 = symbol("SSL_read"),
      let write: @convention(c) @Sendable (Object?, UnsafeRawPointer?, Int32) -> Int32 = symbol("SSL_write"),
      let shutdown: @convention(c) @Sendable (Object?) -> Int32 = symbol("SSL_shutdown"),
      let error: @convention(c) @Sendable (Object?, Int32) -> Int32 = symbol("SSL_get_error"),
      let verification: @convention(c) @Sendable (Object?) -> Int = symbol("SSL_get_verify_result"),
      let verificationText: @convention(c) @Sendable (Int) -> Text? = symbol("X509_verify_cert_error_string"),
      let nextError: @convention(c) @Sendable () -> UInt = symbol("ERR_get_error"),
      let clearErrors: @convention(c) @Sendable () -> Void = symbol("ERR_clear_error"),
      let errorReason: @convention(c) @Sendable (UInt) -> Text? = symbol("ERR_reason_error_string"), isComplete
    else { return nil }
    self.clientMethod = clientMethod
    self.serverMethod = serverMethod
    self.contextNew = contextNew
    self.contextFree = contextFree
    self.contextControl = contextControl
    self.contextDefaultAuthorities = contextDefaultAuthorities
    self.contextAuthorities = contextAuthorities
    self.contextClientAuthorities = contextClientAuthorities
    self.contextSetClientAuthorities = contextSetClientAuthorities
    self.contextVerify = contextVerify
    self.contextCertificate = contextCertificate
    self.contextKey = contextKey
    self.contextCheckKey = contextCheckKey
    self.contextProtocols = contextProtocols
    self.new = new
    self.free = free
    self.setDescriptor = setDescriptor
    self.control = control
    self.setHost = setHost
    self.setHostFlags = setHostFlags
    self.parameters = parameters
    self.setAddress = setAddress
    self.setConnecting = setConnecting
    self.setAccepting = setAccepting
    self.shakeHands = shakeHands
    self.read = read
    self.write = write
    self.shutdown = shutdown
    self.error = error
    self.verification = verification
    self.verificationText = verificationText
    self.nextError = nextError
    self.clearErrors = clearErrors
    self.errorReason = errorReason
  }

  /// What the library says went wrong last, and forgets; nil when it says nothing.
  func reason() -> String? {
    var text: String?
    while case let code = nextError(), code != 0 {
      if let reason = errorReason(code) { text = String(cString: reason) }
    }
    return text
  }
}
