/// A streaming decoder of all content codings of a message, the last one first (RFC 9110 §8.4).
package final class ContentDecoder {
  /// The error for content that is not valid in its coding.
  package struct Failure: Error {
    /// True if the content is valid, but its decoded size exceeds the limit.
    var isTooLong = false

    package init() {}
  }

  /// The maximum decoded size in bytes of content that is stored or compared in decoded form: 64 MB.
  package static let longest = 64 << 20

  /// The layers in the order in which they are decoded.
  private let layers: [DecodingLayer]

  /// Creates a decoder for the `Content-Encoding` of a message; nil if the field is missing or cannot be decoded.
  package convenience init?(_ headers: HTTPHeaders) {
    guard headers.contains("Content-Encoding") else { return nil }
    self.init(names: Self.names(of: headers))
  }

  /// Creates a decoder for a single coding; nil if it cannot be decoded on this machine.
  convenience init?(_ coding: ContentCoding) { self.init(names: [coding.rawValue]) }

  private init?(names: [String]) {
    guard (1...ContentCoding.deepest).contains(names.count) else { return nil }
    var layers: [DecodingLayer] = []
    for name in names.reversed() {
      guard let coding = ContentCoding(name: name)?.decoder else { return nil }
      layers.append(DecodingLayer(coding))
    }
    self.layers = layers
  }

  /// Returns true for the signatures of gzip (RFC 1952 §2.3.1), zlib (RFC 1950 §2.2) and zstd (RFC 8878 §3.1.1).
  package static func looksCoded(_ start: [UInt8]) -> Bool {
    guard start.count > 1 else { return false }
    if start[0] == 0x1F, start[1] == 0x8B { return true }
    if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
    return start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
  }

  /// Returns the names of a message's content codings in lower case, in the order in which they were applied.
  package static func names(of headers: HTTPHeaders) -> [String] {
    headers.values(of: "Content-Encoding").flatMap { ContentCoding.names(in: $0) }
  }

  /// Returns the content codings as a list such as `gzip, br`; nil if there is no coding or one cannot be decoded.
  package static func coding(of headers: HTTPHeaders) -> String? {
    let names = names(of: headers)
    guard ContentDecoder(names: names) != nil else { return nil }
    return names.joined(separator: ", ")
  }

  /// True if the content has reached the end that its coding marks.
  package var isComplete: Bool { layers.allSatisfy(\.isComplete) }

  /// Decodes the next bytes in parts.
  ///
  /// Their total size is limited to ``longest`` bytes for each call.
  package func decode(_ bytes: [UInt8], _ use: ([UInt8]) -> Void) throws(Failure) {
    try decode(bytes, limit: Self.longest) { part in
      use(part)
      return true
    }
  }

  /// Decodes the next bytes to at most `limit` bytes.
  package func decode(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var content: [UInt8] = []
    try decode(bytes, limit: limit) { part in
      content += part
      return true
    }
    return content
  }

  /// Decodes the next bytes in parts, to at most `limit` bytes; throws if `use` returns false.
  func decode(_ bytes: [UInt8], limit: Int, _ use: ([UInt8]) -> Bool) throws(Failure) {
    var failure = Failure()
    // The limit also applies between two layers, where data that decodes to nothing could be endless.
    var left = Array(repeating: limit, count: layers.count)
    func pass(_ bytes: [UInt8], from layer: Int) -> Bool {
      layers[layer].decode(bytes) { part in
        left[layer] -= part.count
        failure.isTooLong = left[layer] < 0
        if failure.isTooLong { return false }
        if layer + 1 < layers.count { return pass(part, from: layer + 1) }
        return use(part)
      }
    }
    guard pass(bytes, from: 0) else { throw failure }
  }
}
