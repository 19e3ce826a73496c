import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers with what makes them comparable (RFC 9110 §8.8), for platforms and sessions without a cache of their own.
final class Validators: Sendable {
  /// The most bytes that are kept; beyond this everything kept is discarded.
  private static let limit = 16 << 20
  private let store = Locked<(kept: [URLRequest: Exchange], size: Int)>(([:], 0))

  /// The answer kept for a request; that to other fields may be another one.
  func kept(for request: URLRequest) -> Exchange? { store.withLock { $0.kept[request] } }

  /// The request with the question whether the kept answer is still right (RFC 9110 §13.1).
  func asking(_ request: URLRequest) -> URLRequest {
    guard request.httpMethod == "GET", let response = kept(for: request)?.response else { return request }
    var request = request
    request.setValue(response.value(forHTTPHeaderField: "ETag"), forHTTPHeaderField: "If-None-Match")
    request.setValue(response.value(forHTTPHeaderField: "Last-Modified"), forHTTPHeaderField: "If-Modified-Since")
    return request
  }

  /// The kept answer for a 304; anything else as it is, kept if it may be.
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
