public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What came back for a request.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded content.
  public let value: Value
  /// The exchange it came in.
  public let exchange: Exchange
  let http: HTTPURLResponse

  init(_ value: Value, _ exchange: Exchange, _ http: HTTPURLResponse) {
    (self.value, self.exchange, self.http) = (value, exchange, http)
  }

  /// The content of an exchange that got so far.
  init?(_ exchange: Exchange) where Value == Data {
    guard let http = exchange.response else { return nil }
    self.init(exchange.data, exchange, http)
  }

  /// The content as it came.
  public var data: Data { exchange.data }
  /// The status code; 200 when a kept answer was found to be fresh.
  public var status: Int { http.statusCode }
  /// Where it came from, after redirects.
  public var url: URL? { http.url }
  /// The request, before redirects.
  public var originalRequest: URLRequest { exchange.request }
  /// Times of the exchange, where the platform measures them (not on Linux).
  public var metrics: URLSessionTaskMetrics? { exchange.metrics }
  /// The header fields, as the platform spells their names.
  public var headers: [String: String] {
    http.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
  }
  /// The value of a header field, whatever the case of its name.
  public func header(_ name: String) -> String? { http.value(forHTTPHeaderField: name) }

  /// The same response with another value.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
    Response<Other>(try transform(value), exchange, http)
  }
}

/// One request as it was sent, and what became of it.
public struct Exchange: Sendable {
  /// What was sent.
  public internal(set) var request: URLRequest
  /// What came back, if anything did.
  public internal(set) var response: HTTPURLResponse?
  /// The content of the response.
  public internal(set) var data = Data()
  /// Why it did not come to its end.
  public internal(set) var error: (any Error)?
  /// Times of the exchange, where the platform measures them (not on Linux).
  public internal(set) var metrics: URLSessionTaskMetrics?
  /// From the first step to the last.
  public internal(set) var duration = Duration.zero
  /// Whether the content is that of an earlier response.
  public internal(set) var isFromCache = false
  /// The session's task; nil when nothing was sent.
  public internal(set) var task: URLSessionTask?
  var secrets = Secrets()

  /// The status code, if a response came.
  public var status: Int? { response?.statusCode }
}

extension Exchange: CustomStringConvertible {
  /// One line, secrets masked: `GET https://api.github.com/user -> 200, 1311 bytes, 0.034 seconds`.
  public var description: String {
    let url = secrets.mask(url: request.url?.absoluteString ?? "") { _ in "***" }
    let outcome =
      error.map { APIError.text(of: $0) } ?? response.map { "\($0.statusCode), \(data.count) bytes" } ?? "nothing"
    let line = "\(request.httpMethod ?? "GET") \(url) -> \(outcome), \(duration)"
    // What a server sends cannot steer the terminal.
    return line.replacing(/\p{Cc}/, with: " ")
  }
}

/// How far a transfer is.
public struct TransferProgress: Hashable, Sendable {
  /// Who is told.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// Bytes that are through.
  public let completed: Int64
  /// Bytes there are, when that is known.
  public let total: Int64?
  /// From 0 to 1, when the total is known.
  public var fraction: Double? { total.map { $0 > 0 ? Double(completed) / Double($0) : 1 } }
}
