import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A cache of responses with validators (RFC 9110 §8.8), for platforms and sessions without a cache.
final class Validators: Sendable {
  /// The maximum size of the cache in bytes.
  ///
  /// When it is exceeded, the cache is cleared.
  private static let limit = 16 << 20
  private let store = Locked<(kept: [URLRequest: Exchange], size: Int)>(([:], 0))

  /// Returns the cached response to a request.
  ///
  /// Requests with different header fields are cached separately.
  func kept(for request: URLRequest) -> Exchange? { store.withLock { $0.kept[request] } }

  /// Returns the request with the conditions for revalidating the cached response (RFC 9110 §13.1).
  func asking(_ request: URLRequest) -> URLRequest {
    guard request.httpMethod == "GET", let response = kept(for: request)?.response else { return request }
    var request = request
    request.setValue(response.value(forHTTPHeaderField: "ETag"), forHTTPHeaderField: "If-None-Match")
    request.setValue(response.value(forHTTPHeaderField: "Last-Modified"), forHTTPHeaderField: "If-Modified-Since")
    return request
  }

  /// Returns the cached response for a 304.
  ///
  /// Otherwise returns the response, and caches it if it has a validator.
  func settle(_ exchange: Exchange, for request: URLRequest) -> Exchange {
    guard request.httpMethod == "GET", exchange.error == nil, let response = exchange.response else { return exchange }
    if response.statusCode == 304, var kept = kept(for: request) {
      (kept.request, kept.task, kept.duration) = (exchange.request, exchange.task, exchange.duration)
      return kept
    }
    let isMarked = ["ETag", "Last-Modified"].contains { response.value(forHTTPHeaderField: $0) != nil }
    let control = response.value(forHTTPHeaderField: "Cache-Control")?.lowercased() ?? ""
    guard response.statusCode == 200, isMarked, !control.contains("no-store"), exchange.data.count < Self.limit
    else { return exchange }
    store.withLock { store in
      store.size += exchange.data.count - (store.kept[request]?.data.count ?? 0)
      if store.size > Self.limit { store = ([:], exchange.data.count) }
      store.kept[request] = exchange
      store.kept[request]?.isFromCache = true
    }
    return exchange
  }
}
