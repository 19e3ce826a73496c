import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The result of one request; a redirect is a result, too.
final class ExchangeResult: Sendable {
  enum Outcome: Sendable {
    case response(Delivery)
    case failure(URLError)
  }

  /// A part of a body, as passed to the loading system.
  struct Piece: Sendable {
    /// The number of seconds before the part.
    var after = 0.0
    let data: Data
  }

  /// A response and the parts of its body.
  struct Delivery: Sendable {
    let response: HTTPURLResponse
    /// The header fields in order, which `HTTPURLResponse` does not preserve.
    let headers: HTTPHeaders
    let pieces: [Piece]
    /// The trailer fields.
    var trailers: HTTPHeaders = []
    /// The code of the error that ends an incomplete body; nil if the body is complete.
    let brokenOff: Int?
    /// The body of a response that is delivered at once without consulting a delegate; nil for other responses.
    let whole: Data?

    init(_ response: HTTPURLResponse, _ pieces: [Piece], headers: HTTPHeaders = [], brokenOff: Int? = nil) {
      (self.response, self.pieces, self.headers, self.brokenOff) = (response, pieces, headers, brokenOff)
      let isPlain = brokenOff == nil && response.statusCode / 100 == 2
      whole = isPlain && pieces.count == 1 && pieces[0].after <= 0 && !pieces[0].data.isEmpty ? pieces[0].data : nil
    }
  }

  /// The number of seconds before the response or failure.
  let delay: Double
  /// The gate that holds the answer before the delay begins.
  let gate: CassetteGate?
  /// True if the response may set cookies, so that they need not be searched for in each response.
  let setsCookies: Bool
  let outcome: Outcome

  /// The size of the body in bytes.
  var bodySize: Int {
    guard case .response(let delivery) = outcome else { return 0 }
    return delivery.pieces.reduce(0) { $0 + $1.data.count }
  }

  /// Creates the result of a failed request.
  init(failing error: URLError) { (outcome, delay, gate, setsCookies) = (.failure(error), 0, nil, false) }

  /// Creates a copy that is held by a gate.
  private init(_ result: ExchangeResult, gate: CassetteGate) {
    (outcome, delay, self.gate, setsCookies) = (result.outcome, result.delay, gate, result.setsCookies)
  }

  /// Returns a copy of the result that is held by a gate until a test opens it.
  func held(by gate: CassetteGate) -> ExchangeResult { ExchangeResult(self, gate: gate) }

  /// Creates the result of a response or a failure.
  init(_ played: PlayedResponse, url: URL) throws(CassetteError) {
    delay = played.delay
    gate = nil
    setsCookies = played.headers.contains("Set-Cookie")
    outcome = try Self.outcome(of: played, url: url)
  }

  private static func outcome(of played: PlayedResponse, url: URL) throws(CassetteError) -> Outcome {
    var headers = played.headers
    var pieces: [BodyChunk] = []
    var breaks = false
    // The same framing as on the wire, so that clients know the length.
    if let length = played.length { headers.append("Content-Length", String(length)) }
    switch played.body {
    case .bytes(let bytes): if played.status.allowsContent { pieces = [BodyChunk(bytes: bytes)] }
    case .file(let file, let range):
      if played.status.allowsContent { pieces = [BodyChunk(bytes: try PlayedBody.bytes(of: file, range))] }
    case .length: break
    case .failure(let failure): return .failure(.make(failure.code, url: url))
    case .measured(let chunks, _, let breaksOff): (pieces, breaks) = (chunks, breaksOff)
    case .pieces(let chunks, let breaksOff):
      if !played.endsWithConnection { headers.append("Transfer-Encoding", "chunked") }
      (pieces, breaks) = (chunks, breaksOff)
    }
    do {
      pieces = try decoded(pieces, headers, breaksOff: breaks)
    } catch {
      return .failure(
        .make(
          NSURLErrorCannotDecodeContentData, url: url,
          message: "the body does not match its Content-Encoding: store the encoded body, or remove the field"))
    }
    guard let response = response(url: url, status: played.status, headers: headers) else {
      return .failure(.make(NSURLErrorBadServerResponse, url: url))
    }
    var delivery = Delivery(
      response, pieces.map { Piece(after: $0.after, data: Data($0.bytes)) }, headers: headers,
      brokenOff: breaks ? code(of: played.cutEnd) : nil)
    delivery.trailers = played.trailers
    return .response(delivery)
  }

  private static func code(of end: CassetteFault.CutEnd) -> Int {
    switch end {
    case .reset, .close: URLError.brokenOff
    case .silence: NSURLErrorTimedOut
    case .badChunk: NSURLErrorCannotParseResponse
    }
  }

  /// The maximum size of a decoded body in bytes.
  private static let longest = 256 << 20

  /// Returns a body without its content coding, as the loading system delivers it.
  ///
  /// A body that is not encoded in spite of its header field is returned unchanged.
  private static func decoded(
    _ pieces: [BodyChunk], _ headers: HTTPHeaders, breaksOff: Bool
  ) throws(ContentDecoder.Failure) -> [BodyChunk] {
    guard headers.contains("Content-Encoding"), let decoder = ContentDecoder(headers) else { return pieces }
    let start = Array(pieces.lazy.flatMap(\.bytes).prefix(4))
    guard !start.isEmpty else { return pieces }
    let looksCoded = ContentDecoder.looksCoded(start)
    // Brotli, and deflate without the zlib format, have no signature, so decoding is attempted.
    guard looksCoded || ["br", "deflate"].contains(ContentDecoder.names(of: headers).last) else { return pieces }
    do throws(ContentDecoder.Failure) {
      var left = longest
      var decoded: [BodyChunk] = []
      for piece in pieces {
        let bytes = try decoder.decode(piece.bytes, limit: left)
        left -= bytes.count
        decoded.append(BodyChunk(after: piece.after, bytes: bytes))
      }
      guard decoder.isComplete || breaksOff else { throw ContentDecoder.Failure() }
      return decoded
    } catch {
      if looksCoded { throw error }
      return pieces
    }
  }

  /// Creates a response that the loading system delivers unchanged.
  static func response(url: URL, status: HTTPStatus, headers: HTTPHeaders) -> HTTPURLResponse? {
    var headers = headers
    #if canImport(FoundationNetworking)
      // Without the leading space, the loading system would request credentials and repeat the request on the network.
      if status == 401 {
        let challenges = headers.values(of: "WWW-Authenticate")
        if !challenges.isEmpty { headers.set("WWW-Authenticate", " " + challenges.joined(separator: ", ")) }
      }
    #endif
    return .make(url: url, status: status, headers: headers)
  }
}
