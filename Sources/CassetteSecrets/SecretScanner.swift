internal import CassetteSystem

/// Finds values that look like known tokens, in any encoding, as a final check before recording.
package struct SecretScanner: Sendable {
  package let redaction: CassetteRedaction

  /// Creates a scanner that ignores the values that a redaction keeps.
  package init(_ redaction: CassetteRedaction = .standard) { self.redaction = redaction }

  /// Returns the kinds of tokens in the bytes, in any encoding.
  package func kinds(in bytes: [UInt8]) -> [String] {
    var kinds: [String] = []
    look(bytes, depth: 0, &kinds)
    return kinds
  }

  private func look(_ bytes: [UInt8], depth: Int, _ kinds: inout [String]) {
    DecodedView.each(of: bytes) { view in
      view.bytes.searching { text in
        for part in view.parts() {
          _ = eachToken(in: text, part) { shape, _, _ in
            if !kinds.contains(shape.kind) { kinds.append(shape.kind) }
          }
          if depth < 3 {
            RedactionBase64.eachText(in: text, part, where: view.isNew) { _, decoded, _ in
              look(decoded, depth: depth + 1, &kinds)
            }
          }
        }
      }
    }
  }

  /// True if the bytes contain a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !kinds(in: bytes).isEmpty }

  /// Calls a closure with each token that starts in a part of the input, and returns the hints for further searches.
  func eachToken(
    in text: ByteSearch, _ part: Range<Int>, _ found: (_ shape: SecretShape, _ range: Range<Int>, String) -> Void
  ) -> SecretShapes.Marks {
    SecretShapes.eachMatch(in: text, part) { shape, range in
      let value = String(decoding: text.bytes(range), as: UTF8.self)
      if !redaction.kept.contains(.value(value)) { found(shape, range, value) }
    }
  }
}
