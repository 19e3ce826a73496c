public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The answer to a request: its decoded content, and all that came with it.
public struct Response<Value> {
  /// The decoded content.
  public let value: Value
  /// The exchange that it came in.
  public let exchange: Exchange
  /// The answer of the session.
  public let response: URLResponse
  /// The session's task, which is over.
  public let task: URLSessionTask

  /// Creates a response, for a test.
  public init(
    value: Value, data: Data, response: URLResponse, task: URLSessionTask, metrics: URLSessionTaskMetrics? = nil
  ) {
    let request = task.originalRequest ?? URLRequest(url: response.url ?? URL(filePath: "/"))
    var exchange = Exchange(request: request, response: response as? HTTPURLResponse, data: data, task: task)
    exchange.metrics = metrics
    self.init(value, exchange, response, task)
  }

  private init(_ value: Value, _ exchange: Exchange, _ response: URLResponse, _ task: URLSessionTask) {
    (self.value, self.exchange, self.response, self.task) = (value, exchange, response, task)
  }

  /// Creates a response of the content of an exchange that got so far.
  init?(_ exchange: Exchange) where Value == Data {
    guard let response = exchange.response, let task = exchange.task else { return nil }
    self.init(exchange.data, exchange, response, task)
  }

  private var http: HTTPURLResponse? { response as? HTTPURLResponse }

  /// The content as it came.
  public var data: Data { exchange.data }
  /// The status code; 200 when a kept answer was found to be fresh.
  public var statusCode: Int? { http?.statusCode }
  /// The status code, or 0 for an answer that is not of HTTP.
  public var status: Int { statusCode ?? 0 }
  /// The URL that it came from, after redirects.
  public var url: URL? { response.url }
  /// The request as the client gave it to the session.
  public var originalRequest: URLRequest? { exchange.request }
  /// The request as the session has sent it last, after redirects.
  public var currentRequest: URLRequest? { task.currentRequest }
  /// Times of the exchange, where the platform measures them (not on Linux).
  public var metrics: URLSessionTaskMetrics? { exchange.metrics }
  /// The header fields, as the platform spells their names.
  public var headers: [String: String] {
    (http?.allHeaderFields ?? [:]).reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
  }
  /// Returns the value of a header field, whatever the case of its name.
  public func header(_ name: String) -> String? { http?.value(forHTTPHeaderField: name) }

  /// Returns the same response with another value.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
    Response<Other>(try transform(value), exchange, response, task)
  }
}

extension Response: Sendable where Value: Sendable {}

extension Response where Value == URL {
  /// The place of the downloaded file.
  public var location: URL { value }
}
