import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Handles cookies, because the loading system handles them only for its own protocols.
enum Cookies {
  /// Returns a request with the session's cookies for it, unless it has a `Cookie` field.
  static func adding(to request: URLRequest, _ configuration: URLSessionConfiguration?) -> URLRequest {
    guard let configuration, configuration.httpShouldSetCookies, request.httpShouldHandleCookies,
      let storage = configuration.httpCookieStorage, storage.cookies?.isEmpty == false, let url = request.url,
      let cookies = storage.cookies(for: url), !cookies.isEmpty, request.value(forHTTPHeaderField: "Cookie") == nil
    else { return request }
    var request = request
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }

  /// Stores the cookies that a response sets; returns true if it sets any.
  static func store(_ response: HTTPURLResponse, _ configuration: URLSessionConfiguration?) -> Bool {
    guard let configuration, configuration.httpCookieAcceptPolicy != .never,
      let storage = configuration.httpCookieStorage, let url = response.url,
      let value = response.value(forHTTPHeaderField: "Set-Cookie")
    else { return false }
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
    storage.setCookies(cookies, for: url, mainDocumentURL: nil)
    return true
  }
}
