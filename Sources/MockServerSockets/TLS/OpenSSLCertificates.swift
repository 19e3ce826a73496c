internal import CassetteSystem

/// The functions that create keys and certificates, from the libcrypto that libssl is linked with.
struct OpenSSLCertificates: Sendable {
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  enum Code {
    static let ellipticCurve: Int32 = 408
    static let utf8: Int32 = 0x1000
    /// The value for X.509 version 3, because the encoded versions start at zero.
    static let version3: Int = 2
    static let subjectKeyIdentifier: Int32 = 82
    static let keyUsage: Int32 = 83
    static let alternativeNames: Int32 = 85
    static let basicConstraints: Int32 = 87
    static let authorityKeyIdentifier: Int32 = 90
    static let extendedKeyUsage: Int32 = 126
    /// The size in bytes of the buffer for an extension context, larger than the structure in any version of OpenSSL.
    static let extensionContextSize = 256
  }

  // Keys.
  let keyContextNew: @convention(c) @Sendable (Int32, Object?) -> Object?
  let keyContextFree: @convention(c) @Sendable (Object?) -> Void
  let keyBegin: @convention(c) @Sendable (Object?) -> Int32
  let keySet: @convention(c) @Sendable (Object?, Text?, Text?) -> Int32
  let keyMake: @convention(c) @Sendable (Object?, UnsafeMutablePointer<Object?>?) -> Int32
  let keyFree: @convention(c) @Sendable (Object?) -> Void
  let keyPublicBytes: @convention(c) @Sendable (Object?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  // Certificates.
  let new: @convention(c) @Sendable () -> Object?
  let free: @convention(c) @Sendable (Object?) -> Void
  let setVersion: @convention(c) @Sendable (Object?, Int) -> Int32
  let serialNumber: @convention(c) @Sendable (Object?) -> Object?
  let setNumber: @convention(c) @Sendable (Object?, UInt64) -> Int32
  let notBefore: @convention(c) @Sendable (Object?) -> Object?
  let notAfter: @convention(c) @Sendable (Object?) -> Object?
  let setTime: @convention(c) @Sendable (Object?, Int) -> Object?
  let compareTime: @convention(c) @Sendable (Object?, UnsafeMutablePointer<Int>?) -> Int32
  let setKey: @convention(c) @Sendable (Object?, Object?) -> Int32
  let key: @convention(c) @Sendable (Object?) -> Object?
  let hasKey: @convention(c) @Sendable (Object?, Object?) -> Int32
  let subject: @convention(c) @Sendable (Object?) -> Object?
  let addName: @convention(c) @Sendable (Object?, Text?, Int32, Text?, Int32, Int32, Int32) -> Int32
  let setIssuer: @convention(c) @Sendable (Object?, Object?) -> Int32
  let extensionContext:
    @convention(c) @Sendable (
      UnsafeMutableRawPointer?, Object?, Object?, Object?, Object?, Int32
    ) -> Void
  let extensionNew: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32, Text?) -> Object?
  let extensionFree: @convention(c) @Sendable (Object?) -> Void
  let addExtension: @convention(c) @Sendable (Object?, Object?, Int32) -> Int32
  let sign: @convention(c) @Sendable (Object?, Object?, Object?) -> Int32
  let verify: @convention(c) @Sendable (Object?, Object?) -> Int32
  let checkHost: @convention(c) @Sendable (Object?, Text?, Int, UInt32, UnsafeMutableRawPointer?) -> Int32
  let checkAddress: @convention(c) @Sendable (Object?, Text?, UInt32) -> Int32
  // PEM buffers and digests.
  let memoryMethod: @convention(c) @Sendable () -> Object?
  let bufferNew: @convention(c) @Sendable (Object?) -> Object?
  let bufferOf: @convention(c) @Sendable (UnsafeRawPointer?, Int32) -> Object?
  let bufferRead: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
  let bufferFree: @convention(c) @Sendable (Object?) -> Int32
  let writeCertificate: @convention(c) @Sendable (Object?, Object?) -> Int32
  let writeKey:
    @convention(c) @Sendable (
      Object?, Object?, Object?, UnsafePointer<UInt8>?, Int32, Object?, UnsafeMutableRawPointer?
    ) -> Int32
  let readCertificate: @convention(c) @Sendable (Object?, Object?, Object?, UnsafeMutableRawPointer?) -> Object?
  let readKey: @convention(c) @Sendable (Object?, Object?, Object?, UnsafeMutableRawPointer?) -> Object?
  let sha256: @convention(c) @Sendable () -> Object?
  let digest:
    @convention(c) @Sendable (
      UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?, Object?, Object?
    ) -> Int32
  let base64: @convention(c) @Sendable (UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, Int32) -> Int32

  /// The loaded functions, or an error that names the missing library or function.
  static let shared = OpenSSLLibrary.load { symbols throws(SystemLibrary.Missing) in try OpenSSLCertificates(symbols) }

  init(_ symbols: SystemLibrary) throws(SystemLibrary.Missing) {
    keyContextNew = try symbols.find("EVP_PKEY_CTX_new_id")
    keyContextFree = try symbols.find("EVP_PKEY_CTX_free")
    keyBegin = try symbols.find("EVP_PKEY_keygen_init")
    keySet = try symbols.find("EVP_PKEY_CTX_ctrl_str")
    keyMake = try symbols.find("EVP_PKEY_keygen")
    keyFree = try symbols.find("EVP_PKEY_free")
    keyPublicBytes = try symbols.find("i2d_PUBKEY")
    new = try symbols.find("X509_new")
    free = try symbols.find("X509_free")
    setVersion = try symbols.find("X509_set_version")
    serialNumber = try symbols.find("X509_get_serialNumber")
    setNumber = try symbols.find("ASN1_INTEGER_set_uint64")
    notBefore = try symbols.find("X509_getm_notBefore")
    notAfter = try symbols.find("X509_getm_notAfter")
    setTime = try symbols.find("ASN1_TIME_set")
    compareTime = try symbols.find("X509_cmp_time")
    setKey = try symbols.find("X509_set_pubkey")
    key = try symbols.find("X509_get0_pubkey")
    hasKey = try symbols.find("X509_check_private_key")
    subject = try symbols.find("X509_get_subject_name")
    addName = try symbols.find("X509_NAME_add_entry_by_txt")
    setIssuer = try symbols.find("X509_set_issuer_name")
    extensionContext = try symbols.find("X509V3_set_ctx")
    extensionNew = try symbols.find("X509V3_EXT_conf_nid")
    extensionFree = try symbols.find("X509_EXTENSION_free")
    addExtension = try symbols.find("X509_add_ext")
    sign = try symbols.find("X509_sign")
    verify = try symbols.find("X509_verify")
    checkHost = try symbols.find("X509_check_host")
    checkAddress = try symbols.find("X509_check_ip_asc")
    memoryMethod = try symbols.find("BIO_s_mem")
    bufferNew = try symbols.find("BIO_new")
    bufferOf = try symbols.find("BIO_new_mem_buf")
    bufferRead = try symbols.find("BIO_read")
    bufferFree = try symbols.find("BIO_free")
    writeCertificate = try symbols.find("PEM_write_bio_X509")
    writeKey = try symbols.find("PEM_write_bio_PrivateKey")
    readCertificate = try symbols.find("PEM_read_bio_X509")
    readKey = try symbols.find("PEM_read_bio_PrivateKey")
    sha256 = try symbols.find("EVP_sha256")
    digest = try symbols.find("EVP_Digest")
    base64 = try symbols.find("EVP_EncodeBlock")
  }
}
