internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerSockets

/// Accepting connections: the loop that wakes up accepts them, the loop with the fewest clients serves them, and others
/// wait until there is room.
extension ConnectionLoop {
  func startAccepting() {
    guard !accepts, stopsAt == nil else { return }
    accepts = listener.watch(in: loop)
  }

  func stopAccepting() {
    guard accepts else { return }
    accepts = false
    listener.forget(in: loop)
  }

  /// Accepts pending connections, a limited number at a time so that responses are not delayed.
  func acceptWaiting() {
    guard accepts else { return }
    for _ in 0..<64 {
      guard group.admit() || makeRoom() else {
        stopAccepting()
        group.waitForRoom(number)
        schedule(Platform.monotonicNanoseconds() + Self.granularity)
        return
      }
      switch listener.accept() {
      case .connection(let descriptor):
        let slot = group.slot(for: number)
        if slot == number { adopt(descriptor) } else { group.send(.adopt(descriptor), to: slot) }
      case .none:
        group.giveBack()
        return
      case .exhausted:
        group.giveBack()
        if makeRoom() {
          // A descriptor is free again: the place is given back and requested again in the next iteration.
          group.giveBack()
          continue
        }
        // No descriptors are left: accepting again at once would spin.
        stopAccepting()
        group.waitForRoom(number)
        // Descriptors may be released elsewhere in the process, which sends no notification.
        schedule(Platform.monotonicNanoseconds() + Self.granularity)
        return
      }
    }
  }

  /// Closes the client that has been idle longest, if it was idle long enough (RFC 9112 §9.5 permits it at any time).
  func makeRoom() -> Bool {
    let now = Platform.monotonicNanoseconds()
    let idle = clients.lazy.compactMap { $0 }.filter(\.isIdle).min { $0.idleSince < $1.idleSince }
    guard let idle, now - min(now, idle.idleSince) >= Self.nanoseconds(Self.evictableAfter) else { return false }
    close(idle)
    return group.admit()
  }

  func adopt(_ descriptor: Int32) {
    guard stopsAt == nil else {
      Platform.close(descriptor)
      group.leave(number)
      return
    }
    let client = Client(descriptor: descriptor)
    while clients.count <= Int(descriptor) { clients.append(nil) }
    clients[Int(descriptor)] = client
    count += 1
    let now = Platform.monotonicNanoseconds()
    responder.tick(now)
    if let security { return secure(client, with: security) }
    touch(client, now)
    // The request has usually arrived already: a response that closes the connection needs no registration with the
    // loop.
    read(client)
    guard clients[Int(descriptor)] === client, !client.isWatched else { return }
    watch(client, client.interest)
  }

  // MARK: Deadlines of clients: for slow heads, idle connections, and streams whose next piece is due

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

  // MARK: streams

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

  // MARK: Starting TLS with clients, and handling failed handshakes

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
    let text = "this port speaks TLS: type \(state.url) for http://\(state.address)\n"
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
