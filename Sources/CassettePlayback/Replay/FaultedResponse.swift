import CassetteHTTP
internal import CassetteSystem
package import Cassettes

extension Playback {
  /// Applies the deck's speed and faults and the recording's replay rules to a response, and sets its delay.
  ///
  /// The speed shortens what the recording defines: its delay, and the gaps of a stream. Delays of faults and settings
  /// are not shortened.
  ///
  /// Returns the response to send, with the delay in seconds before it begins.
  package func faulted(_ response: PlayedResponse) throws(CassetteError) -> PlayedResponse {
    let (replay, settings, ownFault) = (replay, session.settings, ownFault)
    var played = response
    if session.speed != 1, case .pieces(let pieces, let breaksOff) = played.body {
      let faster = pieces.map { BodyChunk(after: scaled($0.after), bytes: $0.bytes) }
      played.body = .pieces(faster, breaksOff: breaksOff)
    }
    guard !faults.isEmpty || !settings.isPlain || replay?.changesTime == true || ownFault != nil else {
      return played
    }
    var chance = random(for: asked, "time")
    var time = takesRecordedTime ? recordedTime : nil
    played.delay += CassetteFault.delay(of: faults)
    if time == nil, let own = replay?.delay {
      let drawn = drawn(own, &chance)
      time = (scaled(drawn.head), scaled(drawn.total))
    }
    // The latency of the settings applies only to recordings without their own latency.
    if time == nil, let latency = settings.latency { time = drawn(latency, &chance) }
    if played.failure != nil {
      played.delay += time?.total ?? 0
      return played
    }
    var flow = try BodyFlow(played)
    if let time {
      // Recorded pieces have their own gaps.
      let isWhole = flow == nil || flow?.isStreamed == true || flow?.length == 0
      played.delay += isWhole && flow?.isStreamed != true ? time.total : time.head
      if !isWhole { flow?.delay(by: time.total - time.head) }
    }
    if let gap = replay?.chunkDelay { flow?.space { self.scaled(self.drawn(gap, &chance).head) } }
    if let cut = ownFault?.cutEnd { flow?.cut(after: replay?.faultTerms.after, cut) }
    for fault in faults { if case .cut(let count, let end) = fault.effect { flow?.cut(after: count, end) } }
    for fault in faults { if case .rate(let rate) = fault.effect { flow?.slow(to: rate) } }
    if let rate = replay?.bytesPerSecond ?? settings.bytesPerSecond { flow?.slow(to: rate) }
    if let flow, let body = flow.body { (played.body, played.cutEnd) = (body, flow.end) }
    return played
  }

  /// Returns the seconds until the first and until the last byte, drawn from a latency.
  private func drawn(_ latency: Latency, _ chance: inout SeededRandom) -> (head: Double, total: Double) {
    let head: Double
    switch latency {
    case .recorded: return recordedTime
    case .seconds(let seconds): head = seconds
    case .uniform(let least, let most): head = least + chance.fraction() * (most - least)
    case .logNormal(let median, let sigma): head = chance.logNormal(median: median, sigma: sigma)
    case .fitted:
      guard let fit = table.times.fit(of: recording.cassette, in: table) else { return (0, 0) }
      let head = min(chance.logNormal(median: fit.median, sigma: fit.sigma), fit.longest)
      return (head, head + max(0, recordedTime.total - recordedTime.head))
    }
    return (min(head, Latency.longest), min(head, Latency.longest))
  }

  /// The fault of the recording's replay rules, if it applies to this answer.
  private var ownFault: CassetteFault.Kind? {
    guard let replay, let fault = replay.fault else { return nil }
    let applies = replay.faultTerms.apply(turn: session.turn, chance: fraction(of: session.turn))
    return applies ? fault : nil
  }

  private func fraction(of turn: Int) -> Double {
    var random = random(for: asked, "own fault \(turn)")
    return random.fraction()
  }

