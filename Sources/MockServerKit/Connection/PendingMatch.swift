internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerUpstream
internal import MockServerWire

/// A request of one client that is matched, or whose long response is built, on another thread.
///
/// It belongs to the event loop of its client.
final class PendingMatch {
  /// A flag that is set when the client no longer waits: the only part that other threads access.
  final class Demand: Sendable {
    private let isGone = Flag()

    /// Marks the answer as no longer needed.
    func end() { isGone.set() }

    /// True if the answer is still needed.
    var lasts: Bool { !isGone.isSet }
  }

  let request: HTTPRequest
  let form: AnswerForm
  let head: RequestHead
  /// The head's bytes.
  let bytes: [UInt8]
  /// The time at which the request was complete, on the monotonic clock.
  let began: UInt64
  /// The origin to forward the request to if no recording answers.
  let origin: UpstreamOrigin?
  let demand = Demand()
  /// The plan, if only its long response is built on another thread.
  let plan: Plan?
  /// The base URL and the recorded origins for rewriting links.
  let links: (base: String?, origins: OriginRewriter)
  /// The number of the match in its loop, and the waiting client; set when the loop registers the match.
  var waiting: (number: UInt64, client: Client)?

  init(
    _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>, origin: UpstreamOrigin?,
    began: UInt64, plan: Plan? = nil, links: (base: String?, origins: OriginRewriter)
  ) {
    self.plan = plan
    self.links = links
    self.request = request
    self.form = form
    self.head = head
    self.bytes = Array(bytes)
    self.origin = origin
    self.began = began
  }
}
