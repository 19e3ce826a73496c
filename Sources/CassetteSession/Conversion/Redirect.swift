#if canImport(FoundationNetworking)
  import Foundation
  internal import FoundationNetworking
#else
  package import Foundation
#endif

/// Follows redirects like a session.
enum Redirect {
  /// The number of redirects after which a session fails.
  package static let limit = 20

  /// Returns the request that follows a redirect; nil if the response is final.
  static func next(after response: HTTPURLResponse, to request: URLRequest) -> (URLRequest, keepsBody: Bool)? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode), let from = request.url,
      let location = response.value(forHTTPHeaderField: "Location"),
      let url = URL(string: location, relativeTo: from)?.absoluteURL,
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return nil }
    var next = request
    next.url = url
    let method = request.httpMethod ?? "GET"
    // After 301 and 302, POST becomes GET; after 303, every method except HEAD does (RFC 9110 §15.4.2 to §15.4.4).
    let becomesGet = response.statusCode == 303 ? method != "HEAD" : response.statusCode < 303 && method == "POST"
    if becomesGet {
      next.httpMethod = "GET"
      next.httpBody = nil
      for name in (next.allHTTPHeaderFields ?? [:]).keys where name.lowercased().hasPrefix("content-") {
        next.setValue(nil, forHTTPHeaderField: name)
      }
    }
    // Credentials for one origin are not sent to another (RFC 9110 §15.4).
    if (url.scheme, url.host, url.port) != (from.scheme, from.host, from.port) {
      for name in ["Authorization", "Cookie", "Proxy-Authorization"] { next.setValue(nil, forHTTPHeaderField: name) }
    }
    return (next, !becomesGet)
  }
}
