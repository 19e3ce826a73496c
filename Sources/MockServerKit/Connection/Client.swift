internal import MockServerSockets
internal import MockServerTLS
internal import MockServerUpstream

/// An accepted connection: its socket, its HTTP, and what could not be written yet.
final class Client {
  /// The stage of the connection, which tells what the socket is waited on for.
  enum Stage {
    /// Has a tunnel through a proxy, and has said nothing in it.
    case choosing
    /// Comes to terms about TLS; nothing is read or written before.
    case shaking
    /// Reads requests and writes answers.
    case open
    /// Speaks another protocol with an origin.
    case switched
    /// Says nothing any more, as the recording has it; open until the client gives up.
    case silent
    /// Everything is written and the end announced; reads on for a while so that no reset overtakes the answer.
    case lingering
  }

  let descriptor: Int32
  /// TLS over the socket, where clients speak it.
  var secure: (any AcceptedChannel)?
  /// The origin that the client asked a proxy for a tunnel to.
  var tunnel: UpstreamOrigin?
  let http = HTTPConnection()
  var stage = Stage.open
  /// The output that the socket did not take; nil when all is out.
  var unsent: Output?
  /// The deadline, in nanoseconds of the monotonic clock.
  var deadline: UInt64 = 0
  /// The time since which it has waited for a request.
  var idleSince: UInt64 = 0
  /// The events that the loop waits for; empty before it is watched at all.
  var interest: Readiness = []
  /// True if the loop knows the socket.
  var isWatched = false
  /// The request that is on the way upstream.
  var proxied: ProxiedRequest?
  /// The connection to the origin to which bytes are passed after a switch of protocols.
  var switched: UpstreamConnection?
  /// The request that is matched on another thread.
  var match: PendingMatch?
  /// True if the client has ended its half of the connection.
  var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes what the client takes.
  @inline(__always)
  func write(_ output: inout Output) -> Output.Progress {
    guard let secure else { return output.write(to: descriptor) }
    return output.write(over: secure)
  }

  /// True if nothing is in progress: the client may be let go without harm.
  var isIdle: Bool {
    guard case .open = stage, unsent == nil, !http.isMidRequest else { return false }
    return http.persists
  }
}
