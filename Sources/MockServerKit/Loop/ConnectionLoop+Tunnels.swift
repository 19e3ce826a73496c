internal import MockServerSockets
internal import MockServerUpstream

/// Terminating a client's tunnel in the proxy instead of at its origin, so that its requests can be read.
extension ConnectionLoop {
  /// Opens a tunnel for a client.
  func open(_ tunnel: UpstreamOrigin, for client: Client) {
    client.http.proceed(to: .persist)
    client.tunnel = tunnel
    client.stage = .choosing
    client.idleSince = 0
    client.deadline = Platform.monotonicNanoseconds() + headNanoseconds
    schedule(client.deadline)
    watch(client, .readable)
  }

  /// Determines from the first byte whether a client uses TLS: a handshake begins with 22 (RFC 8446 §5.1).
  func choose(_ client: Client) {
    switch Platform.peek(client.descriptor) {
    case .byte(let first):
      guard let tunnel = client.tunnel else { return close(client) }
      if first == 22 { return secure(client, tunnel) }
      client.tunnel = tunnel.spokenPlainly
      client.stage = .open
      touch(client, Platform.monotonicNanoseconds())
      read(client)
    case .none: watch(client, .readable)
    case .ended: close(client)
    }
  }

  private func secure(_ client: Client, _ tunnel: UpstreamOrigin) {
    guard let proxy = state.configuration.proxy, let authority = proxy.authority else {
      state.noteHandshake("a client requested https through this proxy: \(state.configuration.proxy?.lack ?? "")")
      return close(client)
    }
    do throws(SecurityError) {
      self.secure(client, with: try authority.certificate(for: tunnel.host))
    } catch {
      state.noteHandshake(error.description)
      close(client)
    }
  }
}
