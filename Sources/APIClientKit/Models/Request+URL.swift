public import Foundation

extension Request {
  /// Joins path and query under a base URL.
  ///
  /// - Parameter base: Where relative paths begin; its own path is kept.
  /// - Returns: A URL with a scheme and a host, or nil when they make none.
  public func url(under base: URL?) -> URL? {
    var text = path
    if path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) == nil {
      guard let base else { return nil }
      let root = base.absoluteString
      text = (root.hasSuffix("/") ? String(root.dropLast()) : root) + (path.hasPrefix("/") ? path : "/\(path)")
    }
    guard var parts = URLComponents(string: text), parts.scheme != nil, parts.host != nil else { return nil }
    let items = (query ?? []).map { name, value in Self.escape(name) + (value.map { "=" + Self.escape($0) } ?? "") }
    let own = parts.percentEncodedQuery.map { [$0] } ?? []
    if !items.isEmpty { parts.percentEncodedQuery = (own + items).joined(separator: "&") }
    return parts.url
  }

  /// RFC 3986 §2.3: everything but the unreserved is escaped, so that "+", "&" and "=" mean themselves.
  private static func escape(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
  }
}

extension CharacterSet {
  /// The characters that never need escaping (RFC 3986 §2.3).
  static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
