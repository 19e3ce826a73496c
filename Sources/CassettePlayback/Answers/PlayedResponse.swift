package import CassetteHTTP
package import Cassettes

/// A response that a player sends over a connection or passes to a session, or the failure of the exchange.
package struct PlayedResponse: Sendable {
  package var status: HTTPStatus
  package var reason: String?
  package var headers: HTTPHeaders
  /// The content coding that the body had when it was recorded; the body itself is decoded.
  package var coding: String?
  package var body: PlayedBody
  /// The interim responses that are sent before the response.
  package var interim: [InterimResponse] = []
  /// The trailer fields of a chunked body.
  package var trailers: HTTPHeaders = []
  /// True if closing the connection ends the body, because neither a length nor chunks frame it (RFC 9112 §6.3).
  package var endsWithConnection = false
  /// How the connection ends if the body is incomplete.
  package var cutEnd = CassetteFault.CutEnd.reset
  /// The seconds until the response begins.
  package var delay = 0.0

  package init(status: HTTPStatus, reason: String?, headers: HTTPHeaders, body: PlayedBody) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }

  /// Creates a failure of the exchange.
  package init(_ failure: RecordedFailure) { self.init(status: 0, reason: nil, headers: [], body: .failure(failure)) }

  /// Creates a response with a complete body.
  package init(_ response: HTTPResponse) {
    self.init(
      status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
  }

  /// The failure of the exchange; nil for a response.
  package var failure: RecordedFailure? { if case .failure(let failure) = body { failure } else { nil } }
}

/// The body of a response.
package enum PlayedBody: Sendable {
  /// The whole body in memory; its length is announced.
  case bytes([UInt8])
  /// A range of a file; its length is announced.
  case file(BodyFile, Range<Int>)
  /// No body, only its announced length, if the length is known (`HEAD`, 304).
  case length(Int?)
  /// Pieces of a body of unannounced length, each sent after its gap; `breaksOff` is true if the origin did not
  /// complete it.
  case pieces([BodyChunk], breaksOff: Bool)
  /// Pieces of a body of announced length, each sent after its gap.
  ///
  /// `breaksOff` is true if the origin did not complete the body; its length is then that of the encoded body, even if
  /// the pieces are decoded.
  case measured([BodyChunk], length: Int, breaksOff: Bool)
  /// No response, because the exchange fails.
  case failure(RecordedFailure)
}

extension PlayedBody {
  /// Replaces the bytes in memory, piece by piece; bytes for which `content` returns nil are kept.
  ///
  /// - Returns: True if any bytes were replaced.
  @discardableResult
  package mutating func replace(_ content: ([UInt8]) -> [UInt8]?) -> Bool {
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
      self = .measured(others, length: length + others.size - pieces.size, breaksOff: breaksOff)
    case .file, .length, .failure: break
    }
    return isChanged
  }
}

extension [BodyChunk] {
  /// The number of bytes in all pieces.
  package var size: Int { reduce(0) { $0 + $1.bytes.count } }
}

extension PlayedResponse {
  /// The number of bytes of content that are sent in response to a request other than `HEAD`.
  package var contentBytes: Int {
    guard status.allowsContent else { return 0 }
    return switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .pieces(let pieces, _), .measured(let pieces, _, _): pieces.size
    case .length, .failure: 0
    }
  }

  /// The value of `Content-Length`; nil if the response has no such field (RFC 9110 §8.6), or the body is streamed.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): status.allowsContent ? bytes.count : nil
    case .file(_, let range): status.allowsContent ? range.count : nil
    case .length(let length): length
    // The client of an incomplete body must notice that bytes are missing.
    case .measured(let pieces, let length, true): max(length, pieces.size + 1)
    case .measured(_, let length, false): length
    case .pieces, .failure: nil
    }
  }
}
