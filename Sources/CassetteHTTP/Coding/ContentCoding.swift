/// A content coding that can be undone and made here, some only where the system has the library (RFC 9110 §8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
  case gzip, deflate
  case brotli = "br"
  case zstd

  /// The most codings that may be applied one after the other.
  package static let deepest = 5

  /// Finds the coding of a name; nil for one that is not known here.
  package init?(name: some StringProtocol) {
    self.init(rawValue: Self.canonical(name))
  }

  /// A coding's name in lower case; `x-gzip` is another name of `gzip` (RFC 9110 §8.4.1.3).
  package static func canonical(_ name: some StringProtocol) -> String {
    let name = name.lowercased()
    return name == "x-gzip" ? "gzip" : name
  }

  /// Returns the names in a value of `Content-Encoding`, in the order they were applied.
  package static func names(in value: String) -> [String] {
    value.split(separator: ",").map { ASCII.trimmingBlanks($0).lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }

  /// A decoder of the coding; nil where the system lacks the library.
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

  /// An encoder of the coding; nil where the system lacks the library.
  var encoder: (any CodingLayer)? {
    switch self {
    case .gzip: ZlibLayer.encoder(.gzip)
    // zlib's own format is what the name means (RFC 9110 §8.4.1.2).
    case .deflate: ZlibLayer.encoder(.zlib)
    case .brotli: BrotliLayer.encoder()
    case .zstd: ZstdLayer.encoder()
    }
  }

  /// True if it can be decoded on this machine.
  package var canDecode: Bool { decoder != nil }

  /// The library that undoes it, and how it is come by.
  package var library: (name: String, remedy: String) {
    switch self {
    case .gzip, .deflate: ("zlib", "install zlib")
    case .brotli: ("libbrotlidec", LibraryNames.remedy("brotli", "libbrotli1"))
    case .zstd: ("libzstd", LibraryNames.remedy("zstd", "libzstd1"))
    }
  }
}

/// The file names of the libraries, the best first.
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
