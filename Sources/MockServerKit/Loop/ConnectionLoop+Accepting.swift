internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerSockets

/// Accepting connections: the loop that wakes up accepts them, the loop with the fewest clients serves them, and others
/// wait until there is room.
extension ConnectionLoop {
  func startAccepting() {
    guard !accepts, stopsAt == nil else { return }
    watched = listeners.filter { $0.watch(in: loop) }
  }

  func stopAccepting() {
    guard accepts else { return }
    for listener in watched { listener.forget(in: loop) }
    watched = []
  }

  /// Accepts pending connections, a limited number at a time so that responses are not delayed.
  func acceptWaiting(_ listener: Listener) {
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
        let atInspector = listener !== listeners[0]
        if slot == number {
          adopt(descriptor, atInspector)
        } else {
          group.send(.adopt(descriptor, atInspector: atInspector), to: slot)
        }
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

  func adopt(_ descriptor: Int32, _ atInspector: Bool) {
    guard stopsAt == nil else {
      Platform.close(descriptor)
      group.leave(number)
      return
    }
    let client = Client(descriptor: descriptor, atInspector: atInspector)
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
}
