internal import MockServerSockets
internal import MockServerUpstream

/// An accepted connection: its socket, its HTTP state and its unsent output.
final class Client {
  /// The stage of the connection, which determines the events to wait for.
  enum Stage {
    /// A tunnel through the proxy is open, and the client has sent no bytes in it.
    case choosing
    /// The TLS handshake is in progress; no HTTP bytes are read or written.
    case shaking
    /// Reads requests and writes answers.
    case open
    /// Bytes of another protocol pass between the client and an origin.
    case switched
    /// The recording requires silence: the connection stays open until the client closes it.
    case silent
    /// All output is written and the writing side is closed; input is read for a while so that no reset overtakes the
    /// response.
    case lingering
  }

  let descriptor: Int32
  /// The TLS channel over the socket; nil for plain HTTP.
  var secure: (any AcceptedChannel)?
  /// The origin of the client's tunnel through the proxy.
  var tunnel: UpstreamOrigin?
  let http = HTTPConnection()
  var stage = Stage.open
  /// The output that the socket has not accepted; nil if all output is sent.
  var unsent: Output?
  /// True if the client waits in the loop for its turn to receive unsent output.
  var isWriter = false
  /// The deadline, in nanoseconds of the monotonic clock.
  var deadline: UInt64 = 0
  /// The time since which the connection has waited for a request; 0 while a head is incomplete.
  var idleSince: UInt64 = 0
  /// The events that the loop waits for; empty before the socket is registered.
  var interest: Readiness = []
  /// True if the socket is registered with the event loop.
  var isWatched = false
  /// The request that is being forwarded upstream.
  var proxied: ProxiedRequest?
  /// The connection to the origin after a switch of protocols.
  var switched: UpstreamConnection?
  /// The request that is being matched on another thread.
  var match: PendingMatch?
  /// True if the client has closed its writing side.
  var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes as many bytes as the client accepts.
  @inline(__always)
  func write(_ output: inout Output) -> Output.Progress {
    guard let secure else { return output.write(to: descriptor) }
    return output.write(over: secure)
  }

  /// True if nothing is in progress, so that the connection may be closed.
  var isIdle: Bool {
    guard case .open = stage, unsent == nil, !http.isMidRequest else { return false }
    return http.persists
  }
}
