#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Following redirects as a session does.
package enum Redirect {
  /// The most redirects that are followed before a session gives up.
  package static let limit = 20

  /// Returns the request that follows a response, or nil when it is the final one.
  ///
  /// - Parameters:
  ///   - response: What came.
  ///   - request: What was asked.
  /// - Returns: The next request, and whether it carries the body again.
  package static func next(after response: HTTPURLResponse, to request: URLRequest) -> (URLRequest, keepsBody: Bool)? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode), let from = request.url,
      let location = response.value(forHTTPHeaderField: "Location"),
      let url = URL(string: location, relativeTo: from)?.absoluteURL,
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return nil }
    var next = request
    next.url = url
    let method = request.httpMethod ?? "GET"
    // RFC 9110 §15.4.2 to §15.4.4: a POST may become a GET, after 303 everything but HEAD does.
    let becomesGet = response.statusCode == 303 ? method != "HEAD" : response.statusCode < 303 && method == "POST"
    if becomesGet {
      next.httpMethod = "GET"
      next.httpBody = nil
      for name in (next.allHTTPHeaderFields ?? [:]).keys where name.lowercased().hasPrefix("content-") {
        next.setValue(nil, forHTTPHeaderField: name)
      }
    }
    // RFC 9110 §15.4: what is secret to one origin is not told to another.
    if (url.scheme, url.host, url.port) != (from.scheme, from.host, from.port) {
      for name in ["Authorization", "Cookie", "Proxy-Authorization"] { next.setValue(nil, forHTTPHeaderField: name) }
    }
    return (next, !becomesGet)
  }
}
