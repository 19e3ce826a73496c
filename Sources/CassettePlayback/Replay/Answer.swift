package import CassetteHTTP
internal import CassetteMatching
package import Cassettes

/// A deck's answer to a request.
package enum Answer: Sendable {
  /// A recording answers.
  case playback(Playback)
  /// No recording answers, but the recorded ones imply an answer: a preflight, the methods of a resource.
  case derived(HTTPResponse, request: UInt64)
  /// A fault takes the answer's place.
  case interrupted(Interruption)
  /// Nothing answers.
  case miss(Miss)
}

/// A recording that answers a request, and how it becomes the answer.
package struct Playback: Sendable {
  /// The number of the request.
  package let request: UInt64
  /// The number of the recording in its table.
  package let entry: Int
  package let recording: RecordingTable.Entry
  /// The way the answer is derived from the recording; nil when it is given as it is.
  package let derivation: Derivation?
  /// The faults that apply to the answer.
  package let faults: [CassetteFault]
  /// The table of the recording, and its number.
  package let table: RecordingTable

  /// The part of the session that the answer may use.
  package var session = SessionView()
  /// The request that is answered.
  let asked: HTTPRequest
  /// The names in it that templates had given out.
  var handedOut: [HandedOutName] = []

  /// The differences between the request and the recording; nil when there are none.
  package var approximation: Approximation?

  /// The number of the change that its answer was recorded after, where others answer the same request.
  package var after: Int?

  /// True if a stub plays that was added meanwhile.
  package var isOfStub: Bool { recording.position < 0 }

  /// True if everybody who is given this recording gets the same bytes at once, so that a player may keep them.
  ///
  /// Nothing of the request, the session, chance or time is in them, and no rule says how they are sent.
  package var isConstant: Bool {
    derivation == nil && faults.isEmpty && session.settings.isPlain && (replay.map { !$0.changesAnswer } ?? true)
      && !table.isTemplate(entry) && !table.isResource(entry) && !table.links.concerns(entry)
      && !CallMark.isIn(asked.body)
  }

  /// The rules of replay, if a person wrote some.
  package var replay: ReplayRules? { table.replay(of: entry) }
}

/// An answer, ready to be put on a wire or handed to a session.
package struct PlayedResponse: Sendable {
  package var status: HTTPStatus
  package var reason: String?
  package var headers: HTTPHeaders
  /// The coding the body had when it was recorded, which it does not have here.
  package var coding: String?
  package var body: PlayedBody
  /// Responses that go before it.
  package var interim: [InterimResponse] = []
  /// Fields that go behind a chunked body.
  package var trailers: HTTPHeaders = []
  /// True if the body ends when the connection closes, because neither a length nor chunks frame it (RFC 9112 §6.3).
  package var endsWithConnection = false
  /// The way the connection ends when a body breaks off.
  package var cutEnd = CassetteFault.CutEnd.reset

  package init(status: HTTPStatus, reason: String?, headers: HTTPHeaders, body: PlayedBody) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}

/// The bytes of an answer.
package enum PlayedBody: Sendable {
  /// Sent, with their length said beforehand.
  case bytes([UInt8])
  /// Sent from a file, a part of it or all, with its length said beforehand.
  case file(BodyFile, Range<Int>)
  /// Not sent; only their length is said, if anything is known of it (`HEAD`, 304).
  case length(Int?)
  /// Sent piece by piece, each after its gap; `breaksOff` when the origin did.
  case pieces([BodyChunk], breaksOff: Bool)
  /// Sent piece by piece, each after its gap, with a length said beforehand; `breaksOff` when it is not kept.
  case measured([BodyChunk], length: Int, breaksOff: Bool)
}

extension PlayedBody {
  /// Puts other bytes in the place of those in memory, piece by piece; nil keeps what was there.
  ///
  /// - Returns: Whether anything was replaced.
  @discardableResult
  mutating func replace(_ content: ([UInt8]) -> [UInt8]?) -> Bool {
    var isChanged = false
    func replaced(_ bytes: [UInt8]) -> [UInt8] {
      guard let other = content(bytes) else { return bytes }
      isChanged = true
      return other
    }
    func replaced(_ pieces: [BodyChunk]) -> [BodyChunk] {
      pieces.map { BodyChunk(after: $0.after, bytes: replaced($0.bytes)) }
    }
    switch self {
    case .bytes(let bytes): self = .bytes(replaced(bytes))
    case .pieces(let pieces, let breaksOff): self = .pieces(replaced(pieces), breaksOff: breaksOff)
    case .measured(let pieces, let length, let breaksOff):
      let others = replaced(pieces)
      let size = isChanged ? others.reduce(0) { $0 + $1.bytes.count } : length
      self = .measured(others, length: size, breaksOff: breaksOff)
    case .file, .length: break
    }
    return isChanged
  }
}
