import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Does for cookies what the loading system does for its own protocols only.
enum Cookies {
  /// The request with the cookies its session has for it, unless it says its own.
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

  /// Keeps the cookies a response sets, and tells whether it sets any.
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
