internal import MockServerSockets

/// Starting TLS with clients, and handling failed handshakes.
extension ConnectionLoop {
  /// Starts a TLS handshake on a connection.
  func secure(_ client: Client, with context: TLSContext) {
    do throws(SecurityError) {
      client.secure = try context.accept(client.descriptor)
    } catch {
      state.noteHandshake(error.description)
      return close(client)
    }
    client.stage = .shaking
    // The handshake has the same deadline as a head, because a client may send nothing.
    client.idleSince = 0
    client.deadline = Platform.monotonicNanoseconds() + headNanoseconds
    schedule(client.deadline)
    shakeHands(client)
  }

  /// Continues the handshake or a blocked TLS read; returns true if no other work remains for this event.
  func goesOn(_ client: Client, _ secure: any AcceptedChannel, _ readiness: Readiness) -> Bool {
    if client.stage == .shaking {
      shakeHands(client)
      return true
    }
    guard secure.waitsToWrite, client.unsent == nil, readiness.contains(.writable) else { return false }
    read(client)
    return true
  }

  /// Continues the handshake.
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
      // The request often arrives together with the end of the handshake.
      if clients[Int(client.descriptor)] === client { read(client) }
    case .failed(let reason):
      state.noteHandshake(reason)
      client.secure = nil
      if secure.wasAskedPlainly { refusePlainly(client) }
      // Further bytes from the client must not turn the TLS alert or the response into a reset.
      linger(client)
    }
  }

  /// Sends a client that uses plain HTTP the correct URL; the client can read it because nothing is encrypted yet.
  private func refusePlainly(_ client: Client) {
    let text = "this port requires TLS: use \(state.url) instead of http://\(state.address)\n"
    var output = Output()
    output.append(
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(text)")
    // So few bytes always fit into the buffer of an unused socket.
    _ = output.write(to: client.descriptor)
  }

  /// Waits after a read without bytes; OpenSSL may have to write first, so the loop also waits for that.
  func waitSecurely(_ client: Client) {
    guard case .open = client.stage, client.unsent == nil, client.isWatched, client.interest.contains(.readable) else {
      return
    }
    watch(client, client.secure?.waitsToWrite == true ? [.readable, .writable] : .readable)
  }
}
