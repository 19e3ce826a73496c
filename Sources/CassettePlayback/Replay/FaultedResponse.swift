import CassetteHTTP
internal import Cassettes

extension Playback {
  /// What the deck's faults and the recording's own rules make of a performance, and when it begins.
  ///
  /// - Parameters:
  ///   - performance: What the recording, or the code of a stub, has to say.
  ///   - speed: How much faster the recording's own time passes; 0 for at once. Faults take the time they were given.
  /// - Returns: The performance as a client gets it, and how many seconds pass before it begins.
  package func faulted(_ performance: PlannedResponse, speed: Double = 1) -> (
    performance: PlannedResponse, delay: Double
  ) {
    let replay = replay
    guard !faults.isEmpty || replay?.delay != nil || replay?.fault != nil else { return (performance, 0) }
    var delay = Fault.delay(of: faults)
    if case .seconds(let seconds)? = replay?.delay { delay += Self.scaled(seconds, speed) }
    var takesTime = takesRecordedTime
    var recordedTime = recordedTime
    if !takesTime, replay?.delay == .recorded {
      takesTime = true
      recordedTime = (Self.scaled(recordedTime.head, speed), Self.scaled(recordedTime.total, speed))
    }
    guard case .response(var played) = performance else {
      if takesTime { delay += recordedTime.total }
      return (performance, delay)
    }
    var flow = BodyFlow(played)
    if takesTime {
      let time = recordedTime
      // Recorded pieces know their gaps.
      if flow == nil || flow?.isStreamed == true || flow?.length == 0 {
        delay += flow?.isStreamed == true ? time.head : time.total
      } else {
        delay += time.head
        flow?.delay(by: time.total - time.head)
      }
    }
    if replay?.fault == .truncate { flow?.cut(after: nil) }
    for fault in faults { if case .cut(let count) = fault.effect { flow?.cut(after: count) } }
    for fault in faults { if case .rate(let rate) = fault.effect { flow?.slow(to: rate) } }
    if let body = flow?.body { played.body = body }
    return (.response(played), delay)
  }

  /// The faults that show, for a ledger: time alone does not.
  package var shownFaults: [String] {
    faults.filter { if case .cut = $0.effect { true } else { false } }.map(\.description)
  }

  /// What the recording's own rules put in the place of the answer.
  var interruption: Interruption? {
    guard let replay, let fault = replay.fault, let failure = fault.failure else { return nil }
    let time: Double =
      switch replay.delay {
      case .seconds(let seconds): seconds
      case .recorded: recordedTime.head
      case nil: 0
      }
    return Interruption(
      request: request, fault: "\"fault\": \"\(fault.rawValue)\" of \"\(recording.interaction.id)\"",
      performance: .failure(failure), ownDelay: time, delay: Fault.delay(of: faults))
  }

  static func scaled(_ seconds: Double, _ speed: Double) -> Double { speed > 0 ? seconds / speed : 0 }

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

extension ReplayRules.Fault {
  /// How an exchange fails with it; nil when there is an answer.
  fileprivate var failure: RecordedFailure? {
    switch self {
    case .reset: RecordedFailure(code: -1005)
    // What URLSession says of an empty reply on Linux, and of what is no HTTP on Apple's systems.
    case .empty: RecordedFailure(code: -1011)
    case .malformed: RecordedFailure(code: -1017)
    case .timeout: RecordedFailure(code: -1001)
    case .truncate: nil
    }
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
