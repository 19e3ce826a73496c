internal import Cassettes

/// The rest of an answer that leaves in pieces, each after its gap.
struct PieceStream {
  private let pieces: [BodyChunk]
  private let breaksOff: Bool
  /// Whether pieces are chunks; to a client of HTTP/1.0 they are bare bytes that the connection's end ends.
  private let isChunked: Bool
  private let persists: Bool
  private var next = 0

  init(_ pieces: [BodyChunk], breaksOff: Bool, isChunked: Bool, persists: Bool) {
    self.pieces = pieces
    self.breaksOff = breaksOff
    self.isChunked = isChunked
    self.persists = persists
  }

  /// Seconds to wait before the next piece; nil when there is none.
  var gap: Double? { next < pieces.count ? max(0, pieces[next].after) : nil }

  /// Appends the next piece, and the end if it was the last.
  ///
  /// - Returns: what happens then.
  mutating func appendNext(to output: inout Output) -> Afterwards {
    if next < pieces.count {
      let bytes = pieces[next].bytes
      // An empty chunk would be the last one (RFC 9112 §7.1).
      if !bytes.isEmpty {
        if isChunked { output.append("\(String(bytes.count, radix: 16))\r\n") }
        output.append(bytes)
        if isChunked { output.append("\r\n") }
      }
      next += 1
    }
    guard next >= pieces.count else { return .stream(self) }
    if breaksOff { return .reset }
    if isChunked { output.append("0\r\n\r\n") }
    return persists && isChunked ? .persist : .close
  }
}