  /// The visible faults, for the journal; a delay alone is not listed.
  package var shownFaults: [String] {
    faults.filter { if case .cut = $0.effect { true } else { false } }.map(\.description)
  }

  /// The plan of the failure that the recording's replay rules put in place of the answer.
  var interruption: Plan? {
    guard let fault = ownFault, let failure = fault.failure else { return nil }
    var chance = random(for: asked, "time")
    var response = PlayedResponse(failure)
    response.delay = CassetteFault.delay(of: faults) + (replay?.delay.map { scaled(drawn($0, &chance).head) } ?? 0)
    let words = "\"fault\": \"\(fault.rawValue)\" of \"\(recording.interaction.id)\""
    return .made(response, by: .fault(words, approximation), number: request)
  }

  /// Returns a recorded time at the deck's speed.
  private func scaled(_ seconds: Double) -> Double { session.speed > 0 ? seconds / session.speed : 0 }

  private var takesRecordedTime: Bool {
    faults.contains { if case .recordedLatency = $0.effect { true } else { false } }
  }

  /// The recorded seconds until the first and until the last byte.
  private var recordedTime: (head: Double, total: Double) {
    guard let facts = recording.interaction.recorded else { return (0, 0) }
    let head = max(0, facts.firstByte ?? facts.total ?? 0)
    return (head, max(head, facts.total ?? head))
  }
}

extension ReplayRules {
  /// True if the rules define how long an answer takes.
  fileprivate var changesTime: Bool { delay != nil || chunkDelay != nil || bytesPerSecond != nil }

  /// True if the rules delay, split or interrupt an answer.
  var changesAnswer: Bool { changesTime || fault != nil }
}

/// The pieces of a body in transit, and whether the body is complete.
private struct BodyFlow {
  private var pieces: [BodyChunk]
  /// The announced length in bytes; nil if no length is announced.
  private(set) var length: Int?
  private var breaksOff: Bool
  /// How the connection ends if the body is incomplete.
  private(set) var end: CassetteFault.CutEnd
  private var isChanged = false

  /// Creates the flow of a response's body; returns nil if no body is sent.
  init?(_ played: PlayedResponse) throws(CassetteError) {
    end = played.cutEnd
    guard played.status.allowsContent else { return nil }
    switch played.body {
    case .length, .failure: return nil
    case .bytes(let bytes): (pieces, length, breaksOff) = ([BodyChunk(bytes: bytes)], bytes.count, false)
    case .file(let file, let range):
      (pieces, length, breaksOff) = ([BodyChunk(bytes: try PlayedBody.bytes(of: file, range))], range.count, false)
    case .pieces(let pieces, let breaksOff): (self.pieces, length, self.breaksOff) = (pieces, nil, breaksOff)
    case .measured(let pieces, let length, let breaksOff):
      (self.pieces, self.length, self.breaksOff) = (pieces, length, breaksOff)
    }
  }

  var isStreamed: Bool { length == nil }

  /// The changed body; nil if it did not change.
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

  /// Replaces the gaps before the pieces.
  mutating func space(by gap: () -> Double) {
    for index in pieces.indices { pieces[index].after = gap() }
    isChanged = true
  }

  mutating func cut(after count: Int?, _ end: CassetteFault.CutEnd) {
    // An invalid chunk requires the chunked transfer coding.
    if end == .badChunk { length = nil }
    let total = pieces.size
    var left = count ?? total / 2
    guard left < total else { return }
    self.end = end
    var kept: [BodyChunk] = []
    for piece in pieces where left > 0 {
      kept.append(BodyChunk(after: piece.after, bytes: Array(piece.bytes.prefix(left))))
      left -= min(left, piece.bytes.count)
    }
    (pieces, breaksOff, isChanged) = (kept, true, true)
  }

  /// Splits the body into twenty pieces a second: progress is visible in the client, and timers stay few.
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
