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
      output.append(contentsOf: &proxied.held)
      owner.finish(client, proxied.relay.nextAction, &parser, &output)
    }
  }

  /// Sends the requests of this turn.
  func turnEnded() {
    guard recorder != nil else { return }
    repeat {
      for connection in unsent where connection.proxied != nil { send(connection) }
      unsent.removeAll(keepingCapacity: true)
      owner.woken()
    } while !unsent.isEmpty || !owner.group[owner.number].rest()
  }

  // Connections switched to another protocol, such as WebSocket: bytes pass in both directions and are not recorded.

  /// Switches a connection after the origin has agreed to another protocol; `rest` contains its first bytes.
  func switchProtocols(
    _ connection: UpstreamConnection, _ proxied: ProxiedRequest, _ events: [ResponseParser.Event], _ rest: [UInt8]
  ) {
    connection.end()
    guard let client = proxied.client else { return close(connection) }
    proxied.stage = .over
    proxied.client = nil
    client.proxied = nil
    connections[connection.descriptor] = nil
    switched[connection.descriptor] = connection
    connection.client = client
    client.switched = connection
    client.stage = .switched
    owner.responder.note(proxied, status: 101, sent: 0, .notRecorded)
    var output = Output()
    for event in events {
      switch event {
      case .interim(let head) where head.status != 100: output.append(head.relayed)
      case .head(let head, _): output.append(head.relayed)
      default: break
      }
    }
    output.append(rest)
    connection.append(client.http.takeHeld())
    client.http.proceed(to: .switched)
    owner.finish(client, &output, Platform.monotonicNanoseconds())
    passBytes(client)
  }

  /// Handles an event of a client's socket: it is readable, writable or closed.
  func passBytes(of client: Client, _ readiness: Readiness) {
    passBytes(client)
    // The event loop reports a broken connection regardless of interest, and no further bytes are read from this one.
    guard readiness.contains(.ended), let connection = client.switched else { return }
    if client.hasEnded || connection.waiting >= ConnectionLoop.unsentLimit { owner.close(client) }
  }

  /// Handles an event of an origin's socket; after it has closed, remaining bytes are read when the client can take
  /// them.
  func passBytes(of connection: UpstreamConnection, _ readiness: Readiness) {
    guard let client = connection.client else { return }
    passBytes(client)
    if readiness.contains(.ended), client.switched != nil { owner.loop.forget(connection.descriptor) {} }
  }

  /// Passes on the bytes that either side has sent, and the end of either direction.
  func passBytes(_ client: Client) {
    guard let connection = client.switched else { return }
    if client.unsent != nil { owner.writeUnsent(client) }
    guard client.switched != nil, receive(from: client, for: connection), receive(from: connection, for: client) else {
      return owner.close(client)
    }
    // With TLS, the end of one direction ends the whole connection.
    let isSecure = client.secure != nil || connection.stream.mayHoldBytes
    if client.hasEnded, connection.hasSent, !connection.isEnded {
      connection.isEnded = true
      if isSecure { return owner.close(client) }
      Platform.endWriting(connection.descriptor)
    }
    if connection.hasEnded, client.unsent == nil {
      if isSecure || client.hasEnded { return owner.close(client) }
      Platform.endWriting(client.descriptor)
    }
    watch(client, connection, Platform.monotonicNanoseconds())
  }

  /// Reads as much from the client as the origin accepts; returns false if one of the connections is broken.
  private func receive(from client: Client, for connection: UpstreamConnection) -> Bool {
    guard connection.send() else { return false }
    while !client.hasEnded, connection.waiting < ConnectionLoop.unsentLimit {
      switch client.secure?.receive(into: owner.buffer) ?? Platform.receive(client.descriptor, into: owner.buffer) {
      case .bytes(let count):
        connection.append(owner.buffer[..<count])
        guard connection.send() else { return false }
      case .ended: client.hasEnded = true
      case .wouldBlock: return true
      case .failed: return false
      }
    }
    return true
  }

  /// Reads as much from the origin as the client accepts; returns false if one of the connections is broken.
  private func receive(from connection: UpstreamConnection, for client: Client) -> Bool {
    while !connection.hasEnded, (client.unsent?.count ?? 0) < ConnectionLoop.unsentLimit {
      switch connection.stream.receive(into: owner.buffer) {
      case .bytes(let count):
        var output = Output()
        output.append(Array(owner.buffer[..<count]))
        owner.finish(client, &output, Platform.monotonicNanoseconds())
        guard client.switched != nil else { return false }
      case .ended: connection.hasEnded = true
      case .wouldBlock: return true
      case .failed:
        client.secure = nil
        Platform.resetOnClose(client.descriptor)
        return false
      }
    }
    return true
  }

  /// Waits until either socket is readable or writable, as needed.
  func watch(_ client: Client, _ connection: UpstreamConnection, _ now: UInt64) {
    if client.unsent == nil { client.deadline = .max } else { owner.touch(client, now) }
    var interest: Readiness = []
    if !client.hasEnded, connection.waiting < ConnectionLoop.unsentLimit { interest.insert(.readable) }
    if client.unsent != nil || client.secure?.waitsToWrite == true { interest.insert(.writable) }
    owner.watch(client, interest)
    var other: Readiness = []
    if !connection.hasEnded, (client.unsent?.count ?? 0) < ConnectionLoop.unsentLimit { other.insert(.readable) }
    if !connection.hasSent { other.insert(.writable) }
    guard client.switched != nil, other != connection.interest else { return }
    connection.interest = other
    owner.loop.change(connection.descriptor, to: other)
  }

  /// Closes the connection to the origin when the client's connection ends.
  func endSwitched(_ client: Client) {
    guard let connection = client.switched else { return }
    client.switched = nil
    connection.client = nil
    switched[connection.descriptor] = nil
    owner.loop.close(connection.descriptor)
  }

  // MARK: Answers from intermediaries

  /// Examines the head of an answer; returns false if the answer is not passed on.
  func admits(_ head: ResponseHead, _ connection: UpstreamConnection, _ proxied: ProxiedRequest) -> Bool {
    var judged = IntermediaryAnswer(
      head, from: proxied.upgrades ? nil : proxied.proxy, to: proxied.origin,
      dropsUpgrade: proxied.message.dropsUpgrade)
    // The origin may have closed the idle connection with this answer before it received the request (RFC 9110
    // §15.5.9). It may also have executed the request, which is therefore repeated only if that does no harm (§9.2.2).
    if head.status == 408, connection.isUsed, !proxied.wasSentBefore {
      if proxied.message.isIdempotent {
        connection.end()
        close(connection)
        sendAgain(proxied)
        return false
      }
      judged = judged ?? .doubtful("408 on a kept connection may be the end of that connection")
    }
    switch judged {
    case nil: return true
    case .failure(let words):
      connection.end()
      close(connection)
      fail(proxied, .badGateway(words))
      assignWaiting()
      return false
    case .doubtful(let words):
      if !proxied.isPassedThrough { recorder?.leaveOut(proxied.token, because: words) }
      proxied.isPassedThrough = true
      return true
    }
  }
}
