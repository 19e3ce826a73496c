internal import CassetteHTTP
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// Connections switched to another protocol, such as WebSocket: bytes pass in both directions and are not recorded.
extension UpstreamLoop {
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

  // MARK: answers from intermediaries

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
