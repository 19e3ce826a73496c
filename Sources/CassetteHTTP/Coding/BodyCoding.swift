/// The coding of a body, detected from its bytes: a compressed file, or text in UTF-16 or UTF-32.
///
/// A value describes a single layer, and the decoded content may be coded again. Brotli cannot be detected because it
/// has no signature.
package enum BodyCoding: Hashable, Sendable {
  case gzip, zlib, zstd
  case text(WideText)

  /// Decodes a body whose coding can be detected; nil if there is no coding, or if the data is damaged.
  ///
  /// - `charset`: The character encoding in `Content-Type`, which is used for text without a byte order mark.
  ///
  /// Returns the coding, and the decoded content, which is UTF-8 if it is text.
  package static func unwrapping(_ bytes: [UInt8], charset: String?) -> (coding: BodyCoding, content: [UInt8])? {
    if let coding = compression(of: bytes) {
      return coding.decoder.flatMap { inflated(bytes, $0) }.map { (coding, $0) }
    }
    return WideText.reading(bytes, charset: charset).map { (.text($0.form), $0.content) }
  }

  /// Applies the coding again.
  ///
  /// Equal content results in equal bytes; nil if the coding cannot be applied.
  package func wrap(_ content: [UInt8]) -> [UInt8]? {
    switch self {
    case .gzip: ContentCoding.gzip.encoder?.encode(content, .end)
    case .zlib: ContentCoding.deflate.encoder?.encode(content, .end)
    case .zstd: ContentCoding.zstd.encoder?.encode(content, .end)
    case .text(let form): form.wrap(content)
    }
  }

  /// Returns the compression format according to the signature in the first bytes; nil for other data.
  package static func compression(of bytes: [UInt8]) -> BodyCoding? {
    guard bytes.count > 3 else { return nil }
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
    if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstd }
    // Text may also begin with "x^", so the first bytes are decompressed to be certain.
    guard bytes[0] == 0x78, bytes[1] & 0x20 == 0, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 else { return nil }
    return inflated(Array(bytes.prefix(64)), ZlibLayer.decoder(.zlib), isPart: true) == nil ? nil : .zlib
  }

  private var decoder: (any CodingLayer)? {
    switch self {
    case .gzip: ZlibLayer.decoder(.gzip)
    case .zlib: ZlibLayer.decoder(.zlib)
    case .zstd: ContentCoding.zstd.decoder
    case .text: nil
    }
  }

  private static func inflated(_ bytes: [UInt8], _ decoder: (any CodingLayer)?, isPart: Bool = false) -> [UInt8]? {
    guard let decoder else { return nil }
    let layer = DecodingLayer(decoder)
    var content: [UInt8] = []
    let isWhole = layer.decode(bytes) { part in
      content += part
      return content.count <= ContentDecoder.longest
    }
    return isWhole && (isPart || layer.isComplete) ? content : nil
  }
}
