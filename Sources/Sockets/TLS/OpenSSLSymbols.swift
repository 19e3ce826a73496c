#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The functions of a library that is opened while the program runs.
struct OpenSSLSymbols {
  /// A function that this version of the library does not have.
  struct Missing: Error {
    let name: String
  }

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

  private let library: UnsafeMutableRawPointer

  /// The function of a name, of the type the caller gives it.
  func find<F>(_ name: String, as type: F.Type = F.self) throws(Missing) -> F {
    // Libraries that this one was linked with are looked through as well: libcrypto comes with libssl.
    guard let pointer = dlsym(library, name) else { throw Missing(name: name) }
    return unsafeBitCast(pointer, to: F.self)
  }

  /// Makes a table of the first library that is there and has everything.
  ///
  /// - Parameters:
  ///   - names: Files to look for, the best first.
  ///   - make: Takes the functions out of a library.
  /// - Returns: The table, or what is missing and how to get it.
  static func load<Table>(
    _ names: [String], _ make: (OpenSSLSymbols) throws(Missing) -> Table
  ) -> Result<Table, SecurityError> {
    for name in names {
      guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      let symbols = OpenSSLSymbols(library: library)
      do throws(Missing) {
        let table = try make(symbols)
        let initialize: @convention(c) (UInt64, OpaquePointer?) -> Int32 = try symbols.find("OPENSSL_init_ssl")
        // Loops may still be at work when the process exits, and must not find OpenSSL torn down.
        _ = initialize(withoutExitHandler, nil)
        return .success(table)
      } catch {
        dlclose(library)
      }
    }
    let looked = names.joined(separator: ", ")
    return .failure(SecurityError("https needs OpenSSL, and none was found (\(looked)); \(remedy)"))
  }
}
