/// A streaming encoder of one or more content codings (RFC 9110 §8.4).
package final class ContentEncoder {
  /// The layers in the order in which they are applied.
  private let layers: [any CodingLayer]

  /// Creates an encoder for a list of codings such as `gzip` or `gzip, br`; nil if one cannot be encoded on this
  /// machine.
  package init?(_ codings: String) {
    var layers: [any CodingLayer] = []
    for name in ContentCoding.names(in: codings) {
      guard let layer = ContentCoding(name: name)?.encoder else { return nil }
      layers.append(layer)
    }
    guard (1...ContentCoding.deepest).contains(layers.count) else { return nil }
    self.layers = layers
  }

  /// Encodes the next bytes, so that the receiver can decode all of them; nil if a library reports an error.
  package func encode(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
    var coded = bytes
    for layer in layers {
      guard let next = layer.encode(coded, isLast ? .end : .all) else { return nil }
      coded = next
    }
    return coded
  }
}
