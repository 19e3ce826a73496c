internal import CassetteHTTP
internal import CassetteRecording
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// A connection to an origin, and its exchange in progress.
///
/// It belongs to the event loop that watches it.
final class UpstreamConnection {
  let stream: OutgoingStream
  /// The origin that the connection leads to.
  let origin: UpstreamOrigin
  /// The exchange in progress; nil while the connection is idle.
  var proxied: ProxiedRequest?
  var parser = ResponseParser(to: .get)
  /// The bytes of the request that the socket has not accepted.
  private var unsent: [UInt8] = []
  private var sent = 0
  /// True if the connection has carried an earlier exchange.
  private(set) var isUsed = false
  /// True if the connection may be kept for the next exchange.
  var persists = false
  /// The events that the loop waits for.
  var interest: Readiness = []
  /// The client with which bytes are exchanged after a switch of protocols.
  var client: Client?
  /// True if the origin has closed its writing side.
  var hasEnded = false
  /// True if the end of the client's data was passed on to the origin.
  var isEnded = false
  /// True if the client or the disk is too slow, so that no bytes are read from the origin.
  var isPaused = false
  /// The time at which the connection times out, in nanoseconds of the monotonic clock.
  var deadline: UInt64 = .max

  init(_ stream: OutgoingStream, to origin: UpstreamOrigin) {
    self.stream = stream
    self.origin = origin
  }

  var descriptor: Int32 { stream.descriptor }

  /// True if the origin has neither closed the idle connection nor sent anything on it, such as 408.
  var isAlive: Bool {
    switch Platform.peek(descriptor) {
    case .none: true
    case .ended: false
    // A session ticket of TLS may arrive at any time (RFC 8446 §4.6.1).
    case .byte: stream.mayHoldBytes
    }
  }

  /// Begins an exchange on the connection.
  func begin(_ proxied: ProxiedRequest, limits: ParserLimits) {
    self.proxied = proxied
    proxied.connection = self
    parser = ResponseParser(to: proxied.message.method, limits: limits, allowsSwitching: proxied.upgrades)
    unsent = proxied.message.bytes
    sent = 0
  }

  /// Ends the exchange in progress.
  func end() {
    proxied?.connection = nil
    proxied = nil
    isUsed = true
    isPaused = false
  }

  /// Appends bytes from a client after a switch of protocols.
  func append(_ bytes: some Sequence<UInt8>) { unsent += bytes }

  /// The number of unsent bytes.
  var waiting: Int { unsent.count - sent }

  /// True if the request has been sent completely.
  var hasSent: Bool { sent == unsent.count }

  /// Sends as many bytes as the origin accepts; returns false if the connection is broken.
  func send() -> Bool {
    while !hasSent {
      let result = unsent.withUnsafeBytes { stream.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock: return true
      case .ended, .failed: return false
      }
    }
    unsent = []
    sent = 0
    return true
  }
}
