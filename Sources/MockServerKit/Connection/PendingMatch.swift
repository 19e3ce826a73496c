internal import CassetteHTTP
internal import CassetteSystem
internal import Cassettes
internal import MockServerUpstream
internal import MockServerWire

/// A request of one client that another thread matches, or for which it makes a long answer.
///
/// It belongs to the loop of its client.
final class PendingMatch {
  /// A flag that tells if anybody still waits: the only part that other threads see.
  final class Demand: Sendable {
    private let isGone = Flag()

    /// Says that nobody waits any more.
    func end() { isGone.set() }

    /// True if an answer is of use.
    var lasts: Bool { !isGone.isSet }
  }

  let request: HTTPRequest
  let form: AnswerForm
  let head: RequestHead
  /// The head's bytes.
  let bytes: [UInt8]
  /// The time at which the request was complete, on the monotonic clock.
  let began: UInt64
  /// The origin to ask if nothing answers.
  let origin: UpstreamOrigin?
  let demand = Demand()
  /// The deck's reply if only its long answer is made on another thread.
  let reply: Reply?
  /// The address and the recorded origins by which links are rewritten.
  let links: (base: String?, origins: OriginRewriter)
  /// The number among those of the loop, and the client that waits; set when the loop takes the match over.
  var waiting: (number: UInt64, client: Client)?

  init(
    _ request: HTTPRequest, _ form: AnswerForm, _ head: RequestHead, _ bytes: Span<UInt8>, origin: UpstreamOrigin?,
    began: UInt64, reply: Reply? = nil, links: (base: String?, origins: OriginRewriter)
  ) {
    self.reply = reply
    self.links = links
    self.request = request
    self.form = form
    self.head = head
    self.bytes = Array(bytes)
    self.origin = origin
    self.began = began
  }
}

/// The requests of one loop whose answers are looked for on other threads.
struct MatchingSide {
  private(set) var pending: [UInt64: PendingMatch] = [:]
  private var last: UInt64 = 0

  /// Keeps a request until its answer comes, or nobody waits for it.
  mutating func add(_ match: PendingMatch, for client: Client) -> UInt64 {
    last += 1
    match.waiting = (last, client)
    pending[last] = match
    return last
  }

  /// Takes out a request; nil when nobody waits for its answer any more.
  mutating func remove(_ number: UInt64) -> PendingMatch? { pending.removeValue(forKey: number) }
}
