internal import MockServerSockets

/// Accepting connections: taken by any loop that wakes, given to the one with the fewest, waiting when there is no
/// room.
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

  /// Takes what waits, a bounded number at a time so that clients are not kept from their answers.
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
          // Somebody's descriptor was idle: the place is given back and asked for again, as any other.
          group.giveBack()
          continue
        }
        // Out of descriptors: asking again at once would spin.
        stopAccepting()
        group.waitForRoom(number)
        // Descriptors may come free elsewhere in the process, which nobody tells.
        schedule(Platform.monotonicNanoseconds() + Self.granularity)
        return
      }
    }
  }

  /// Lets go of the client that has been idle longest, if that is long enough (RFC 9112 §9.5 allows it at any time).
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
    // The request usually is there already: an answer that ends the connection never troubles the loop.
    read(client)
    guard clients[Int(descriptor)] === client, !client.isWatched else { return }
    watch(client, client.interest)
  }
}
