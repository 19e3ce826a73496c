/// A connection to another server, bytes in and out without waiting, with TLS or without.
///
/// It belongs to one thread: the loop that watches its descriptor.
package final class OutgoingStream {
  /// The result of going on with a connection that is being made.
  package enum Progress: Equatable, Sendable {
    /// Bytes can be sent.
    case ready
    /// Go on when the descriptor is ready for this.
    case waits(Readiness)
    /// It came to nothing; the words say why.
    case failed(String)
  }

  private enum Phase {
    case connecting
    case tunnelling(Tunnel)
    case shaking(any SecureChannel)
    case open((any SecureChannel)?)
  }

  /// The descriptor that an event loop waits on; the stream's maker closes it.
  package let descriptor: Int32
  private var phase = Phase.connecting
  private let tunnel: [UInt8]?
  private let secure: ((Int32) throws(SecurityError) -> any SecureChannel)?

  /// Begins to connect, if need be through the tunnel that a proxy is asked for, and with a secure channel.
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

  /// True if the connection is not established yet, or was refused.
  package var isConnecting: Bool { if case .connecting = phase { true } else { false } }
  /// True during the TLS handshake, and after a failed one.
  package var isShaking: Bool { if case .shaking = phase { true } else { false } }

  /// True if bytes can be sent and received.
  package var isOpen: Bool { if case .open = phase { true } else { false } }

  /// True if bytes may wait between the socket and the reader, where no readiness tells of them.
  package var mayHoldBytes: Bool { if case .open(_?) = phase { true } else { false } }

  /// Continues to connect; to be called when the descriptor is ready.
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

  /// Begins to speak with who is at the other end.
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

  /// Reads what is there; with TLS again and again until nothing is, as the rest would not be announced.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    guard case .open(let channel) = phase else { return .wouldBlock }
    return channel?.receive(into: buffer) ?? Platform.receive(descriptor, into: buffer)
  }

  /// Writes what is taken of the bytes.
  package func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    guard case .open(let channel) = phase else { return .wouldBlock }
    return channel?.send(bytes) ?? Platform.send(descriptor, bytes)
  }
}

/// A channel over a descriptor that nobody else can read: TLS, whoever provides it.
package protocol SecureChannel: AnyObject {
  /// Continues the handshake.
  func shakeHands() -> OutgoingStream.Progress
  /// Reads what is there.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult
  /// Writes what is taken of the bytes; the same bytes are offered again after `wouldBlock`.
  func send(_ bytes: UnsafeRawBufferPointer) -> IOResult
}

/// The reason why there is no secure channel.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, and of what to do.
  package let description: String

  package init(_ description: String) { self.description = description }
}
