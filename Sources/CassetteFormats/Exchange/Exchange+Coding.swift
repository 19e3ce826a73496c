import CassetteHTTP
internal import CassetteSystem

extension Exchange {
  /// Decodes the body if it is encoded, and removes the `Content-Encoding` field of a decoded body.
  ///
  /// A body that appears to be encoded but cannot be decoded remains unchanged with its field, and is reported as
  /// opaque later.
  func decode(_ bytes: inout [UInt8], _ fields: inout HTTPHeaders) {
    let names = ContentDecoder.names(of: fields)
    guard let outer = names.last, coding != .kept else { return }
    let type = fields.mediaType
    // An archive file starts with a signature, which does not mean that its bytes were compressed a second time.
    let isFile = type.map { $0.subtype.hasSuffix("gzip") || $0.subtype == "zstd" } ?? false
    let hasMark = BodyCoding.compression(of: bytes) != nil
    // Some recorders that decode bodies nevertheless export the encoded bytes.
    // Brotli has no signature, so bytes that are not UTF-8 are decoded on trial.
    let mayBeBrotli = ContentCoding(name: outer) == .brotli && String(validUTF8: bytes) == nil
    let isTried = coding == .unknown || hasMark && !isFile || mayBeBrotli
    if isTried, let content = try? ContentDecoder(fields)?.whole(bytes) {
      bytes = content
      return fields.remove("Content-Encoding")
    }
    // Data in gzip, deflate and zstd has a signature. For other codings, text and media files are taken for decoded.
    let isPlain: Bool =
      switch ContentCoding(name: outer) {
      case .gzip, .deflate, .zstd: !hasMark
      case .brotli, nil:
        bytes.isEmpty || String(validUTF8: bytes) != nil
          || type.map { ["image", "audio", "video", "font"].contains($0.type) } ?? false
      }
    if coding == .decoded || isPlain { fields.remove("Content-Encoding") }
  }

  /// Returns the content of a request without its content codings, and removes the `Content-Encoding` field.
  static func decoded(_ content: [UInt8]?, _ fields: inout HTTPHeaders) -> [UInt8]? {
    guard let content, let whole = try? ContentDecoder(fields)?.whole(content) else { return content }
    fields.remove("Content-Encoding")
    return whole
  }
}

extension ContentDecoder {
  /// Decodes a complete content; returns nil if it is truncated.
  fileprivate func whole(_ bytes: [UInt8]) throws(Failure) -> [UInt8]? {
    let content = try decode(bytes, limit: Self.longest)
    return isComplete ? content : nil
  }
}
