internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

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
  /// True if the client connected to the inspector's port.
  let atInspector: Bool
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
  /// The time at which the loop closes the connection or sends the next piece of a stream, in nanoseconds of the
  /// monotonic clock.
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
  /// The recorded answers whose last byte was not sent.
  var unfinished: [(answer: EventRing.Unfinished, noted: Noted)] = []
  /// True if the client has closed its writing side.
  var hasEnded = false

  init(descriptor: Int32, atInspector: Bool = false) {
    (self.descriptor, self.atInspector) = (descriptor, atInspector)
  }

  /// Writes as many bytes as the client accepts.
  @inline(__always)
  func write(_ output: inout Output) -> Output.Progress {
    guard let secure else { return output.write(to: descriptor) }
    return output.write(over: secure)
  }

  /// The number of bytes that were not sent; nil if the response is delayed or not available.
  var rest: Int? {
    var rest: Int? = 0
    if case .stream(let stream) = http.nextAction { rest = stream.rest }
    return rest.map { $0 + (unsent?.count ?? 0) }
  }

  /// True if nothing is in progress, so that the connection may be closed.
  var isIdle: Bool {
    guard case .open = stage, unsent == nil, !http.isMidRequest else { return false }
    return http.persists
  }
}

/// An answer that was recorded in the journal before its last byte was sent.
struct Noted {
  /// The number of the request.
  let number: UInt64
  /// The number of bytes of its content.
  let sent: Int
  /// The time on the monotonic clock at which the request was complete.
  let began: UInt64
}

/// The action of a connection after a response.
enum NextAction {
  /// Wait for the next request.
  case persist
  /// Close the connection, because either side requested it.
  case close
  /// Reset the connection, as the origin did.
  case reset
  /// Send nothing more, as the origin did.
  case silence
  /// Send pieces with gaps between them.
  case stream(PieceStream)
  /// Open a tunnel, which the client believes to lead to the origin.
  case tunnel(UpstreamOrigin)
  /// Wait for the upstream response, which arrives piece by piece.
  case upstream(ProxiedRequest)
  /// Pass bytes in both directions after a switch of protocols.
  case switched
  /// Wait for the deck, which answers on another thread.
  case matching(PendingMatch)

  /// True if further pieces of the response follow.
  @inline(__always)
  var isStream: Bool { if case .stream = self { true } else { false } }
}

/// Responds to complete requests, so that connections are independent of recordings.
protocol RequestHandler: AnyObject {
  /// Appends the response to a request, and returns the connection's action after it.
  ///
  /// The head's parts are offsets into `bytes`; the body is complete.
  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction

  /// Appends the response to an invalid request, without content if it was a `HEAD`; the connection is closed
  /// afterwards.
  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output)

  /// Returns a parser in its initial state.
  func makeParser() -> RequestParser

  /// The limits on a request.
  var limits: ParserLimits { get }
}

/// The requests of one event loop that are matched on other threads.
struct MatchingSide {
  private(set) var pending: [UInt64: PendingMatch] = [:]
  private var last: UInt64 = 0

  /// Registers a request until its answer arrives or its client closes the connection.
  mutating func add(_ match: PendingMatch, for client: Client) -> UInt64 {
    last += 1
    match.waiting = (last, client)
    pending[last] = match
    return last
  }

  /// Removes a request; returns nil if its client no longer waits.
  mutating func remove(_ number: UInt64) -> PendingMatch? { pending.removeValue(forKey: number) }
}
