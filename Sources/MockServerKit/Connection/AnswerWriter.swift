internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerWire

/// The properties of a request that determine the form of its response.
struct AnswerForm {
  /// True if the connection stays open after the answer.
  var persists = true
  /// True if an HTTP/1.0 client has to be informed that the connection stays open.
  var saysKeepAlive = false
  /// True if the client understands the chunked transfer coding.
  var allowsChunks = true
  /// True if the request is a `HEAD`: the response ends with its head.
  var isHead = false
  /// The CORS permission for the requesting page; nil if the response is sent without CORS fields.
  var page: CORSGrant?
}

/// Serializes responses: the recorded fields, the framing, and the fields that RFC 9110 requires of a server.
enum AnswerWriter {
  /// Appends a response, and returns the next action of the connection; `date` is used for a response without a `Date`
  /// (RFC 9110 §6.6.1).
  static func append(
    _ answer: PlayedResponse, _ form: AnswerForm, date: [UInt8], to output: inout Output
  ) -> NextAction {
    if case .failure(let failure) = answer.body { return append(failure, to: &output) }
    // HTTP/1.0 supports neither interim responses (RFC 9110 §15.2) nor chunks (RFC 9112 §7.1).
    if form.allowsChunks { appendInterim(answer.interim, to: &output) }
    var answer = answer
    if let page = form.page { answer.headers = page.applied(to: answer.headers) }
    if form.allowsChunks, !answer.trailers.isEmpty, case .bytes(let bytes) = answer.body {
      answer.body = .pieces([BodyChunk(bytes: bytes)], breaksOff: false)
    }
    var head = headWithoutFraming(answer, date: date)
    var isChunked = false
    var persists = form.persists && !answer.endsWithConnection
    if case .pieces = answer.body {
      isChunked = form.allowsChunks && !answer.endsWithConnection
      persists = persists && isChunked
    }
    if let length = answer.length { ResponseSerializer.appendField("Content-Length", String(length), to: &head) }
    if isChunked { ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &head) }
    if !persists {
      head += connectionClose
    } else if form.saysKeepAlive {
      head += connectionKeepAlive
    }
    head += lineEnd
    output.append(head)
    let nextAction: NextAction = persists ? .persist : .close
    guard !form.isHead, answer.status.allowsContent else { return nextAction }
    switch answer.body {
    case .length, .failure: return nextAction
    case .bytes(let bytes):
      output.append(bytes)
      return nextAction
    case .file(let file, let range):
      output.append(file, range)
      return nextAction
    case .pieces(let pieces, let breaksOff):
      // A client of HTTP/1.0 would treat the body as complete at a regular end of the connection.
      let end = answer.cutEnd == .close && !form.allowsChunks ? .reset : answer.cutEnd
      return begin(
        PieceStream(
          pieces, end: breaksOff ? end : nil, isChunked: isChunked, persists: persists,
          trailers: answer.trailers), &output)
    case .measured(let pieces, _, let breaksOff):
      return begin(
        PieceStream(pieces, end: breaksOff ? answer.cutEnd : nil, isChunked: false, persists: persists), &output)
    }
  }

  private static func appendInterim(_ interim: [InterimResponse], to output: inout Output) {
    for response in interim {
      var bytes: [UInt8] = []
      ResponseSerializer.appendHead(status: response.status, headers: response.headers, to: &bytes)
      output.append(bytes)
    }
  }

  /// Appends the closest equivalent of a failure with a `URLError` code; unknown codes reset the connection.
  private static func append(_ failure: RecordedFailure, to output: inout Output) -> NextAction {
    switch failure.code {
    // timedOut
    case -1001: return .silence
    // badServerResponse: the connection is closed without a response.
    case -1011: return .close
    // cannotParseResponse: a chunk with an invalid size (RFC 9112 §7.1).
    case -1017:
      if failure == .garbage {
        output.append("\u{16}\u{3}~ this is no HTTP ~\u{0}\u{7f}\r\n\r\n")
        return .close
      }
      output.append("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n~no HTTP~\r\n")
      return .close
    default: return .reset
    }
  }

  /// Appends the pieces that have no gap before them.
  private static func begin(_ stream: PieceStream, _ output: inout Output) -> NextAction {
    var stream = stream
    return stream.gap ?? 0 > 0 ? .stream(stream) : stream.appendDue(to: &output)
  }

  /// Returns the status line and fields, without the empty line that ends a head.
  static func headWithoutFraming(_ answer: PlayedResponse, date: [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    head.reserveCapacity(512)
    ResponseSerializer.appendStatusLine(status: answer.status, reason: answer.reason, to: &head)
    for field in answer.headers { ResponseSerializer.appendField(field, to: &head) }
    if !answer.headers.contains("Date"), !answer.status.isInformational { head += dateName + date + lineEnd }
    return head
  }

  static let dateName = Array("Date: ".utf8)
  static let connectionClose = Array("Connection: close\r\n".utf8)
  static let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)
  static let lineEnd: [UInt8] = [13, 10]
}

