package import CassetteHTTP

#if canImport(FoundationNetworking)
  package import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPURLResponse {
  /// Makes a response as a session hands it out.
  ///
  /// `HTTPURLResponse` keeps fields in a dictionary: repeats become one, joined with commas (RFC 9110 §5.3). That is wrong
  /// for `Set-Cookie` in general, but `HTTPCookie.cookies(withResponseHeaderFields:for:)` takes it apart again.
  ///
  /// - Parameters:
  ///   - url: What was asked for, after redirects.
  ///   - status: The status code.
  ///   - headers: The fields, framing included.
  /// - Returns: nil when Foundation does not take them.
  package static func make(url: URL, status: HTTPStatus, headers: HTTPHeaders) -> HTTPURLResponse? {
    var names: [String: String] = [:]
    var fields: [String: String] = [:]
    for field in headers {
      let name = names[field.name.lowercased()] ?? field.name
      names[field.name.lowercased()] = name
      fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return HTTPURLResponse(url: url, statusCode: status.code, httpVersion: "HTTP/1.1", headerFields: fields)
  }
}
