/// Undoes the content codings of a message as its bytes arrive, the last one first (RFC 9110 §8.4).
package final class ContentDecoder {
  /// The content is not what its coding says.
  package struct Failure: Error {
    /// True if the content is valid, but decodes to more than is allowed.
    package var isTooLong = false

    package init() {}
  }

  /// The most bytes that coded content may decode to where it is kept or compared decoded: 64 MB.
  package static let longest = 64 << 20

  /// The layers in the order in which they are undone.
  private let layers: [DecodingLayer]

  /// Creates a decoder for a message's `Content-Encoding`; nil where there is nothing to decode, or no means to.
  package convenience init?(_ headers: HTTPHeaders) {
    guard headers.contains("Content-Encoding") else { return nil }
    self.init(names: Self.names(of: headers))
  }

  /// Creates a decoder for one coding; nil without the means.
  package convenience init?(_ coding: ContentCoding) { self.init(names: [coding.rawValue]) }

  private init?(names: [String]) {
    guard (1...ContentCoding.deepest).contains(names.count) else { return nil }
    var layers: [DecodingLayer] = []
    for name in names.reversed() {
      guard let coding = ContentCoding(name: name)?.decoder else { return nil }
      layers.append(DecodingLayer(coding))
    }
    self.layers = layers
  }

  /// Tells whether bytes begin as gzip (RFC 1952 §2.3.1), zlib (RFC 1950 §2.2) or zstd (RFC 8878 §3.1.1) does.
  package static func looksCoded(_ start: [UInt8]) -> Bool {
    guard start.count > 1 else { return false }
    if start[0] == 0x1F, start[1] == 0x8B { return true }
    if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
    return start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
  }

  /// Returns the codings of content, in the order they were applied, in lower case.
  package static func names(of headers: HTTPHeaders) -> [String] {
    headers.values(of: "Content-Encoding").flatMap { ContentCoding.names(in: $0) }
  }

  /// Returns the codings that can be decoded, as one text: `gzip, br`; nil where there is none, or one cannot be.
  package static func coding(of headers: HTTPHeaders) -> String? {
    let names = names(of: headers)
    guard ContentDecoder(names: names) != nil else { return nil }
    return names.joined(separator: ", ")
  }

  /// True if the coded content has come to the end that it marks itself.
  package var isComplete: Bool { layers.allSatisfy(\.isComplete) }

  /// Decodes what came next in parts, which may stand for at most ``longest`` bytes: it can be much in few.
  package func decode(_ bytes: [UInt8], _ use: ([UInt8]) -> Void) throws(Failure) {
    try decodeParts(of: bytes, limit: Self.longest, use)
  }

  /// Decodes what came next, as a whole of at most `limit` bytes.
  package func decode(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var content: [UInt8] = []
    try decodeParts(of: bytes, limit: limit) { content += $0 }
    return content
  }

  private func decodeParts(of bytes: [UInt8], limit: Int, _ use: ([UInt8]) -> Void) throws(Failure) {
    var failure = Failure()
    // What lies between two layers counts as well: content that stands for nothing can be endless there.
    var left = Array(repeating: limit, count: layers.count)
    func pass(_ bytes: [UInt8], from layer: Int) -> Bool {
      layers[layer].decode(bytes) { part in
        left[layer] -= part.count
        failure.isTooLong = left[layer] < 0
        if failure.isTooLong { return false }
        if layer + 1 < layers.count { return pass(part, from: layer + 1) }
        use(part)
        return true
      }
    }
    guard pass(bytes, from: 0) else { throw failure }
  }
}
