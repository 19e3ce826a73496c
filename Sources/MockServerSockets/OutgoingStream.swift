/// A non-blocking connection to another server, with or without TLS.
///
/// A stream must be used on one thread only: the thread of the loop that watches its descriptor.
package final class OutgoingStream {
  /// The state of a connection that is being established.
  package enum Progress: Equatable, Sendable {
    /// The connection is open.
    case ready
    /// Call ``OutgoingStream/proceed()`` again when the descriptor is ready for these events.
    case waits(Readiness)
    /// The connection has failed, for the reason given.
    case failed(String)
  }

  private enum Phase {
    case connecting
    case tunnelling(Tunnel)
    case shaking(any SecureChannel)
    case open((any SecureChannel)?)
  }

  /// The descriptor that an event loop watches.
  ///
  /// The creator of the stream closes it.
  package let descriptor: Int32
  private var phase = Phase.connecting
  private let tunnel: [UInt8]?
  private let secure: ((Int32) throws(SecurityError) -> any SecureChannel)?

  /// Starts connecting.
  ///
  /// - Parameters:
  ///   - address: The address of the server, or of the proxy.
  ///   - tunnel: The `CONNECT` request to the proxy; nil (the default) to connect directly.
  ///   - secure: A closure that creates the TLS channel on the connected descriptor; nil (the default) for plain HTTP.
  /// - Throws: The error of the system call that failed.
  package init(
    to address: SocketAddress, through tunnel: [UInt8]? = nil,
    secure: ((Int32) throws(SecurityError) -> any SecureChannel)? = nil
  ) throws(SocketError) {
    let descriptor = Platform.streamSocket(for: address)
    guard descriptor >= 0 else { throw .failed(call: "socket", code: Platform.lastError) }
    Platform.setNoDelay(descriptor)
    if Platform.connect(descriptor, to: address) != 0, !Platform.isInProgress(Platform.lastError) {
      let code = Platform.lastError
      Platform.close(descriptor)
      throw .failed(call: "connect", code: code)
    }
    self.descriptor = descriptor
    self.tunnel = tunnel
    self.secure = secure
  }

  /// True until the connection is established, and if it was refused.
  package var isConnecting: Bool { if case .connecting = phase { true } else { false } }
  /// True during the TLS handshake, and after a failed handshake.
  package var isShaking: Bool { if case .shaking = phase { true } else { false } }

  /// True if bytes can be sent and received.
  package var isOpen: Bool { if case .open = phase { true } else { false } }

  /// True if decrypted bytes may be buffered, in which case the descriptor does not signal readiness for them.
  package var mayHoldBytes: Bool { if case .open(_?) = phase { true } else { false } }

  /// Continues connecting.
  ///
  /// Call it when the descriptor is ready.
  package func proceed() -> Progress {
    if case .connecting = phase {
      let error = Platform.connectionError(descriptor)
      guard error == 0 else { return .failed(Platform.describe(error)) }
      if let tunnel { phase = .tunnelling(Tunnel(asking: tunnel)) } else if let failure = begin() { return failure }
    }
    if case .tunnelling(var tunnel) = phase {
      let progress = tunnel.proceed(on: descriptor)
      phase = .tunnelling(tunnel)
      guard progress == .ready else { return progress }
      if let failure = begin() { return failure }
    }
    guard case .shaking(let channel) = phase else { return .ready }
    let progress = channel.shakeHands()
    if progress == .ready { phase = .open(channel) }
    return progress
  }

  /// Starts the TLS handshake, or opens the stream if it is not secure.
  private func begin() -> Progress? {
    phase = .open(nil)
    guard let secure else { return nil }
    do throws(SecurityError) {
      phase = .shaking(try secure(descriptor))
      return nil
    } catch {
      return .failed("\(error)")
    }
  }

  /// Reads available bytes.
  ///
  /// With TLS, repeat until none are left, because the event loop does not report buffered bytes.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    guard case .open(let channel) = phase else { return .wouldBlock }
    return channel?.receive(into: buffer) ?? Platform.receive(descriptor, into: buffer)
  }

  /// Writes as many of the bytes as the socket accepts.
  package func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    guard case .open(let channel) = phase else { return .wouldBlock }
    return channel?.send(bytes) ?? Platform.send(descriptor, bytes)
  }
}

/// A TLS channel with exclusive use of a descriptor, implemented with any TLS library.
package protocol SecureChannel: AnyObject {
  /// Continues the handshake.
  func shakeHands() -> OutgoingStream.Progress
  /// Reads available bytes.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult
  /// Writes as many of the bytes as the channel accepts.
  ///
  /// After `wouldBlock` the same bytes must be passed again.
  func send(_ bytes: UnsafeRawBufferPointer) -> IOResult
}

/// The reason why a secure channel could not be created.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem and its remedy.
  package let description: String

  package init(_ description: String) { self.description = description }
}
