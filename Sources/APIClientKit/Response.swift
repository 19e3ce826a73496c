public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response with its decoded content and its exchange.
public struct Response<Value> {
  /// The decoded content.
  public let value: Value
  /// The exchange that contains the response.
  public let exchange: Exchange
  /// The response of the session.
  public let response: URLResponse
  /// The completed task of the session.
  public let task: URLSessionTask

  /// Creates a response for tests.
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

  /// Creates a response from an exchange; nil if the exchange has no response.
  init?(_ exchange: Exchange) where Value == Data {
    guard let response = exchange.response, let task = exchange.task else { return nil }
    self.init(exchange.data, exchange, response, task)
  }

  private var http: HTTPURLResponse? { response as? HTTPURLResponse }

  /// The content without decoding.
  public var data: Data { exchange.data }
  /// The status code; 200 if the server confirmed that a cached response is still valid.
  public var statusCode: Int? { http?.statusCode }
  /// The status code; 0 for a response that is not HTTP.
  public var status: Int { statusCode ?? 0 }
  /// The URL of the response, after redirects.
  public var url: URL? { response.url }
  /// The request that the client passed to the session.
  public var originalRequest: URLRequest? { exchange.request }
  /// The last request that the session sent, after redirects.
  public var currentRequest: URLRequest? { task.currentRequest }
  /// The metrics of the exchange; nil on platforms that do not measure them (Linux).
  public var metrics: URLSessionTaskMetrics? { exchange.metrics }
  /// The header fields, with names as the platform writes them.
  public var headers: [String: String] {
    (http?.allHeaderFields ?? [:]).reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
  }
  /// Returns the value of a header field, compared case-insensitively by name.
  public func header(_ name: String) -> String? { http?.value(forHTTPHeaderField: name) }

  /// Returns the response with a transformed value.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Response<Other> {
    Response<Other>(try transform(value), exchange, response, task)
  }
}

extension Response: Sendable where Value: Sendable {}

extension Response where Value == URL {
  /// The location of the downloaded file.
  public var location: URL { value }
}
