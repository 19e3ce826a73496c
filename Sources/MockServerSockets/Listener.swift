internal import CassetteSystem

/// A socket that waits for connections.
///
/// Several loops may accept from one listener: whoever is woken takes what is there.
package final class Listener: Sendable {
  /// The descriptor that an event loop waits on.
  package let descriptor: Int32
  /// The address at which it listens, with the port the system chose when 0 was asked for.
  package let address: SocketAddress
  /// The most connections that the system keeps waiting.
  private static let backlog: Int32 = 4096
  /// The number of event loops that watch the descriptor, and whether listening has to stop.
  private let use = Locked((loops: 0, isEnding: false))

  /// Binds and listens, on a port that the system chooses for 0.
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

  /// The result of asking for a connection.
  package enum Acceptance: Equatable, Sendable {
    /// A connection, non-blocking and without delay.
    case connection(Int32)
    /// No connection waits.
    case none
    /// The process has no descriptor left: stop asking until one is closed.
    case exhausted
  }

  /// Takes one waiting connection, if there is one.
  package func accept() -> Acceptance {
    // Another event loop may have ended already and could not adopt the connection.
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

  /// Refuses connections as soon as each event loop has called ``forget(in:)``, which frees the port.
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
