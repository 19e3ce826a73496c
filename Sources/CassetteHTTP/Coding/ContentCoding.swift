/// A supported content coding (RFC 9110 §8.4.1).
///
/// Some require a library that may not be installed.
package enum ContentCoding: String, CaseIterable, Sendable {
  case gzip, deflate
  case brotli = "br"
  case zstd

  /// The maximum number of codings applied to a body.
  static let deepest = 5

  /// Creates a coding from its name; nil if the coding is not supported.
  package init?(name: some StringProtocol) {
    self.init(rawValue: Self.canonical(name))
  }

  /// Returns the canonical name of a coding in lower case.
  ///
  /// `x-gzip` is equivalent to `gzip` (RFC 9110 §8.4.1.3).
  package static func canonical(_ name: some StringProtocol) -> String {
    let name = name.lowercased()
    return name == "x-gzip" ? "gzip" : name
  }

  /// Returns the names in a `Content-Encoding` value, in the order in which the codings were applied.
  package static func names(in value: String) -> [String] {
    value.split(separator: ",").map { ASCII.trimmingBlanks($0).lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }

  /// A new decoder of the coding; nil if the library is not installed.
  var decoder: (any CodingLayer)? {
    switch self {
    case .gzip: return ZlibLayer.decoder(.either)
    case .deflate: return ZlibLayer.decoder(.eitherOrNone)
    case .zstd: return ZstdLayer.decoder()
    case .brotli:
      #if canImport(Compression)
        return BrotliLayer.decoder() ?? AppleBrotliLayer()
      #else
        return BrotliLayer.decoder()
      #endif
    }
  }

  /// A new encoder of the coding; nil if the library is not installed.
  var encoder: (any CodingLayer)? {
    switch self {
    case .gzip: ZlibLayer.encoder(.gzip)
    // The coding named `deflate` is the zlib format (RFC 9110 §8.4.1.2).
    case .deflate: ZlibLayer.encoder(.zlib)
    case .brotli: BrotliLayer.encoder()
    case .zstd: ZstdLayer.encoder()
    }
  }

  /// True if this machine can decode the coding.
  package var canDecode: Bool { decoder != nil }

  /// The library that decodes the coding, and the command that installs it.
  var library: (name: String, remedy: String) {
    switch self {
    case .gzip, .deflate: ("zlib", "install zlib")
    case .brotli: ("libbrotlidec", LibraryNames.remedy("brotli", "libbrotli1"))
    case .zstd: ("libzstd", LibraryNames.remedy("zstd", "libzstd1"))
    }
  }
}

/// The file names of the libraries, the preferred one first.
enum LibraryNames {
  static let brotliDecoder = names("libbrotlidec", package: "brotli", version: 1)
  static let brotliEncoder = names("libbrotlienc", package: "brotli", version: 1)
  static let zstd = names("libzstd", package: "zstd", version: 1)

  private static func names(_ library: String, package: String, version: Int) -> [String] {
    #if canImport(Darwin)
      ["", "/opt/homebrew/opt/\(package)/lib/", "/usr/local/opt/\(package)/lib/"].map {
        "\($0)\(library).\(version).dylib"
      }
    #else
      ["\(library).so.\(version)"]
    #endif
  }

  static func remedy(_ brew: String, _ apt: String) -> String {
    #if canImport(Darwin)
      "brew install \(brew)"
    #else
      "apt-get install \(apt)"
    #endif
  }
}
