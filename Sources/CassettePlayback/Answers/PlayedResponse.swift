package import CassetteHTTP
package import Cassettes

/// A response as a player puts it on a wire or hands it to a session, or the failure in its place.
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
  /// The seconds before it that the recording asks for: they pass faster when recordings play faster.
  package var ownDelay = 0.0
  /// The seconds before it that faults add, and the code of stubs.
  package var delay = 0.0

  package init(status: HTTPStatus, reason: String?, headers: HTTPHeaders, body: PlayedBody) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }

  /// Creates the end of an exchange that fails.
  package init(_ failure: RecordedFailure) { self.init(status: 0, reason: nil, headers: [], body: .failure(failure)) }

  /// Creates a response that was made as a whole.
  package init(_ response: HTTPResponse) {
    self.init(
      status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
  }

  /// The failure of the exchange, which then has no status; nil for a response.
  package var failure: RecordedFailure? { if case .failure(let failure) = body { failure } else { nil } }

  /// Returns the seconds until the response begins.
  ///
  /// - Parameter speed: How much faster recordings play; 0 for at once. Faults take the time they were given.
  /// - Returns: The seconds.
  package func delay(at speed: Double) -> Double { delay + (speed > 0 ? ownDelay / speed : 0) }
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
  /// There is no response: the exchange fails.
  case failure(RecordedFailure)
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
    case .file, .length, .failure: break
    }
    return isChanged
  }
}

extension PlayedResponse {
  /// The number that `Content-Length` says; nil where there is no such field (RFC 9110 §8.6), or the body is streamed.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): status.allowsContent ? bytes.count : nil
    case .file(_, let range): status.allowsContent ? range.count : nil
    case .length(let length): length
    case .measured(_, let length, _): length
    case .pieces, .failure: nil
    }
  }
}
