internal import CassetteShapes
internal import CassetteSystem

/// The tripwire: finds what looks like a known token, in whatever encoding, before it is kept.
package struct SecretScanner: Sendable {
  package let redaction: CassetteRedaction

  /// Creates a scanner that lets pass what a redaction keeps.
  package init(_ redaction: CassetteRedaction = .standard) { self.redaction = redaction }

  /// Finds the kinds of tokens that bytes hold, in any encoding.
  package func kinds(in bytes: [UInt8]) -> [String] {
    var kinds: [String] = []
    DecodedView.each(of: bytes) { view in
      let parts = view.parts()
      view.bytes.searching { text in
        func found(_ shape: SecretShape, _ value: String) {
          if !kinds.contains(shape.kind) { kinds.append(shape.kind) }
        }
        for part in parts { _ = eachToken(in: text, part) { shape, _, value in found(shape, value) } }
        view.eachRun(in: text, parts) { eachToken(inBase64: text, $0, found) }
      }
    }
    return kinds
  }

  /// Tells whether bytes hold a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !kinds(in: bytes).isEmpty }

  /// Calls back with each token that begins in a part of a text, and says what else is to be looked for.
  func eachToken(
    in text: ByteSearch, _ part: Range<Int>, _ found: (_ shape: SecretShape, _ range: Range<Int>, String) -> Void
  ) -> SecretMarks {
    SecretShapes.eachMatch(in: text, part) { shape, range in
      let value = String(decoding: text.bytes(range), as: UTF8.self)
      if !redaction.kept.contains(.value(value)) { found(shape, range, value) }
    }
  }

  /// Calls back with each token in the text that a run of base64 decodes to.
  func eachToken(
    inBase64 text: ByteSearch, _ run: Range<Int>, _ found: (_ shape: SecretShape, _ value: String) -> Void
  ) {
    guard run.count >= 20 else { return }
    RedactionBase64.eachText(in: text, run) { decoded in
      decoded.searching { _ = eachToken(in: $0, 0..<$0.count) { shape, _, value in found(shape, value) } }
    }
  }
}
