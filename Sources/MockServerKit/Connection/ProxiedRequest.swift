internal import CassetteRecording
internal import MockServerSockets
internal import MockServerUpstream

/// A request on its way upstream and back, for one client.
///
/// It belongs to the loop of its client.
final class ProxiedRequest {
  /// The stage of the exchange.
  enum Stage {
    /// It waits for a connection, or for the answer on one.
    case asking
    /// The answer is complete, its last bytes wait until it is kept.
    case keeping
    /// Nothing more comes of it.
    case over
  }

  /// The head as it came, for the list of what was asked.
  let head: [UInt8]
  let number: UInt64
  /// The time at which the request was complete, on the monotonic clock.
  let began: UInt64
  /// The origin to ask.
  let origin: UpstreamOrigin
  /// The proxy to ask through; nil for the origin itself.
  let proxy: OutgoingProxies.Proxy?
  /// True if the request asks for another protocol, which needs a new connection.
  let upgrades: Bool
  let form: AnswerForm
  let message: UpstreamRequest
  let token: Recording.Token
  var relay: Relay
  /// The file for the answer's content if it is too long for the memory.
  var longBody: RecordedLongBody? { relay.capture.store as? RecordedLongBody }
  var stage = Stage.asking
  /// The client that waits for the answer; set when the loop takes it over.
  var client: Client?
  /// The last bytes of the answer.
  var held = Output()
  /// The connection it is on.
  var connection: UpstreamConnection?
  /// Addresses that were not tried yet.
  var addresses: [SocketAddress] = []
  /// The reason why there is no answer, when that is recorded.
  var failure: UpstreamFailure?
  /// The `URLError` code of the last attempt to reach the origin; nil if a proxy or the recorder failed.
  var failureCode: Int?
  /// True if the exchange is passed through without being recorded.
  var isPassedThrough = false
  /// True if it was sent before, on a kept connection that had ended.
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
