internal import MockServerSockets
internal import MockServerTLS

/// Beginning TLS with clients, and handling handshakes that fail.
extension ConnectionLoop {
  /// Expects TLS on a connection from now on.
  func secure(_ client: Client, with context: TLSContext) {
    do throws(SecurityError) {
      client.secure = try context.accept(client.descriptor)
    } catch {
      state.noteHandshake(error.description)
      return close(client)
    }
    client.stage = .shaking
    // It has as long as a head: whoever says nothing is not waited for.
    client.idleSince = 0
    client.deadline = Platform.monotonicNanoseconds() + headNanoseconds
    schedule(client.deadline)
    shakeHands(client)
  }

  /// Does what TLS is to do before the client's own bytes are; true if that is all for now.
  func goesOn(_ client: Client, _ secure: any AcceptedChannel, _ readiness: Readiness) -> Bool {
    if client.stage == .shaking {
      shakeHands(client)
      return true
    }
    guard secure.waitsToWrite, client.unsent == nil, readiness.contains(.writable) else { return false }
    read(client)
    return true
  }

  /// Continues a handshake.
  private func shakeHands(_ client: Client) {
    guard let secure = client.secure else { return }
    switch secure.shakeHands() {
    case .waits(let interest): watch(client, interest)
    case .ready:
      client.stage = .open
      let now = Platform.monotonicNanoseconds()
      responder.tick(now)
      touch(client, now)
      watch(client, .readable)
      // The request often comes with the end of the handshake.
      if clients[Int(client.descriptor)] === client { read(client) }
    case .failed(let reason):
      state.noteHandshake(reason)
      client.secure = nil
      if secure.wasAskedPlainly { refusePlainly(client) }
      // What the client still sends must not turn OpenSSL's reason, or ours, into a reset.
      linger(client)
    }
  }

  /// Tells a client that speaks HTTP alone how to ask; it may read it, as nothing is encrypted yet.
  private func refusePlainly(_ client: Client) {
    let text = "this port speaks TLS: type \(state.url) for http://\(state.address)\n"
    var output = Output()
    output.append(
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(text)")
    // So few bytes fit into a socket nobody has written to.
    _ = output.write(to: client.descriptor)
  }

  /// Waits after a read without bytes: OpenSSL may have to write first, which a loop must be told.
  func waitSecurely(_ client: Client) {
    guard case .open = client.stage, client.unsent == nil, client.isWatched, client.interest.contains(.readable) else {
      return
    }
    watch(client, client.secure?.waitsToWrite == true ? [.readable, .writable] : .readable)
  }
}
