internal import CassetteSystem

/// Texts that come in pieces: what the events of a stream say one after the other, or the lines of JSON.
///
/// A language model sends a token as `"ghp_A"` and `"bC…"`, each in an event of its own. Strings at the same path of
/// each event are read as one text, and so are lines of `data:` without JSON in them.
package enum JoinedText {
  /// Each text that stands in a body in pieces, as a way to read it.
  package static func each(of bytes: [UInt8], hasPieces: Bool, _ use: (DecodedView) -> Void) {
    guard bytes.count < Int(Int32.max) else { return }
    for ranges in JoinedPieces.texts(in: bytes, hasPieces: hasPieces) where ranges.count > 1 {
      // The texts of a stream have escapes of their own.
      DecodedView(bytes, edits(keeping: ranges, of: bytes), isJoined: true).eachDeeper(of: bytes, use)
    }
  }

  /// Leaves out all but some pieces, and undoes what is escaped in them.
  private static func edits(keeping pieces: [Range<Int>], of bytes: [UInt8]) -> [DecodedView.Edit] {
    var edits: [DecodedView.Edit] = []
    var (done, count) = (0, 0)
    func leaveOut(upTo end: Int) {
      if end > done { edits.append(DecodedView.Edit(bytes: 0, start: count, count: 0, original: done..<end)) }
      done = end
    }
    bytes.searching { text in
      for piece in pieces {
        leaveOut(upTo: piece.lowerBound)
        while let escape = text.first(UInt8(ascii: "\\"), in: done..<piece.upperBound),
          let step = DecodedView.backslash(text, escape, bytes), escape + step.length <= piece.upperBound
        {
          count += escape - done
          done = escape + step.length
          edits.append(DecodedView.Edit(bytes: step.bytes, start: count, count: step.count, original: escape..<done))
          count += step.count
        }
        count += piece.upperBound - done
        done = piece.upperBound
      }
      leaveOut(upTo: text.count)
    }
    return edits
  }
}
