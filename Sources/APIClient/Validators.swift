import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How kept answers are used for a request.
public enum CachePolicy: Hashable, Sendable {
  /// As the session does it, by its `URLCache`.
  case standard
  /// The server is asked whether the kept answer is still right; 304 gives it again.
  case revalidate
  /// The server is asked for all of it.
  case reload
  /// Nothing is sent: the answer that ``revalidate`` has kept, or an error.
  case cacheOnly
}

/// Answers with what makes them comparable (RFC 9110 §8.8), for platforms and sessions without a cache of their own.
final class Validators: Sendable {
  /// A URL and all fields: an answer to other fields may be another one.
  private struct Key: Hashable {
    let url: URL?
    let fields: [String: String]
  }

  /// What is kept; beyond this the oldest goes.
  private static let limit = 16 << 20
  private let store = Mutex<(kept: [Key: Exchange], order: [Key], size: Int)>(([:], [], 0))

  /// The answer kept for a request.
  func kept(for request: URLRequest) -> Exchange? {
    store.withLock { $0.kept[key(request)] }
  }

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
    guard response.statusCode == 200, isMarked, !control.contains("no-store") else { return exchange }
    keep(exchange, key(request))
    return exchange
  }

  private func keep(_ exchange: Exchange, _ key: Key) {
    var kept = exchange
    kept.isFromCache = true
    store.withLock { store in
      if let old = store.kept.updateValue(kept, forKey: key) {
        store.size -= old.data.count
        store.order.removeAll { $0 == key }
      }
      store.order.append(key)
      store.size += kept.data.count
      while store.size > Self.limit, !store.order.isEmpty {
        store.size -= store.kept.removeValue(forKey: store.order.removeFirst())?.data.count ?? 0
      }
    }
  }

  private func key(_ request: URLRequest) -> Key {
    Key(url: request.url, fields: request.allHTTPHeaderFields ?? [:])
  }
}
