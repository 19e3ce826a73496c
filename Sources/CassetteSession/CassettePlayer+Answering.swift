import CassetteFoundation
public import CassetteHTTP
import CassettePlayback
internal import CassetteSystem
import Cassettes
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response that cassettes and stubs give to a request, for clients that do not use `URLSession`.
public struct CassetteResponse: Sendable {
  /// A part of the body, and the time before it.
  public struct Piece: Sendable {
    /// The time that passes before the piece arrives.
    public let delay: Duration
    /// The bytes of the piece.
    public let data: Data
  }

  /// The status code.
  public let status: Int
  /// The header fields in the order they are sent; the body is without the coding that `Content-Encoding` names.
  public let headers: CassetteSentRequest.Headers
  /// The time that passes before the response begins: the delay of a recording, a fault or a stub.
  public let delay: Duration
  /// The pieces of the body in the order they arrive; one for a body that was recorded as a whole.
  public let pieces: [Piece]
  /// The error that ends the body too early; nil for a complete body.
  public let cutOff: URLError.Code?

  /// The whole body, without waiting for its pieces.
  public var body: Data { pieces.reduce(into: Data()) { $0 += $1.data } }
}

extension CassettePlayer {
  /// Answers one request as a session of this player would: from cassettes and stubs, in their order, with their faults.
  ///
  /// An adapter for another HTTP client calls it. It returns at once, and the caller decides whether to wait for the
  /// delays in the response. Redirects are not followed, cookies are not added, and nothing goes to the network in a mode
  /// that records.
  ///
  /// - Parameters:
  ///   - method: The method: `GET`, `POST`.
  ///   - url: The whole URL.
  ///   - headers: The names and values of header fields, in the order they are sent.
  ///   - body: The content.
  /// - Returns: The response.
  /// - Throws: The error that a session's task would end with. The `localizedDescription` of a request that nothing
  ///   answers names the nearest recordings and their differences.
  public func response(
    to method: String, _ url: URL, headers: [(name: String, value: String)] = [], body: Data = Data()
  ) throws(URLError) -> CassetteResponse {
    if let closing = state.withLock({ $0.closed }) {
      let message = "\(method) \(url.absoluteString) \(closing.reason): nothing answers it"
      closing.late?(message)
      throw .make(NSURLErrorResourceUnavailable, url: url, message: message)
    }
    let fields = HTTPHeaders(headers.map { ($0.name, $0.value) })
    var request = URLRequest(url: url)
    request.httpMethod = method
    for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    guard var asked = HTTPRequest(request, body: Array(body)) else { throw refuse(url) }
    // A `URLRequest` keeps fields in a dictionary.
    asked.headers = fields
    let result = try carryOut(deck.plan(asked), asked, url) {
      var sent = request
      if !body.isEmpty { sent.httpBody = body }
      return sent
    }
    switch result.outcome {
    case .failure(let error): throw error
    case .response(let delivery): return CassetteResponse(delivery, after: result.delay)
    }
  }
}

extension CassetteResponse {
  fileprivate init(_ delivery: ExchangeResult.Delivery, after delay: Double) {
    status = delivery.response.statusCode
    headers = delivery.headers
    self.delay = .seconds(delay)
    pieces = delivery.pieces.map { Piece(delay: .seconds($0.after), data: $0.data) }
    cutOff = delivery.brokenOff.flatMap { URLError.Code(rawValue: $0) }
  }
}
