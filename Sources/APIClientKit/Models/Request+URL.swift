public import Foundation

extension Request {
  /// Returns the URL of the request.
  ///
  /// - Parameter base: The base URL of relative paths, whose own path is preserved.
  /// - Returns: The URL; nil if it would have no scheme or no host.
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

  /// Escapes all except unreserved characters, so that "+", "&" and "=" are preserved (RFC 3986 §2.3).
  private static func escape(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
  }
}

extension CharacterSet {
  /// The characters that need no escape in any part of a URL (RFC 3986 §2.3).
  static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
