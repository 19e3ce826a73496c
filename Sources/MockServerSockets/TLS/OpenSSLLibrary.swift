internal import CassetteSystem

/// The file names and paths at which the system's OpenSSL is searched for.
enum OpenSSLLibrary {
  #if canImport(Darwin)
    static let names = [
      "libssl.3.dylib", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib", "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
    ]
    private static let remedy = "install it with: brew install openssl@3"
  #else
    static let names = ["libssl.so.3", "libssl.so.1.1"]
    private static let remedy = "install it with: apt-get install libssl3"
  #endif

  private static let withoutExitHandler: UInt64 = 0x0008_0000

  /// Creates a function table from the first library that has all functions.
  ///
  /// The error explains how to install OpenSSL.
  static func load<Table>(
    _ names: [String] = names, _ make: (SystemLibrary) throws(SystemLibrary.Missing) -> Table
  ) -> Result<Table, SecurityError> {
    let table = SystemLibrary.load(names) { symbols throws(SystemLibrary.Missing) in
      let table = try make(symbols)
      let initialize: @convention(c) (UInt64, OpaquePointer?) -> Int32 = try symbols.find("OPENSSL_init_ssl")
      // OpenSSL must not clean up at exit, because event loops may still use it then.
      _ = initialize(withoutExitHandler, nil)
      return table
    }
    if let table { return .success(table) }
    let looked = names.joined(separator: ", ")
    return .failure(SecurityError("https requires OpenSSL, which was not found (\(looked)); \(remedy)"))
  }
}
