internal import CassetteHTTP
package import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// A recording that answers a request, and the changes that turn it into the answer.
package struct Playback: Sendable {
  /// The number of the request.
  package let request: UInt64
  /// The number of the recording in its table.
  package let entry: Int
  package let recording: RecordingTable.Entry
  /// How the answer is derived from the recording; nil if it is played unchanged.
  package let derivation: Derivation?
  /// The faults that apply to the answer.
  let faults: [CassetteFault]
  /// The table of the recording.
  package let table: RecordingTable

  /// The part of the session that the answer may use.
  package var session = SessionView()
  /// The request that is answered.
  let asked: HTTPRequest
  /// The names in the request that templates generated.
  var handedOut: [GeneratedName] = []

  /// The differences between the request and the recording; nil if there are none.
  package var approximation: Approximation?

  /// The number of the change that preceded the recording, if other recordings answer the same request.
  package var after: Int?

  /// The violation of the contract, as a response field describes it; nil if none was found.
  package var breach: String?

  /// True if the recording is a stub that was added during playback.
  package var isOfStub: Bool { recording.isAdded }

  /// The replay rules of the recording, if it has any.
  var replay: ReplayRules? { table.replay(of: entry) }

  /// The length of stored bodies, in bytes, from which no answer is constant.
  ///
  /// Reading the form of such a body decodes all of it. The server builds its answer outside of the event loops and
  /// keeps it.
  package static let longestConstant = 1 << 20

  /// Returns true if every client receives the same complete response without delay.
  ///
  /// Only this function decides whether an answer may be cached. Such an answer does not depend on the request, the
  /// session, random numbers or the time, no replay rule changes how it is sent, and no test code generates it.
  ///
  /// - `followsFiles`: True if the player reloads the deck when a body's file changes.
  func isConstant(followsFiles: Bool) -> Bool {
    guard derivation == nil, faults.isEmpty, approximation == nil, handedOut.isEmpty, session.settings.isPlain,
      replay?.changesAnswer != true, !recording.isStub,
      !table.isTemplate(entry), !table.isResource(entry), !CallEcho.mayConcern(asked.body),
      recording.interaction.method != .head, let response = recording.interaction.response,
      response.interim.isEmpty, response.trailers.isEmpty,
      response.body?.storedRoom ?? 0 < Self.longestConstant
    else { return false }
    switch response.body?.form {
    case .file: return followsFiles
    case .chunks: return false
    case .json, .text, .base64, nil: return true
    }
  }
}

extension Playback {
  /// Stores the name that a template generated, or replaces recorded names by names that templates generated before.
  func link(_ played: inout PlayedResponse) {
    guard let templates = table.templates, templates.concerns(entry), let memory = session.memory else { return }
    var content: [UInt8]?
    if case .bytes(let bytes) = played.body { content = bytes }
    if let change = templates.link(entry, &played.headers, content: content, to: asked, handedOut, memory) {
      played.body.replace(change)
    }
  }
}

extension Playback {
  /// Returns the recorded response with the values of this request filled in; nil if the response is not a template.
  ///
  /// - `base`: The scheme and authority that the client used; nil uses those of the request.
  func filledIn(_ recorded: RecordedResponse, base: String?) throws(CassetteError) -> RecordedResponse? {
    guard recorded.isTemplate else { return nil }
    guard let templates = table.templates, let memory = session.memory else {
      let error = EngineError.notLinked("template")
      throw CassetteError(
        recording.interaction.place ?? SourcePlace(file: recording.cassette, line: 0, column: 0), error.message,
        error.suggestion)
    }
    return try templates.response(of: entry, in: context(for: asked, base: base), memory)
  }

  private func context(for request: HTTPRequest, base: String?) -> TemplateContext {
    let own = base ?? request.namedOrigin ?? request.headers["Host"].map { "http://\($0)" } ?? recording.origin ?? ""
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var moment = Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
    if case .fixed(let seconds) = session.settings.clock { moment = Int(seconds * 1e9) }
    var context = TemplateContext(
      request: request, base: own, session: session.name, now: moment, random: random(for: request))
    if case .template(let path)? = table.rules(of: entry)?.path {
      let target = request.target.path
      context.pathNames = { path.values(in: target) }
    } else if recording.isFixture, let path = PathTemplate(recording.interaction.url) {
      let target = request.target.path
      context.pathNames = { path.values(in: target) }
    }
    let session = session
    context.state = { session.states[$0] ?? ReplayRules.State.start }
    return context
  }

