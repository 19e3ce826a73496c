internal import CassetteHTTP

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPURLResponse {
  /// Creates a response like the responses of a session.
  ///
  /// `HTTPURLResponse` stores fields in a dictionary: repeated fields are joined with commas (RFC 9110 §5.3). This is
  /// generally wrong for `Set-Cookie`, but `HTTPCookie.cookies(withResponseHeaderFields:for:)` splits the value again.
  static func make(url: URL, status: HTTPStatus, headers: HTTPHeaders) -> HTTPURLResponse? {
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
