package import CassetteHTTP

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPRequest {
  /// Creates the request that a session would send, in the absolute form; nil when its URL is not of HTTP.
  ///
  /// The absolute form names the request's origin.
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
    if !defaults.isEmpty {
      let names = Set(fields.keys.map { $0.lowercased() })
      for (name, value) in defaults where !names.contains(name.lowercased()) { fields[name] = value }
    }
    let headers = HTTPHeaders(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    self.init(method: HTTPMethod(request.httpMethod ?? "GET"), target: target, headers: headers, body: body)
  }

  /// Scheme, host and everything up to the fragment, without user information, which is no part of an origin.
  private static func target(of url: URL) -> String {
    let text = url.absoluteString
    let bytes = text.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon..<end].starts(with: "://".utf8) else {
      return ""
    }
    let start = bytes.index(colon, offsetBy: 3)
    let authority = bytes[start..<(bytes[start..<end].firstIndex { $0 == slash || $0 == questionMark } ?? end)]
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? start
    let scheme = text[..<colon].lowercased()
    guard scheme == "http" || scheme == "https", host < authority.endIndex else { return "" }
    if host == start, end == bytes.endIndex, text.hasPrefix(scheme) { return text }
    return "\(scheme)://\(text[host..<end])"
  }

  private static var slash: UInt8 { UInt8(ascii: "/") }
  private static var questionMark: UInt8 { UInt8(ascii: "?") }
}
