import HTTP

extension Playback {
  /// What the deck's faults make of a performance, and how many seconds pass before it begins.
  ///
  /// - Parameter performance: What the recording, or the code of a stub, has to say.
  /// - Returns: The performance as a client gets it.
  package func faulted(_ performance: Performance) -> (performance: Performance, delay: Double) {
    guard !faults.isEmpty else { return (performance, 0) }
    var delay = Fault.delay(of: faults)
    guard case .response(var played) = performance else {
      if takesRecordedTime { delay += recordedTime.total }
      return (performance, delay)
    }
    var flow = BodyFlow(played)
    if takesRecordedTime {
      let time = recordedTime
      // Recorded pieces know their gaps.
      if flow == nil || flow?.isStreamed == true || flow?.length == 0 {
        delay += flow?.isStreamed == true ? time.head : time.total
      } else {
        delay += time.head
        flow?.delay(by: time.total - time.head)
      }
    }
    for fault in faults { if case .cut(let count) = fault.effect { flow?.cut(after: count) } }
    for fault in faults { if case .rate(let rate) = fault.effect { flow?.slow(to: rate) } }
    if let body = flow?.body { played.body = body }
    return (.response(played), delay)
  }

  /// The faults that show, for a ledger: time alone does not.
  package var shownFaults: [String] {
    faults.filter { if case .cut = $0.effect { true } else { false } }.map(\.description)
  }

  private var takesRecordedTime: Bool {
    faults.contains { if case .recordedLatency = $0.effect { true } else { false } }
  }

  /// Seconds until the first and until the last byte.
  private var recordedTime: (head: Double, total: Double) {
    guard let facts = recording.interaction.recorded else { return (0, 0) }
    let head = max(0, facts.firstByte ?? facts.total ?? 0)
    return (head, max(head, facts.total ?? head))
  }
}

/// A body on its way: in which pieces, and whether all of them arrive.
private struct BodyFlow {
  private var pieces: [BodyChunk]
  /// How many bytes the head announces; nil when it does not.
  let length: Int?
  private var breaksOff: Bool
  private var isChanged = false

  /// Nil when no body is sent.
  init?(_ played: PlayedResponse) {
    guard played.status.allowsContent else { return nil }
    switch played.body {
    case .length: return nil
    case .bytes(let bytes): (pieces, length, breaksOff) = ([BodyChunk(bytes: bytes)], bytes.count, false)
    case .file(let file, let range):
      (pieces, length, breaksOff) = ([BodyChunk(bytes: PlayedBody.bytes(of: file, range))], range.count, false)
    case .pieces(let pieces, let breaksOff): (self.pieces, length, self.breaksOff) = (pieces, nil, breaksOff)
    case .measured(let pieces, let length, let breaksOff):
      (self.pieces, self.length, self.breaksOff) = (pieces, length, breaksOff)
    }
  }

  var isStreamed: Bool { length == nil }

  /// Nil when it is as it was.
  var body: PlayedBody? {
    guard isChanged else { return nil }
    if let length { return .measured(pieces, length: length, breaksOff: breaksOff) }
    return .pieces(pieces, breaksOff: breaksOff)
  }

  mutating func delay(by seconds: Double) {
    guard seconds > 0, !pieces.isEmpty else { return }
    pieces[0].after += seconds
    isChanged = true
  }

  mutating func cut(after count: Int?) {
    let total = pieces.reduce(0) { $0 + $1.bytes.count }
    var left = count ?? total / 2
    guard left < total else { return }
    var kept: [BodyChunk] = []
    for piece in pieces where left > 0 {
      kept.append(BodyChunk(after: piece.after, bytes: Array(piece.bytes.prefix(left))))
      left -= min(left, piece.bytes.count)
    }
    (pieces, breaksOff, isChanged) = (kept, true, true)
  }

  /// Twenty pieces a second: what a client shows of its progress moves, and no timer is a burden.
  mutating func slow(to rate: Int) {
    let size = max(1, rate / 20)
    var slow: [BodyChunk] = []
    for piece in pieces {
      var rest = piece.bytes[...]
      var pause = piece.after
      while !rest.isEmpty {
        let slice = rest.prefix(size)
        rest = rest.dropFirst(size)
        slow.append(BodyChunk(after: max(pause, Double(slice.count) / Double(rate)), bytes: Array(slice)))
        pause = 0
      }
    }
    (pieces, isChanged) = (slow, true)
  }
}
