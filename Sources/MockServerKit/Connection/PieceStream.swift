internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The remaining pieces of a streamed response, each sent after its gap.
struct PieceStream {
  /// The interval at which a wait on a test's clock is polled.
  private static let secondsBetweenPolls = 0.001

  private let pieces: [BodyChunk]
  /// How the connection ends after an incomplete body; nil if the body is complete.
  private let end: CassetteFault.CutEnd?
  /// True if the pieces are sent as chunks; otherwise a length or the end of the connection frames them (RFC 9112
  /// §6.3).
  private let isChunked: Bool
  private let persists: Bool
  private let trailers: HTTPHeaders
  private var next = 0
  /// A response that is delayed or not available yet.
  private var pending: PendingAnswer?

  init(_ pieces: [BodyChunk], end: CassetteFault.CutEnd?, isChunked: Bool, persists: Bool, trailers: HTTPHeaders = []) {
    self.pieces = pieces
    self.end = end
    self.isChunked = isChunked
    self.persists = persists
    self.trailers = trailers
  }

  /// Creates a stream for a response that is not available yet; its head, if any, has already been sent.
  init(_ pending: PendingAnswer) {
    (pieces, end, isChunked, persists, trailers) = ([], nil, false, true, [])
    self.pending = pending
  }

  /// The seconds to wait before the next piece; nil if there are no more pieces.
  var gap: Double? { pending?.interval ?? (next < pieces.count ? max(0, pieces[next].after) : nil) }

  /// The number of bytes that were not appended to the output; nil before the response is available.
  var rest: Int? { pending == nil ? Array(pieces[min(next, pieces.count)...]).size : nil }

  /// Returns a stream that continues when the clock of a test has passed the gap before the next piece.
  ///
  /// - Parameter clock: The clock; nil for real time.
  /// - Returns: The stream; nil if the gap takes real time.
  func waiting(on clock: @autoclosure () -> (any Clock<Duration>)?) -> PieceStream? {
    // Most pieces have no gap, and then the lock of the clock is not taken.
    guard let gap, gap > 0, pending?.isDelay != false, let clock = clock() else { return nil }
    let wait = ClockWait(seconds: gap, on: clock)
    return PieceStream(
      PendingAnswer(every: Self.secondsBetweenPolls) { output in
        guard wait.isOver else { return nil }
        var stream = self
        return stream.appendDue(to: &output)
      })
  }

  /// Appends the next piece, and the pieces without a gap that follow it, until enough bytes are unsent.
  ///
  /// The stream continues when the client has received them, so that a client that does not read occupies little
  /// memory.
  mutating func appendDue(to output: inout Output) -> NextAction {
    while true {
      let next = appendNext(to: &output)
      guard case .stream(let rest) = next, rest.pending == nil, rest.gap == 0, output.count < Output.mostInARow else {
        return next
      }
      self = rest
    }
  }

  /// Appends the next piece, and the end of the body after the last one; returns the next action of the connection.
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
