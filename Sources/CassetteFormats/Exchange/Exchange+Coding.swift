import CassetteHTTP
internal import CassetteSystem

extension Exchange {
  /// Brings the body to what a client reads, and the fields to what they say about it then.
  ///
  /// A body that its coding says is coded, and that can neither be decoded nor was decoded before, stays as it is with its
  /// field: it is told then that nobody can look into it.
  func decode(_ bytes: inout [UInt8], _ fields: inout HTTPHeaders) {
    let names = ContentDecoder.names(of: fields)
    guard let outer = names.last, coding != .kept else { return }
    let type = fields.mediaType
    // An archive that was sent compressed is one layer, not two.
    let isFile = type.map { $0.subtype.hasSuffix("gzip") || $0.subtype == "zstd" } ?? false
    let hasMark = BodyCoding.compression(of: bytes) != nil
    // Some recorders that decode export what was on the wire all the same.
    // Nothing marks Brotli: what is no text is tried.
    let mayBeBrotli = ContentCoding(name: outer) == .brotli && String(validUTF8: bytes) == nil
    let isTried = coding == .unknown || hasMark && !isFile || mayBeBrotli
    if isTried, let content = try? ContentDecoder(fields)?.whole(bytes) {
      bytes = content
      return fields.remove("Content-Encoding")
    }
    // Without a mark gzip, deflate and zstd are none; of others, text and what is told by its type was decoded.
    let isPlain: Bool =
      switch ContentCoding(name: outer) {
      case .gzip, .deflate, .zstd: !hasMark
      case .brotli, nil:
        bytes.isEmpty || String(validUTF8: bytes) != nil
          || type.map { ["image", "audio", "video", "font"].contains($0.type) } ?? false
      }
    if coding == .decoded || isPlain { fields.remove("Content-Encoding") }
  }

  /// A request's content without the codings that its fields name, where it has them.
  static func decoded(_ content: [UInt8]?, _ fields: inout HTTPHeaders) -> [UInt8]? {
    guard let content, let whole = try? ContentDecoder(fields)?.whole(content) else { return content }
    fields.remove("Content-Encoding")
    return whole
  }
}

extension ContentDecoder {
  /// Decodes a content as a whole; nil when its end is missing.
  fileprivate func whole(_ bytes: [UInt8]) throws(Failure) -> [UInt8]? {
    let content = try decode(bytes, limit: Self.longest)
    return isComplete ? content : nil
  }
}
