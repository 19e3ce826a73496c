import CassetteFoundation
import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The result of one request, redirects not followed.
struct ExchangeResult: Sendable {
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
    let pieces: [Piece]
    /// The header fields in the order of the recording, which `HTTPURLResponse` loses.
    var fields: HTTPHeaders = []
    /// The fields behind the body.
    var trailers: HTTPHeaders = []
    /// The code of the error that ends it too early.
    var brokenOff: Int?
    /// The body of a response that is handed on at once, whole, and whatever a delegate says.
    let whole: Data?

    init(_ response: HTTPURLResponse, _ pieces: [Piece], brokenOff: Int? = nil) {
      (self.response, self.pieces, self.brokenOff) = (response, pieces, brokenOff)
      let isPlain = brokenOff == nil && response.statusCode / 100 == 2
      whole = isPlain && pieces.count == 1 && pieces[0].after <= 0 && !pieces[0].data.isEmpty ? pieces[0].data : nil
    }
  }

  /// The number of seconds until anything comes.
  var delay = 0.0
  /// The gate that holds the answer before the delay begins.
  var gate: CassetteGate?
  /// True if a response may set cookies; looking for them costs.
  private(set) var setsCookies = true
  let outcome: Outcome

  /// The number of bytes of a body that it holds.
  var bodySize: Int {
    guard case .response(let delivery) = outcome else { return 0 }
    return delivery.pieces.reduce(0) { $0 + $1.data.count }
  }

  init(failing error: URLError) { outcome = .failure(error) }

  init(_ planned: PlannedResponse, url: URL, delay: Double, gate: CassetteGate? = nil) throws(CassetteError) {
    switch planned {
    case .response(let played): try self.init(played, url: url)
    case .failure(let failure): self.init(failing: .make(failure.code, url: url))
    }
    self.delay = delay
    self.gate = gate
  }

  init(_ played: PlayedResponse, url: URL) throws(CassetteError) {
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
    case .measured(let chunks, _, let breaksOff): (pieces, breaks) = (chunks, breaksOff)
    case .pieces(let chunks, let breaksOff):
      if !played.endsWithConnection { headers.append("Transfer-Encoding", "chunked") }
      (pieces, breaks) = (chunks, breaksOff)
    }
    do {
      pieces = try Self.decoded(pieces, headers, breaksOff: breaks)
    } catch {
      outcome = .failure(
        .make(
          NSURLErrorCannotDecodeContentData, url: url,
          message: "the body is not what its Content-Encoding says: store it coded, or take the field out"))
      return
    }
    guard let response = Self.response(url: url, status: played.status, headers: headers) else {
      outcome = .failure(.make(NSURLErrorBadServerResponse, url: url))
      return
    }
    setsCookies = headers.contains("Set-Cookie")
    var delivery = Delivery(
      response, pieces.map { Piece(after: $0.after, data: Data($0.bytes)) },
      brokenOff: breaks ? Self.code(of: played.cutEnd) : nil)
    (delivery.fields, delivery.trailers) = (headers, played.trailers)
    outcome = .response(delivery)
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