/// Framing with the chunked transfer coding (RFC 9112 §7.1).
extension Output {
  /// Appends bytes of content, as a chunk if `isChunk` is true.
  mutating func append(_ bytes: [UInt8], asChunk isChunk: Bool) {
    guard isChunk else { return append(bytes) }
    appendHexadecimal(bytes.count)
    append(small: AnswerWriter.lineEnd)
    append(bytes)
    append(small: AnswerWriter.lineEnd)
  }

  /// Appends the last chunk and the trailer fields.
  mutating func appendLastChunk(_ trailers: HTTPHeaders = []) {
    var last = Array("0\r\n".utf8)
    for field in trailers { ResponseSerializer.appendField(field, to: &last) }
    append(last + AnswerWriter.lineEnd)
  }
}

extension PlayedResponse {
  /// Returns the response in its recorded coding if the client accepts it, and otherwise the decoded response.
  ///
  /// A long body that is sent from its file is not encoded, because its encoded length is unknown. A long body in
  /// memory is encoded once, and cached in `answers`.
  func coded(for accepted: AcceptedCodings, keptIn answers: LongAnswers) -> PlayedResponse {
    guard let coding, accepted.prefers(coding) else { return self }
    return coded { body, code in answers.coded(body, code) } ?? self
  }

  /// The response in its recorded coding; nil if the response is not coded, or the coding is not supported.
  var coded: PlayedResponse? { coded { $1() } }

  private func coded(_ keeping: (PlayedBody, () -> PlayedBody?) -> PlayedBody?) -> PlayedResponse? {
    guard let coding, status.allowsContent, status != 206, let encoder = ContentEncoder(coding),
      let coded = keeping(body, { body.coded(by: encoder) })
    else { return nil }
    var answer = self
    answer.body = coded
    answer.headers.insertContentEncoding(coding)
    answer.coding = nil
    return answer
  }
}

extension PlayedBody {
  /// The body in a content coding; nil if it cannot be encoded.
  fileprivate func coded(by encoder: ContentEncoder) -> PlayedBody? {
    switch self {
    case .bytes(let bytes):
      guard !bytes.isEmpty, let coded = encoder.encode(bytes, isLast: true) else { return nil }
      return .bytes(coded)
    case .pieces(let pieces, let breaksOff):
      return Self.coded(pieces, breaksOff: breaksOff, by: encoder).map { .pieces($0, breaksOff: breaksOff) }
    case .measured(let pieces, let length, true):
      return Self.coded(pieces, breaksOff: true, by: encoder).map { .measured($0, length: length, breaksOff: true) }
    case .file, .length, .measured, .failure: return nil
    }
  }

  private static func coded(_ pieces: [BodyChunk], breaksOff: Bool, by encoder: ContentEncoder) -> [BodyChunk]? {
    guard breaksOff || !pieces.isEmpty else { return nil }
    var coded: [BodyChunk] = []
    for (index, piece) in pieces.enumerated() {
      let isLast = !breaksOff && index == pieces.count - 1
      guard let bytes = encoder.encode(piece.bytes, isLast: isLast) else { return nil }
      coded.append(BodyChunk(after: piece.after, bytes: bytes))
    }
    return coded
  }
}

extension HTTPHeaders {
  /// Inserts `Content-Encoding` after `Content-Type`.
  fileprivate mutating func insertContentEncoding(_ coding: String) {
    let field = Field(name: "Content-Encoding", value: coding)
    let fields = Array(self)
    let place = fields.firstIndex { $0.isNamed("Content-Type") }.map { $0 + 1 } ?? fields.count
    self = HTTPHeaders(fields: fields[..<place] + [field] + fields[place...])
  }
}

extension ResponseParser.Event {
  /// The head, if the event is the head of a final response; nil otherwise.
  var finalHead: ResponseHead? { if case .head(let head, _) = self { head } else { nil } }
}

/// Serialization of an origin's head for the client.
extension ResponseHead {
  /// The complete head; an interim response needs no changes.
  var relayed: [UInt8] {
    var bytes: [UInt8] = []
    appendStatusLine(to: &bytes)
    for field in headers { ResponseSerializer.appendField(field, to: &bytes) }
    return bytes + AnswerWriter.lineEnd
  }

  func appendStatusLine(to bytes: inout [UInt8]) {
    ResponseSerializer.appendStatusLine(status: status, reason: reason, to: &bytes, isLatin1: isReasonLatin1)
  }
}
