internal import CassetteSystem

/// A socket that accepts connections.
///
/// Several loops may watch one listener; the loop that is woken accepts the waiting connections.
package final class Listener: Sendable {
  /// The descriptor that event loops watch.
  package let descriptor: Int32
  /// The listening address, with the actual port if port 0 was requested.
  package let address: SocketAddress
  /// The maximum number of connections that the system queues.
  private static let backlog: Int32 = 4096
  /// The number of event loops that watch the descriptor, and true if listening must stop.
  private let use = Locked((loops: 0, isEnding: false))

  /// Binds a socket to an address and listens.
  ///
  /// The system chooses the port if it is 0.
  package init(_ address: SocketAddress) throws(SocketError) {
    let descriptor = Platform.streamSocket(for: address)
    guard descriptor >= 0 else { throw .failed(call: "socket", code: Platform.lastError) }
    Platform.prepareToListen(descriptor, isIPv6: address.isIPv6)
    guard Platform.bind(descriptor, to: address) == 0, Platform.listen(descriptor, backlog: Self.backlog) == 0 else {
      let code = Platform.lastError
      Platform.close(descriptor)
      if Platform.isAddressInUse(code) { throw .addressInUse(address) }
      if Platform.isPermission(code) { throw .notPermitted(address) }
      throw .failed(call: "bind", code: code)
    }
    self.descriptor = descriptor
    self.address = Platform.localAddress(of: descriptor) ?? address
  }

  /// The result of accepting a connection.
  package enum Acceptance: Equatable, Sendable {
    /// The descriptor of a connection, non-blocking and with `TCP_NODELAY` set.
    case connection(Int32)
    /// No connection is waiting.
    case none
    /// The process has no descriptors left, so accepting must pause until one is closed.
    case exhausted
  }

  /// Accepts a waiting connection, if there is one.
  package func accept() -> Acceptance {
    // The event loop that should serve the connection may have ended already.
    guard !use.withLock({ $0.isEnding }) else { return .none }
    if let connection = Platform.accept(descriptor) { return .connection(connection) }
    return Platform.isDescriptorShortage(Platform.lastError) ? .exhausted : .none
  }

  /// Watches for connections in an event loop; returns false if the system refuses, and after ``stopListening()``.
  package func watch(in loop: any EventLoop) -> Bool {
    let isListening = use.withLock { use in
      if !use.isEnding { use.loops += 1 }
      return !use.isEnding
    }
    guard isListening else { return false }
    if loop.watch(descriptor, for: [.readable, .exclusive]) { return true }
    release()
    return false
  }

  /// Stops watching for connections in an event loop.
  package func forget(in loop: any EventLoop) { loop.forget(descriptor) { self.release() } }

  /// Refuses connections once every event loop has called ``forget(in:)``, and then frees the port.
  ///
  /// On Darwin a socket stops listening only when it is closed, and a Dispatch source must not watch a closed socket.
  package func stopListening() {
    let isUnused = use.withLock { use in
      defer { use.isEnding = true }
      return use.loops == 0 && !use.isEnding
    }
    if isUnused { Platform.stopListening(descriptor) }
  }

  private func release() {
    let isLast = use.withLock { use in
      use.loops -= 1
      return use.isEnding && use.loops == 0
    }
    if isLast { Platform.stopListening(descriptor) }
  }

  deinit { Platform.close(descriptor) }
}
