/// The coding of bytes, told by the bytes themselves: a compressed file, or a text of two or four bytes a unit.
///
/// It is one layer: what comes out may be wrapped again. Brotli has no mark to know it by.
package enum BodyCoding: Hashable, Sendable {
  case gzip, zlib, zstd
  case text(WideText)

  /// Takes the wrapping off content whose codings are undone; nil where there is none, or it is damaged.
  ///
  /// A text comes out as UTF-8; `charset` is what is said of one that has no mark of its own.
  package static func unwrapping(_ bytes: [UInt8], charset: String?) -> (coding: BodyCoding, content: [UInt8])? {
    if let coding = compression(of: bytes) {
      return coding.decoder.flatMap { inflated(bytes, $0) }.map { (coding, $0) }
    }
    return WideText.reading(bytes, charset: charset).map { (.text($0.form), $0.content) }
  }

  /// Puts the wrapping on again: the same bytes for the same content; nil where that cannot be.
  package func wrap(_ content: [UInt8]) -> [UInt8]? {
    switch self {
    case .gzip: ContentCoding.gzip.encoder?.encode(content, .end)
    case .zlib: ContentCoding.deflate.encoder?.encode(content, .end)
    case .zstd: ContentCoding.zstd.encoder?.encode(content, .end)
    case .text(let form): form.wrap(content)
    }
  }

  /// Tells the compression that bytes begin as.
  package static func compression(of bytes: [UInt8]) -> BodyCoding? {
    guard bytes.count > 3 else { return nil }
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
    if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstd }
    // "x^" begins a text as well: whether it is one is known when it was undone.
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
