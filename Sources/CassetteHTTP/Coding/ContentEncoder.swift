/// Applies content codings one around the other, piece by piece (RFC 9110 §8.4).
package final class ContentEncoder {
  /// The layers in the order in which they are applied.
  private let layers: [any CodingLayer]

  /// Creates an encoder for codings such as `gzip` or `gzip, br`; nil where one of them cannot be made here.
  package init?(_ codings: String) {
    var layers: [any CodingLayer] = []
    for name in ContentCoding.names(in: codings) {
      guard let layer = ContentCoding(name: name)?.encoder else { return nil }
      layers.append(layer)
    }
    guard (1...ContentCoding.deepest).contains(layers.count) else { return nil }
    self.layers = layers
  }

  /// Codes what comes next, so that a client can decode all of it at once; nil when a library failed.
  package func encode(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
    var coded = bytes
    for layer in layers {
      guard let next = layer.encode(coded, isLast ? .end : .all) else { return nil }
      coded = next
    }
    return coded
  }
}
