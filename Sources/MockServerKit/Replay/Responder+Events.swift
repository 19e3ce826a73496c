internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerUpstream
internal import MockServerWire

/// Adds events about the requests of a loop to its ``EventRing``.
extension Responder {
  /// Reports an answer sent from prepared bytes.
  @inline(__always)
  func note(
    _ answer: PreparedAnswer, _ entry: Int, _ number: UInt64, _ head: RequestHead, _ bytes: Span<UInt8>,
    _ body: [UInt8]
  ) {
    var note = EventRing.Note()
    note.number = number
    note.at = now
    note.nanoseconds = elapsed
    note.sent = answer.bodyLength
    note.entry = Int32(truncatingIfNeeded: entry)
    note.status = Int32(truncatingIfNeeded: answer.status)
    noted = Noted(number: number, sent: answer.bodyLength, began: began)
    let session = head.notable.contains(.session) ? head.value(of: Self.sessionField, in: bytes)?.range : nil
    state.feed.schedule(
      ring.note(
        note, .played(entry: entry, derived: nil), of: view.tableNumber, head: bytes, body: body,
        isTold: tellsOfAnswers,
        method: bytes.extracting(head.method.range), target: bytes.extracting(head.target.range),
        session: bytes.extracting(session ?? 0..<0)))
  }

  static let sessionField = "X-Mock-Session"

  /// Reports that a request was received.
  func note(_ request: HTTPRequest) {
    state.feed.schedule(ring.note(MockServerEvent(.request(request), at: now), at: now))
  }

  /// The outcome of a request, for the journal and for subscribers.
  struct Outcome {
    var status: HTTPStatus = 0
    var sent = 0
    var journal = RequestJournal.Outcome.miss
    var kind: MockServerEvent.Answer.Outcome
    /// A description of the fault's or the upstream server's effect.
    var words: String?
    /// The nanoseconds spent on the request outside of this turn of the loop.
    var extra = 0
    /// The nanoseconds for which the answer will be delayed.
    var delay = 0
    /// True if the client closed the connection before the answer.
    var isDisconnected = false
    /// The origin that the request was sent to, at a proxy.
    var origin: UpstreamOrigin?
    /// The recording that was played.
    var playback: Playback?
    /// The differences between the request and a recording whose fault replaced the answer.
    var approximation: Approximation?
  }

  /// Reports the recording that the deck chose for a client that left before its long response was built.
  func noteUnsent(_ match: PendingMatch) {
    guard let playback = match.plan?.playback else { return }
    var outcome = Outcome(kind: .played, playback: playback)
    outcome.extra = Int(truncatingIfNeeded: began &- match.began)
    outcome.status = HTTPStatus(playback.recording.interaction.status ?? 0)
    outcome.journal = Self.played(playback)
    outcome.isDisconnected = true
    let bytes = match.bytes
    note(playback.request, outcome, bytes.span, match.request)
  }

  /// Reports an answer that was built for this request.
  func note(_ number: UInt64, _ outcome: Outcome, _ bytes: Span<UInt8>, _ request: HTTPRequest) {
    var note = EventRing.Note()
    note.number = number
    note.at = now
    note.nanoseconds = elapsed &+ outcome.extra &+ outcome.delay
    note.sent = outcome.sent
    note.isDisconnected = outcome.isDisconnected
    noted =
      outcome.isDisconnected
      ? nil : Noted(number: number, sent: outcome.sent, began: began &- UInt64(clamping: outcome.extra))
    note.status = Int32(truncatingIfNeeded: outcome.status.code)
    note.outcome = outcome.kind
    guard tellsOfAnswers else { return keep(note, outcome.journal, bytes, request.body) }
    var detail = EventRing.Detail(approximation: outcome.approximation?.parts, words: outcome.words)
    if let playback = outcome.playback {
      detail.approximation = playback.approximation?.parts
      // The deck may have loaded other cassettes since this loop updated its view.
      if playback.table === view.table {
        note.entry = Int32(truncatingIfNeeded: playback.entry)
      } else {
        detail.recording = (playback.recording.interaction.id, playback.recording.cassette)
      }
    }
    // The target may contain a secret that another exchange or another field identifies.
    if state.recorder != nil, outcome.kind != .recorded { detail.request = request }
    // A proxy's clients send requests to any origin.
    let origin = proxy == nil ? "" : outcome.origin?.description ?? request.namedOrigin ?? ""
    let target = origin + request.pathAndQuery
    let session = request.headers[Self.sessionField] ?? ""
    let hasDetail =
      detail.approximation != nil || detail.words != nil || detail.request != nil || detail.recording != nil
    request.method.rawValue.withUTF8Span { method in
      target.withUTF8Span { target in
        session.withUTF8Span { session in
          let urgency = ring.note(
            note, outcome.journal, of: view.tableNumber, head: bytes, body: request.body, isTold: true, method: method,
            target: target, session: session, hasDetail ? detail : nil)
          state.feed.schedule(urgency)
        }
      }
    }
  }

  /// Adds a request to the journal, without an event.
  func keep(_ note: EventRing.Note, _ outcome: RequestJournal.Outcome, _ head: Span<UInt8>, _ body: [UInt8]) {
    let none = [UInt8]()
    _ = ring.note(
      note, outcome, of: view.tableNumber, head: head, body: body, isTold: false, method: none.span, target: none.span,
      session: none.span)
  }
}
