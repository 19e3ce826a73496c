internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerWire

extension PlayedResponse {
  /// Returns the response in its recorded coding if the client accepts it, and otherwise the decoded response.
  ///
  /// A long body that is sent from its file is not encoded, because its encoded length is unknown. A long body in
  /// memory is encoded once, and cached in `answers`.
  func coded(for accepted: AcceptedCodings, keptIn answers: LongAnswers) -> PlayedResponse {
    guard let coding, accepted.prefers(coding) else { return self }
    return coded { body, code in answers.coded(body, code) } ?? self
  }

  /// The response in its recorded coding; nil if it has no coding, or one that is not supported.
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