  /// Returns random numbers for this answer, derived from seed, session, request and repetition; without a seed they
  /// are unpredictable.
  func random(for request: HTTPRequest, _ purpose: String = "") -> SeededRandom {
    // A repeated request gets the next numbers of the sequence.
    SeededRandom(session.settings, session.name, request, "\(purpose) \(session.repetition)")
  }
}

extension SeededRandom {
  /// Creates a generator for a request: deterministic for a session with a seed, and unpredictable without a seed.
  init(_ settings: PlaybackSettings, _ session: String, _ request: HTTPRequest, _ purpose: String) {
    guard let seed = settings.seed else {
      var system = SystemRandomNumberGenerator()
      self.init(seed: system.next())
      return
    }
    self.init(
      seed: seed, Array(session.utf8), Array(request.method.rawValue.utf8), Array(request.pathAndQuery.utf8),
      request.body, Array(purpose.utf8))
  }
}

extension Playback {
  /// A function that makes a response that does not depend on the request.
  package typealias Making = () throws(CassetteError) -> PlayedResponse

  /// Builds the recording's response to the request, before faults are applied.
  ///
  /// - `base`: The scheme and authority that replace the recorded origins; nil keeps them.
  /// - `origins`: The recorded origins; nil uses those of the recording's table.
  /// - `plain`: Calls its argument for the recorded response with links and secrets replaced, or returns a cached one;
  ///   may change the response. Not called for a template.
  /// - `coding`: Applies the content coding that the client accepts; nil leaves bodies decoded.
  package func response(
    base: String? = nil, origins: OriginRewriter? = nil,
    plain: (Making) throws(CassetteError) -> PlayedResponse = { make throws(CassetteError) in try make() },
    coding: ((PlayedResponse) -> PlayedResponse)? = nil
  ) throws(CassetteError) -> PlayedResponse {
    let interaction = recording.interaction
    if let failure = interaction.failure { return PlayedResponse(failure) }
    guard let recorded = interaction.response else { return PlayedResponse(RecordedFailure(code: -1, name: "unknown")) }
    // Stand-ins for secrets are inserted before the values of the request: no client can read a secret by its number.
    let filledIn = try self.filledIn(recorded, base: base)
    let type = interaction.impliedType
    let (origins, isHead) = (origins ?? table.origins, interaction.method == .head && asked.method == .head)
    var played =
      if let filledIn {
        try PlayedResponse(filledIn, base: base, origins: origins, isHead: isHead, nil, entry: entry, impliedType: type)
      } else {
        try plain { () throws(CassetteError) in
          try PlayedResponse(
            recorded, base: base, origins: origins, isHead: isHead, table.standIns(of: entry), entry: entry,
            impliedType: type)
        }
      }
    link(&played)
    if CallEcho.mayConcern(asked.body),
      let echo = CallEcho(
        asked.body, recorded: try interaction.requestBody?.bytes(), isMade: filledIn != nil || table.isResource(entry))
    {
      try played.body.echo(echo)
    }
    // A range or a 304 refers to the decoded content.
    if let coding, derivation == nil || derivation == .head { played = coding(played) }
    switch derivation {
    case .head: played.body = .length(played.length)
    case .notModified: played = Self.notModified(played)
    case .range(let field): played = Self.partial(played, field)
    case nil: break
    }
    return played
  }

  /// Returns the answer 304 with the recorded fields, without those that describe sent content (RFC 9110 §15.4.5).
  private static func notModified(_ played: PlayedResponse) -> PlayedResponse {
    var answer = played
    answer.status = 304
    answer.reason = nil
    for field in played.headers where field.name.lowercased().hasPrefix("content-") {
      if field.name.lowercased() != "content-location" { answer.headers.remove(field.name) }
    }
    answer.body = .length(nil)
    return answer
  }

