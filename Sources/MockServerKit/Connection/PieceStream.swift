internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes

/// The rest of an answer that leaves in pieces, each after its gap.
struct PieceStream {
  private let pieces: [BodyChunk]
  /// The way the connection ends where the pieces break off; nil if they do not.
  private let end: CassetteFault.CutEnd?
  /// True if pieces are chunks; otherwise a length was said, or the connection's end ends them (RFC 9112 §6.3).
  private let isChunked: Bool
  private let persists: Bool
  private let trailers: HTTPHeaders
  private var next = 0
  /// An answer that waits for its time, or for something.
  private var pending: PendingAnswer?

  init(_ pieces: [BodyChunk], end: CassetteFault.CutEnd?, isChunked: Bool, persists: Bool, trailers: HTTPHeaders = []) {
    self.pieces = pieces
    self.end = end
    self.isChunked = isChunked
    self.persists = persists
    self.trailers = trailers
  }

  /// An answer that waits for something, its head sent already if it has one.
  init(_ pending: PendingAnswer) {
    (pieces, end, isChunked, persists, trailers) = ([], nil, false, true, [])
    self.pending = pending
  }

  /// The seconds to wait before the next piece; nil when there is none.
  var gap: Double? { pending?.interval ?? (next < pieces.count ? max(0, pieces[next].after) : nil) }

  /// Appends the next piece, and the pieces without a gap that follow it, until enough bytes wait for the client.
  ///
  /// The stream continues when the client has taken them, so that a client that does not read occupies little memory.
  mutating func appendDue(to output: inout Output) -> NextAction {
    while true {
      let next = appendNext(to: &output)
      guard case .stream(let rest) = next, rest.pending == nil, rest.gap == 0, output.count < Output.mostAhead else {
        return next
      }
      self = rest
    }
  }

  /// Appends the next piece, and the end if it was the last; returns what happens then.
  mutating func appendNext(to output: inout Output) -> NextAction {
    if let pending { return pending.proceed(&output) ?? .stream(self) }
    if next < pieces.count {
      let bytes = pieces[next].bytes
      // An empty chunk would be the last one (RFC 9112 §7.1).
      if !bytes.isEmpty { output.append(bytes, asChunk: isChunked) }
      next += 1
    }
    guard next >= pieces.count else { return .stream(self) }
    switch end {
    case .reset?: return .reset
    case .close?: return .close
    case .silence?: return .silence
    case .badChunk?:
      output.append("~no chunk~\r\n")
      return .close
    case nil: break
    }
    if isChunked { output.appendLastChunk(trailers) }
    return persists ? .persist : .close
  }
}
