import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The result of one request, redirects not followed.
final class ExchangeResult: Sendable {
  enum Outcome: Sendable {
    case response(Delivery)
    case failure(URLError)
  }

  /// A part of a body, as the loading system takes it.
  struct Piece: Sendable {
    /// The number of seconds before it.
    var after = 0.0
    let data: Data
  }

  /// A response and the pieces of its body.
  struct Delivery: Sendable {
    let response: HTTPURLResponse
    /// The fields in the order they are sent, which a response of the loading system does not keep.
    let headers: HTTPHeaders
    let pieces: [Piece]
    /// The fields behind the body.
    var trailers: HTTPHeaders = []
    /// The code of the error that ends it too early.
    let brokenOff: Int?
    /// The body of a response that is handed on at once, whole, and whatever a delegate says.
    let whole: Data?

    init(_ response: HTTPURLResponse, _ pieces: [Piece], headers: HTTPHeaders = [], brokenOff: Int? = nil) {
      (self.response, self.pieces, self.headers, self.brokenOff) = (response, pieces, headers, brokenOff)
      let isPlain = brokenOff == nil && response.statusCode / 100 == 2
      whole = isPlain && pieces.count == 1 && pieces[0].after <= 0 && !pieces[0].data.isEmpty ? pieces[0].data : nil
    }
  }

  /// The number of seconds until anything comes.
  let delay: Double
  /// The gate that holds the answer before the delay begins.
  let gate: CassetteGate?
  /// True if a response may set cookies; looking for them costs.
  let setsCookies: Bool
  let outcome: Outcome

  /// The number of bytes of a body that it holds.
  var bodySize: Int {
    guard case .response(let delivery) = outcome else { return 0 }
    return delivery.pieces.reduce(0) { $0 + $1.data.count }
  }

  /// Creates the result of a request that fails.
  init(failing error: URLError) { (outcome, delay, gate, setsCookies) = (.failure(error), 0, nil, false) }

  /// Creates a copy that a gate holds.
  private init(_ result: ExchangeResult, gate: CassetteGate) {
    (outcome, delay, self.gate, setsCookies) = (result.outcome, result.delay, gate, result.setsCookies)
  }

  /// Returns this result, held by a gate until a test opens it.
  func held(by gate: CassetteGate) -> ExchangeResult { ExchangeResult(self, gate: gate) }

  /// Creates the result of a response or a failure.
  init(_ played: PlayedResponse, url: URL) throws(CassetteError) {
    delay = played.delay(at: 1)
    gate = nil
    setsCookies = played.headers.contains("Set-Cookie")
    outcome = try Self.outcome(of: played, url: url)
  }

  private static func outcome(of played: PlayedResponse, url: URL) throws(CassetteError) -> Outcome {
    var headers = played.headers
    var pieces: [BodyChunk] = []
    var breaks = false
    // The framing a server puts on the wire, so that lengths are known here as there.
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
          message: "the body is not what its Content-Encoding says: store it coded, or take the field out"))
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

  /// The most bytes that a coded body may become.
  private static let longest = 256 << 20

  /// A body without its coding, as the loading system hands it on; one that is not coded, whatever the field says, as it is.
  private static func decoded(
    _ pieces: [BodyChunk], _ headers: HTTPHeaders, breaksOff: Bool
  ) throws(ContentDecoder.Failure) -> [BodyChunk] {
    guard headers.contains("Content-Encoding"), let decoder = ContentDecoder(headers) else { return pieces }
    let start = Array(pieces.lazy.flatMap(\.bytes).prefix(4))
    guard !start.isEmpty else { return pieces }
    let looksCoded = ContentDecoder.looksCoded(start)
    // Brotli, and deflate without the zlib format around it, have no mark to know them by: they are tried.
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

  /// A response that the loading system hands on as it is.
  static func response(url: URL, status: HTTPStatus, headers: HTTPHeaders) -> HTTPURLResponse? {
    var headers = headers
    #if canImport(FoundationNetworking)
      // Without the space the loading system takes over, asks for credentials and repeats the request on the network.
      if status == 401 {
        let challenges = headers.values(of: "WWW-Authenticate")
        if !challenges.isEmpty { headers.set("WWW-Authenticate", " " + challenges.joined(separator: ", ")) }
      }
    #endif
    return .make(url: url, status: status, headers: headers)
  }
}
