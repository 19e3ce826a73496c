internal import CassetteRecording
internal import MockServerSockets
internal import MockServerUpstream

/// A request of one client that is forwarded upstream, and its response.
///
/// It belongs to the event loop of its client.
final class ProxiedRequest {
  /// The stage of the exchange.
  enum Stage {
    /// The request waits for a connection or for a response.
    case asking
    /// The response is complete; its last bytes are held until it is written to the journal.
    case keeping
    /// The exchange has ended.
    case over
  }

  /// The head as received, for the journal of requests.
  let head: [UInt8]
  let number: UInt64
  /// The time at which the request was complete, on the monotonic clock.
  let began: UInt64
  /// The origin that the request is sent to.
  let origin: UpstreamOrigin
  /// The proxy that the request is sent through; nil for a direct connection.
  let proxy: OutgoingProxies.Proxy?
  /// True if the request asks for a switch of protocols, which needs a new connection.
  let upgrades: Bool
  let form: AnswerForm
  let message: UpstreamRequest
  let token: Recording.Token
  var relay: Relay
  /// The file for the response body if it is too long for the memory.
  var longBody: RecordedLongBody? { relay.capture.store as? RecordedLongBody }
  var stage = Stage.asking
  /// The client that waits for the response; set when the loop registers the request.
  var client: Client?
  /// The last bytes of the response.
  var held = Output()
  /// The connection that carries the exchange.
  var connection: UpstreamConnection?
  /// The addresses that have not been tried.
  var addresses: [SocketAddress] = []
  /// The reason for the missing response, if the failure is recorded.
  var failure: UpstreamFailure?
  /// The `URLError` code of the last attempt to reach the origin; nil if a proxy or the recorder failed.
  var failureCode: Int?
  /// True if the exchange is passed through without being recorded.
  var isPassedThrough = false
  /// True if the request was sent before, on an idle connection that the origin had closed.
  var wasSentBefore = false

  init(
    head: [UInt8], number: UInt64, to origin: UpstreamOrigin, form: AnswerForm, message: UpstreamRequest,
    token: Recording.Token, relay: Relay, proxy: OutgoingProxies.Proxy? = nil, upgrades: Bool = false,
    began: UInt64 = 0
  ) {
    self.upgrades = upgrades
    isPassedThrough = upgrades
    self.began = began
    self.proxy = proxy
    self.head = head
    self.number = number
    self.origin = origin
    self.form = form
    self.message = message
    self.token = token
    self.relay = relay
  }
}
