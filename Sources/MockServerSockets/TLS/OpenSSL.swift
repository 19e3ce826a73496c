internal import CassetteSystem

/// The functions of the system's libssl, which is loaded on first use so that builds do not depend on it.
///
/// Pointers to OpenSSL objects are passed as OpaquePointer. The constants are those of its headers, which have not
/// changed since version 1.1.
struct OpenSSL: Sendable {
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  /// The ALPN callback.
  ///
  /// Its parameters include the selected protocol, its length, the offered protocols and their length.
  typealias ProtocolChoice =
    @convention(c) (
      Object?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?,
      UInt32,
      UnsafeMutableRawPointer?
    ) -> Int32

  /// The callback for the password of a key.
  ///
  /// Its parameters include a buffer and the size of the buffer.
  typealias Password =
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

  /// The server name (SNI) callback.
  ///
  /// Its parameters are the connection, the alert to send and the registered context.
  typealias NameCallback =
    @convention(c) (Object?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32

  enum Code {
    static let verifyNone: Int32 = 0
    static let verifyPeer: Int32 = 1
    static let failIfNoPeerCertificate: Int32 = 2
    static let filePEM: Int32 = 1
    static let wantsRead: Int32 = 2
    static let wantsWrite: Int32 = 3
    static let ended: Int32 = 6
    static let setServerName: Int32 = 55
    static let setNameCallback: Int32 = 53
    static let setNameCallbackOwner: Int32 = 54
    static let nameOfHost: Int32 = 0
    static let setMode: Int32 = 33
    static let setLeastVersion: Int32 = 123
    /// A repeated write may pass the same bytes at another address, and a write may accept only part of its bytes.
    static let partialMovingWrites: Int = 3
    /// Idle connections hold no buffers.
    static let releaseBuffers: Int = 16
    /// TLS 1.2 clients cannot renegotiate.
    static let noRenegotiation: UInt = 1 << 30
    /// A missing `close_notify` is not an error, because HTTP framing shows whether a request is complete.
    static let endsWithoutGoodbye: UInt = 1 << 7
    static let protocolChosen: Int32 = 0
    static let noProtocol: Int32 = 2
    static let protocolNotSpoken: Int32 = 3
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
  let contextOptions: @convention(c) @Sendable (Object?, UInt) -> UInt
  let contextUseCertificate: @convention(c) @Sendable (Object?, Object?) -> Int32
  let contextUseKey: @convention(c) @Sendable (Object?, Object?) -> Int32
  let contextOwnCertificate: @convention(c) @Sendable (Object?) -> Object?
  let contextChooseProtocol: @convention(c) @Sendable (Object?, ProtocolChoice?, UnsafeMutableRawPointer?) -> Void
  let contextSessions: @convention(c) @Sendable (Object?, UnsafePointer<UInt8>?, UInt32) -> Int32
  let contextNameCallback: @convention(c) @Sendable (Object?, Int32, NameCallback?) -> Int
  let contextPassword: @convention(c) @Sendable (Object?, Password?) -> Void
  let new: @convention(c) @Sendable (Object?) -> Object?
  let free: @convention(c) @Sendable (Object?) -> Void
  let setDescriptor: @convention(c) @Sendable (Object?, Int32) -> Int32
  let control: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
  let setHost: @convention(c) @Sendable (Object?, Text?) -> Int32
  let serverName: @convention(c) @Sendable (Object?, Int32) -> Text?
  let setContext: @convention(c) @Sendable (Object?, Object?) -> Object?
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

  /// The loaded functions, or an error that names the missing library or function.
  static let shared = OpenSSLLibrary.load { symbols throws(SystemLibrary.Missing) in try OpenSSL(symbols) }

  init(_ symbols: SystemLibrary) throws(SystemLibrary.Missing) {
    clientMethod = try symbols.find("TLS_client_method")
    serverMethod = try symbols.find("TLS_server_method")
    contextNew = try symbols.find("SSL_CTX_new")
    contextFree = try symbols.find("SSL_CTX_free")
    contextControl = try symbols.find("SSL_CTX_ctrl")
    contextDefaultAuthorities = try symbols.find("SSL_CTX_set_default_verify_paths")
    contextAuthorities = try symbols.find("SSL_CTX_load_verify_locations")
    contextClientAuthorities = try symbols.find("SSL_load_client_CA_file")
    contextSetClientAuthorities = try symbols.find("SSL_CTX_set_client_CA_list")
    contextVerify = try symbols.find("SSL_CTX_set_verify")
    contextCertificate = try symbols.find("SSL_CTX_use_certificate_chain_file")
    contextKey = try symbols.find("SSL_CTX_use_PrivateKey_file")
    contextCheckKey = try symbols.find("SSL_CTX_check_private_key")
    contextProtocols = try symbols.find("SSL_CTX_set_alpn_protos")
    contextOptions = try symbols.find("SSL_CTX_set_options")
    contextUseCertificate = try symbols.find("SSL_CTX_use_certificate")
    contextUseKey = try symbols.find("SSL_CTX_use_PrivateKey")
    contextOwnCertificate = try symbols.find("SSL_CTX_get0_certificate")
    contextChooseProtocol = try symbols.find("SSL_CTX_set_alpn_select_cb")
    contextSessions = try symbols.find("SSL_CTX_set_session_id_context")
    contextNameCallback = try symbols.find("SSL_CTX_callback_ctrl")
    contextPassword = try symbols.find("SSL_CTX_set_default_passwd_cb")
    new = try symbols.find("SSL_new")
    free = try symbols.find("SSL_free")
    setDescriptor = try symbols.find("SSL_set_fd")
    control = try symbols.find("SSL_ctrl")
    setHost = try symbols.find("SSL_set1_host")
    serverName = try symbols.find("SSL_get_servername")
    setContext = try symbols.find("SSL_set_SSL_CTX")
    setHostFlags = try symbols.find("SSL_set_hostflags")
    parameters = try symbols.find("SSL_get0_param")
    setAddress = try symbols.find("X509_VERIFY_PARAM_set1_ip_asc")
    setConnecting = try symbols.find("SSL_set_connect_state")
    setAccepting = try symbols.find("SSL_set_accept_state")
    shakeHands = try symbols.find("SSL_do_handshake")
    read = try symbols.find("SSL_read")
    write = try symbols.find("SSL_write")
    shutdown = try symbols.find("SSL_shutdown")
    error = try symbols.find("SSL_get_error")
    verification = try symbols.find("SSL_get_verify_result")
    verificationText = try symbols.find("X509_verify_cert_error_string")
    nextError = try symbols.find("ERR_get_error")
    clearErrors = try symbols.find("ERR_clear_error")
    errorReason = try symbols.find("ERR_reason_error_string")
  }

  /// Removes all errors from the library's queue and returns the reason of the last one; nil if the queue is empty.
  func reason() -> String? {
    var text: String?
    while case let code = nextError(), code != 0 {
      if let reason = errorReason(code) { text = String(cString: reason) }
    }
    return text
  }
}
