internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerSockets

/// Deadlines of clients: for slow heads, idle connections, and streams whose next piece is due.
extension ConnectionLoop {
  /// Updates a client's deadline: only an incomplete head has a short one.
  @inline(__always)
  func touch(_ client: Client, _ now: UInt64) {
    if client.http.isMidHead {
      if client.idleSince != 0 {
        client.idleSince = 0
        client.deadline = now + headNanoseconds
        schedule(client.deadline)
      }
      return
    }
    client.idleSince = now
    client.deadline = now + idleNanoseconds
    if client.deadline < nextDeadline { schedule(client.deadline) }
  }

  func schedule(_ time: UInt64) {
    guard time < nextDeadline else { return }
    nextDeadline = time
    loop.wake(at: time)
  }

  /// Closes every client whose deadline has passed, and schedules the next sweep for the earliest remaining deadline.
  func sweep(_ now: UInt64) {
    var next = UInt64.max
    for client in clients {
      guard let client else { continue }
      if client.deadline <= now { expire(client, now) } else { next = min(next, client.deadline) }
    }
    if !accepts, stopsAt == nil { startAcceptingAgain(now) }
    if let stopsAt { next = min(next, stopsAt) }
    if next != .max { schedule(max(next, now + Self.granularity)) }
  }

  /// Accepts connections again: a client may have been idle long enough to be closed.
  func startAcceptingAgain(_ now: UInt64) {
    startAccepting()
    schedule(now + Self.granularity)
  }

  func expire(_ client: Client, _ now: UInt64) {
    if client.stage == .shaking { state.noteHandshake("a client did not finish the TLS handshake in time") }
    guard case .open = client.stage, client.http.isMidRequest, client.unsent == nil else {
      close(client)
      return
    }
    serve(client, now) { client.http.expire(handler: responder, output: &$1) }
  }

  // MARK: Answers whose last byte is sent after the turn in which they were recorded

  /// Withholds the event of the last answer, so that it reports the bytes and the time until the last byte.
  func withholdAnswer(of client: Client) {
    guard let noted = responder.noted.take() else { return }
    client.unfinished.append((responder.ring.withhold(noted.number), noted))
  }

  /// Records the end of answers: their last byte was sent, or the client closed the connection before.
  func finishAnswers(of client: Client, isDisconnected: Bool) {
    guard !client.unfinished.isEmpty else { return }
    let now = Platform.monotonicNanoseconds()
    for (answer, noted) in client.unfinished {
      let missing = isDisconnected ? client.rest ?? noted.sent : 0
      state.feed.schedule(
        responder.ring.finish(
          answer, sent: max(0, noted.sent - missing), nanoseconds: Int(truncatingIfNeeded: now &- noted.began),
          isDisconnected: isDisconnected))
    }
    client.unfinished = []
  }

  // MARK: Streams

  struct TimedStream {
    let client: Client
    var stream: PieceStream
    let due: UInt64
  }

  func schedule(_ next: PieceStream, for client: Client) {
    let stream = next.waiting(on: state.clock.withLock { $0 }) ?? next
    let gap = Self.nanoseconds(stream.gap ?? 0)
    let due = Platform.monotonicNanoseconds() + gap
    client.deadline = due + idleNanoseconds
    streams.append(TimedStream(client: client, stream: stream, due: due))
    schedule(due)
  }

  func playDueStreams(_ now: UInt64) {
    guard !streams.isEmpty else { return }
    let due = streams.filter { $0.due <= now }
    streams.removeAll { $0.due <= now }
    for (index, var timed) in due.enumerated() where clients[Int(timed.client.descriptor)] === timed.client {
      guard written < Self.mostInATurn else {
        streams.insert(contentsOf: due[index...], at: 0)
        break
      }
      serve(timed.client, now) { parser, output in
        let next = timed.stream.appendDue(to: &output)
        timed.client.http.proceed(to: next)
        if case .persist = next { timed.client.http.resume(parser: &parser, handler: responder, output: &output) }
      }
    }
    for timed in streams { schedule(timed.due) }
  }
}
