internal import CassetteSystem

/// The tripwire: finds what looks like a known token, in whatever encoding, before it is kept.
package struct SecretScanner: Sendable {
  package let redaction: Redaction

  /// A scanner that lets pass what a redaction keeps.
  package init(_ redaction: Redaction = .standard) {
    self.redaction = redaction
  }

  /// The values in some bytes that look like tokens, as they are without their encoding.
  package func tokens(in bytes: [UInt8]) -> Set<String> {
    var tokens: Set<String> = []
    eachToken(in: bytes) { _, value in tokens.insert(value) }
    return tokens
  }

  /// The kinds of tokens that bytes hold, in any encoding.
  package func kinds(in bytes: [UInt8]) -> [String] {
    var kinds: [String] = []
    eachToken(in: bytes) { shape, _ in if !kinds.contains(shape.kind) { kinds.append(shape.kind) } }
    return kinds
  }

  /// Whether bytes hold a token, in any encoding.
  package func holdsToken(_ bytes: [UInt8]) -> Bool { !kinds(in: bytes).isEmpty }

  /// Calls back with each token that bytes hold, in any encoding.
  package func eachToken(in bytes: [UInt8], _ found: (_ shape: SecretShape, _ value: String) -> Void) {
    RedactionView.each(of: bytes) { eachToken(in: $0, found) }
  }

  /// Calls back with each token that one way to read bytes has, and none before it.
  func eachToken(in view: RedactionView, _ found: (_ shape: SecretShape, _ value: String) -> Void) {
    view.bytes.searching { text in
      if view.edits.isEmpty {
        look(at: text, 0..<text.count, found)
      } else {
        // What is elsewhere was looked at as it was before.
        eachPart(of: text, view.edits) { look(at: text, $0, found) }
      }
      RedactionBase64.eachRun(in: text, of: view) { run in
        guard run.count >= 20 else { return }
        RedactionBase64.eachText(in: text, run) { decoded in
          decoded.searching { look(at: $0, 0..<$0.count, found) }
        }
      }
    }
  }

  /// Where tokens may stand that have an edit in them, or before them what names them.
  private func eachPart(
    of text: ByteSearch, _ edits: [RedactionView.Edit], _ use: (Range<Int>) -> Void
  ) {
    var part: Range<Int>?
    // The bytes that tokens are made of end here.
    var done = 0
    for edit in edits where Int(edit.start) + Int(edit.count) >= done {
      let first = max(done, Int(edit.start))
      let last = min(text.count, Int(edit.start) + Int(edit.count))
      var start = first
      while start > done, Self.partBytes.contains(text[start - 1]) { start -= 1 }
      var end = max(first, last)
      while end < text.count, Self.partBytes.contains(text[end]) { end += 1 }
      done = end
      start = max(0, start - 96)
      end = min(text.count, end + 96)
      if let before = part, before.upperBound >= start {
        part = before.lowerBound..<end
      } else {
        if let part { use(part) }
        part = start..<end
      }
    }
    if let part { use(part) }
  }

  /// Looks for tokens that begin in a part of a text; a guess is left to who reads names.
  private func look(at text: ByteSearch, _ part: Range<Int>, _ found: (_ shape: SecretShape, _ value: String) -> Void) {
    SecretShapes.eachMatch(in: text, part) { shape, range in
      guard !shape.isGeneric else { return }
      let value = String(decoding: text.bytes(range), as: UTF8.self)
      if !redaction.kept.contains(.value(value)) { found(shape, value) }
    }
  }

  /// The bytes that tokens are made of.
  private static let partBytes = ByteSet.word.adding("-_./+")
}
