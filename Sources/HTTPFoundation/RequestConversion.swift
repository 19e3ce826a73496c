package import HTTP

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPRequest {
  /// The request a session would send, in the absolute form, which names its origin; nil when its URL is not of HTTP.
  ///
  /// `URLRequest` keeps fields in a dictionary: their order is lost, and that of their names takes its place.
  ///
  /// - Parameters:
  ///   - request: What the session was asked to load.
  ///   - defaults: The session's own fields; those of the request win.
  ///   - body: The content; a `URLRequest` does not always carry it.
  package init?(_ request: URLRequest, defaults: [String: String] = [:], body: [UInt8]) {
    guard let url = request.url, let target = HTTPTarget(Self.target(of: url)), target.form == .absolute else {
      return nil
    }
    var fields = request.allHTTPHeaderFields ?? [:]
    let names = Set(fields.keys.map { $0.lowercased() })
    for (name, value) in defaults where !names.contains(name.lowercased()) { fields[name] = value }
    let headers = HTTPHeaders(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    self.init(method: HTTPMethod(request.httpMethod ?? "GET"), target: target, headers: headers, body: body)
  }

  /// Scheme, host and everything up to the fragment, without user information, which is no part of an origin.
  private static func target(of url: URL) -> String {
    let text = url.absoluteString
    let end = text.firstIndex(of: "#") ?? text.endIndex
    guard let separator = text.firstRange(of: "://") else { return "" }
    let rest = text[separator.upperBound..<end]
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let host = rest[..<authorityEnd].lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https", host < authorityEnd else { return "" }
    return "\(scheme)://\(rest[host...])"
  }
}