  private static func partial(_ played: PlayedResponse, _ field: String) -> PlayedResponse {
    let count: Int
    switch played.body {
    case .bytes(let bytes): count = bytes.count
    case .file(_, let range): count = range.count
    case .length, .pieces, .measured, .failure: return played
    }
    var answer = played
    switch ByteRange(field, length: count) {
    case .ignored: return played
    case .satisfiable(let range):
      answer.status = 206
      // A checksum of the whole body does not apply to a part.
      answer.trailers = []
      answer.headers.append("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
      answer.body = played.body[range]
    case .unsatisfiable:
      answer.status = 416
      answer.headers.append("Content-Range", "bytes */\(count)")
      answer.body = .bytes([])
    }
    answer.reason = nil
    return answer
  }
}

extension PlayedResponse {
  /// Creates the response of a recording, with links and secrets replaced, for requests without a derivation.
  package init(
    _ recorded: RecordedResponse, base: String?, origins: OriginRewriter, isHead: Bool, _ standIns: StandIns?,
    entry: Int? = nil, impliedType: String? = nil
  ) throws(CassetteError) {
    var headers = HTTPHeaders()
    let bodiless = isHead || !recorded.status.allowsContent
    // The framing is normally computed from the body; a missing or incomplete body keeps the recorded framing.
    var said: Int?
    var closes = false
    for field in recorded.headers {
      switch field.name.lowercased() {
      case "content-length": said = Int(field.value)
      case "connection": closes = field.value.lowercased() == "close"
      case "transfer-encoding", "keep-alive", "trailer": break
      default: headers.append(base.flatMap { origins.rewrite(field, to: $0) } ?? field)
      }
    }
    if !bodiless, let type = impliedType { headers.append("Content-Type", type) }
    self.init(status: recorded.status, reason: recorded.reason, headers: headers, body: .bytes([]))
    if !bodiless { coding = recorded.coding }
    interim = recorded.interim.map { response in
      guard let base else { return response }
      let fields = response.headers.replacing { origins.rewrite($0, to: base)?.value }
      return InterimResponse(status: response.status, headers: fields)
    }
    if !bodiless { trailers = recorded.trailers }
    if bodiless {
      self.body = .length(said)
    } else if let body = recorded.body {
      self.body = try self.body(body, base: base, origins: origins)
      frameCut(of: body, length: said, closes: closes)
    }
    try standIns?.render(&self, of: entry)
  }

  /// Frames an incomplete body as it was framed during recording.
  private mutating func frameCut(of body: Body, length: Int?, closes: Bool) {
    guard case .pieces(let pieces, true) = self.body, case .chunks(_, let end) = body.form else { return }
    cutEnd = end == .close ? .close : .reset
    // The recorded length of an encoded body may be less than that of its decoded pieces.
    if let length, coding != nil || length > pieces.size {
      self.body = .measured(pieces, length: length, breaksOff: true)
    } else {
      endsWithConnection = closes
    }
  }

  private func body(_ body: Body, base: String?, origins: OriginRewriter) throws(CassetteError) -> PlayedBody {
    if case .chunks(let pieces, let end) = body.form {
      var played = PlayedBody.pieces(pieces, breaksOff: end != .complete)
      if let base { played.replace { origins.rewrite($0.span, to: base) } }
      return played
    }
    // Trailer fields need chunks, and a file is sent without chunks.
    if trailers.isEmpty, let file = try body.openLongFile(), try !holdsLink(file, body, base, origins) {
      return .file(file, 0..<file.size)
    }
    let bytes = try body.bytes()
    guard let base, isText(body), let rewritten = origins.rewrite(bytes.span, to: base) else { return .bytes(bytes) }
    return .bytes(rewritten)
  }

  /// Returns true if a file contains a link that must be rewritten, so that the file cannot be sent unchanged.
  private func holdsLink(
    _ file: BodyFile, _ body: Body, _ base: String?, _ origins: OriginRewriter
  ) throws(CassetteError) -> Bool {
    guard let base, isText(body) else { return false }
    return try origins.filesWithoutLinks.finds(in: file) { () throws(CassetteError) in
      var isFound = false
      try file.eachPart(overlap: 1 << 10) { part in
        isFound = origins.rewrite(part.span, to: base) != nil
        return !isFound
      }
      return isFound
    }
  }

  /// Returns true if links in the body are rewritten: not in encoded or binary content.
  private func isText(_ body: Body) -> Bool {
    if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" { return false }
    switch body.form {
    case .json, .text: return true
    case .base64, .file, .chunks: break
    }
    guard let type = headers.mediaType else { return false }
    return type.isText || type.isJSON
  }
}

extension PlayedBody {
  /// The body restricted to a range of its bytes.
  fileprivate subscript(range: Range<Int>) -> PlayedBody {
    switch self {
    case .bytes(let bytes): .bytes(Array(bytes[range]))
    case .file(let file, let whole):
      .file(file, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
    case .length, .pieces, .measured, .failure: self
    }
  }

  /// Reads a range of a file into memory, to modify its bytes.
  package static func bytes(of file: BodyFile, _ range: Range<Int>) throws(CassetteError) -> [UInt8] {
    let bytes = try file.read(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else { throw file.shortened }
    return bytes
  }
}
