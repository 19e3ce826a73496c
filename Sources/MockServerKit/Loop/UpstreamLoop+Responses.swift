internal import CassetteHTTP
internal import CassetteRecording
internal import Cassettes
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// Receiving upstream responses: their last bytes are sent to clients after the exchange is written to the journal.
extension UpstreamLoop {
  func receive(_ connection: UpstreamConnection, _ proxied: ProxiedRequest) {
    while connection.proxied === proxied, !connection.isPaused {
      let result = connection.stream.receive(into: owner.buffer)
      let now = Platform.monotonicNanoseconds()
      var events: [ResponseParser.Event] = []
      events.reserveCapacity(3)
      do {
        switch result {
        case .wouldBlock: return
        case .bytes(let count):
          let bytes = Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: owner.buffer[..<count]))
          let consumed = try connection.parser.parse(bytes, into: &events)
          if connection.parser.hasSwitched {
            return switchProtocols(connection, proxied, events, Array(owner.buffer[consumed..<count]))
          }
          if let head = events.lazy.compactMap(\.finalHead).first, !admits(head, connection, proxied) { return }
          let persists = connection.parser.persists && consumed == count && connection.hasSent
          try pass(events, connection, proxied, persists: persists, now)
          if count < owner.buffer.count, !connection.stream.mayHoldBytes { return }
        case .ended:
          proxied.relay.capture.cutEnd = .close
          try connection.parser.parseEnd(into: &events)
          try pass(events, connection, proxied, persists: false, now)
        case .failed(let code):
          return breakOff(connection, proxied, Platform.describe(code), RecordedFailure(code: -1005))
        }
      } catch let error as ParseError {
        // The codes that playback maps to an immediate close and to an invalid response.
        let code = connection.parser.hasStarted ? -1017 : -1011
        return breakOff(connection, proxied, "\(error)", RecordedFailure(code: code))
      } catch {
        return breakOff(connection, proxied, Self.wrongCoding)
      }
    }
  }

  /// Passes events of the parser on to the client.
  func pass(
    _ events: [ResponseParser.Event], _ connection: UpstreamConnection, _ proxied: ProxiedRequest, persists: Bool,
    _ now: UInt64
  ) throws(Relay.Failure) {
    connection.deadline = now + ConnectionLoop.nanoseconds(recorder?.settings.silenceSeconds ?? 0)
    connection.persists = persists
    var output = Output()
    for event in events { try proxied.relay.receive(event, at: now, into: &output) }
    try advance(connection, proxied, now, &output)
  }

  /// Sends the available bytes to the client; after the end of the response, the exchange is written before the client
  /// receives the last bytes.
  func advance(
    _ connection: UpstreamConnection, _ proxied: ProxiedRequest, _ now: UInt64, _ output: inout Output
  ) throws(Relay.Failure) {
    while connection.proxied === proxied {
      if proxied.relay.isOver { return complete(connection, proxied, now, &output) }
      if !output.isEmpty, let client = proxied.client {
        owner.serve(client, now) { $1.append(contentsOf: &output) }
        if let unsent = client.unsent, unsent.count > ConnectionLoop.unsentLimit { pause(connection, proxied) }
      }
      if connection.proxied === proxied, proxied.relay.isHeldUp, let body = proxied.longBody {
        pause(connection, proxied)
        let (group, loop, number) = (owner.group, owner.number, proxied.number)
        body.whenDrained { group.send(.drained(number), to: loop) }
      }
      guard !connection.isPaused, proxied.relay.holdsBack else { return }
      try proxied.relay.proceed(at: now, into: &output)
    }
  }

  func complete(
    _ connection: UpstreamConnection, _ proxied: ProxiedRequest, _ now: UInt64, _ output: inout Output
  ) {
    proxied.held = output
    connection.end()
    if connection.persists {
      idle.append(connection)
      connection.deadline = now + ConnectionLoop.nanoseconds(Self.idleSeconds)
      watch(connection)
    } else {
      close(connection)
    }
    keep(proxied, breaksOff: false)
    assignWaiting()
  }

  /// Pauses reading from the origin, because the client or the disk is slower.
  func pause(_ connection: UpstreamConnection, _ proxied: ProxiedRequest) {
    guard connection.proxied === proxied, !connection.isPaused else { return }
    connection.isPaused = true
    connection.deadline = .max
    watch(connection)
  }

  /// Resumes reading after the disk has accepted the waiting bytes.
  func drained(_ number: UInt64) {
    let waits = connections.values.first { $0.proxied?.number == number && $0.isPaused }
    if let waits, let proxied = waits.proxied { resume(waits, proxied) }
  }

  func resume(_ connection: UpstreamConnection, _ proxied: ProxiedRequest) {
    connection.isPaused = false
    let now = Platform.monotonicNanoseconds()
    connection.deadline = now + ConnectionLoop.nanoseconds(recorder?.settings.silenceSeconds ?? 0)
    var output = Output()
    do throws(Relay.Failure) {
      try proxied.relay.proceed(at: now, into: &output)
      try advance(connection, proxied, now, &output)
    } catch {
      return breakOff(connection, proxied, Self.wrongCoding)
    }
    guard connection.proxied === proxied, !connection.isPaused else { return }
    ready(connection, .readable)
    if connection.proxied === proxied { watch(connection) }
  }

  static let wrongCoding = "its content does not have the stated Content-Encoding"

  func keep(_ proxied: ProxiedRequest, breaksOff: Bool) {
    guard let recorder = recorder else { return }
    proxied.stage = .keeping
    keeping[proxied.number] = proxied
    let (group, loop, number) = (owner.group, owner.number, proxied.number)
    if proxied.isPassedThrough {
      proxied.relay.capture.lose("it is passed on unchanged")
      return group.send(.kept(number, .refused), to: loop)
    }
    recorder.keep(
      proxied.token, &proxied.relay.capture, breaksOff: breaksOff,
      longBody: proxied.relay.capture.isStored ? proxied.longBody : nil
    ) { group.send(.kept(number, $0), to: loop) }
  }

  /// Sends the last bytes of a response after its exchange has been written, or writing has failed.
  func settle(_ number: UInt64, _ outcome: Recorder.Outcome) {
    guard let proxied = keeping.removeValue(forKey: number) else { return }
    proxied.stage = .over
    if let failure = proxied.failure { return answer(proxied, with: failure) }
    let now = Platform.monotonicNanoseconds()
    owner.responder.tick(now)
    owner.responder.note(
      proxied, status: proxied.relay.capture.head?.status ?? 0, sent: proxied.relay.capture.bytes,
      outcome == .kept ? .recorded : .notRecorded)
    guard let client = proxied.client else { return }
    client.proxied = nil
    proxied.client = nil
    owner.serveInPlace(client, now) { parser, output in
      if outcome == .failed {
        // The client must not treat an exchange as complete that is not recorded.
        client.http.proceed(to: .reset)
        return
      }
      output.append(contentsOf: &proxied.held)
      owner.finish(client, proxied.relay.nextAction, &parser, &output)
    }
  }

  /// Sends the requests of this turn, and settles its completed exchanges with one write and without wake-ups.
  func turnEnded() {
    guard let recorder else { return }
    repeat {
      for connection in unsent where connection.proxied != nil { send(connection) }
      unsent.removeAll(keepingCapacity: true)
      recorder.settle()
      owner.woken()
    } while !unsent.isEmpty || recorder.hasUnsettled || !owner.group[owner.number].rest()
  }
}
