package import CassetteHTTP
internal import CassetteSystem

/// The two parts of a recorded `url`: the origin, if it has one, and the path and query.
package enum RecordedTarget {
  /// Returns the length of a URL's scheme and authority; 0 for a path.
  package static func originLength(_ url: Span<UInt8>) -> Int {
    guard url.count > 0, url[0] != UInt8(ascii: "/") else { return 0 }
    var index = 0
    var slashes = 0
    while index < url.count {
      let byte = url[index]
      if byte == UInt8(ascii: "/") {
        slashes += 1
        if slashes == 3 { return index }
      } else if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        return index
      }
      index += 1
    }
    return slashes >= 2 ? url.count : 0
  }

  /// Calls `use` with path and query, beginning with a slash, without origin and fragment.
  package static func withPathAndQuery<R>(_ url: Span<UInt8>, _ use: (Span<UInt8>) -> R) -> R {
    let start = originLength(url)
    var end = start
    while end < url.count, url[end] != UInt8(ascii: "#") { end += 1 }
    if end > start, url[start] == UInt8(ascii: "/") { return use(url.extracting(start..<end)) }
    // The asterisk-form is not a path (RFC 9112 §3.2.4).
    if start == 0, end == 1, url[0] == UInt8(ascii: "*") { return use(url) }
    // "https://example.com" and "https://example.com?a=1" have the path "/" (RFC 9112 §3.2.1).
    var whole: [UInt8] = [UInt8(ascii: "/")]
    for index in start..<end { whole.append(url[index]) }
    return use(whole.span)
  }

  /// Returns the path and query of a URL, without origin and fragment.
  package static func pathAndQuery(of url: String) -> String {
    url.withUTF8Span { url in
      withPathAndQuery(url) { path in path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
  }

  /// Returns the origin of a URL, in lower case and without a default port; nil for a path.
  package static func origin(of url: String) -> String? {
    let length = url.withUTF8Span(originLength)
    return length == 0 ? nil : canonicalOrigin(String(decoding: url.utf8.prefix(length), as: UTF8.self))
  }

  /// Returns an origin in the form used for comparison: in lower case, without the default port of its scheme.
  package static func canonicalOrigin(_ origin: String) -> String {
    let text = origin.lowercased()
    if text.hasPrefix("https://"), text.hasSuffix(":443") { return String(text.dropLast(4)) }
    if text.hasPrefix("http://"), text.hasSuffix(":80") { return String(text.dropLast(3)) }
    return text
  }

  /// Returns true if a target has a placeholder for a secret, raw or percent-encoded.
  package static func hasPlaceholder(_ target: Span<UInt8>) -> Bool {
    for index in target.indices {
      let byte = target[index]
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "%") else { continue }
      // Rare enough to decode the rest as text.
      let rest = target.extracting(index..<target.count).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      return PercentEncoding.decodeText(rest.utf8).contains("{{secret")
    }
    return false
  }
}

extension HTTPRequest {
  /// The path and query in the form used by the index; `*` for the asterisk-form.
  package var pathAndQuery: String {
    if target.form == .asterisk { return "*" }
    guard let query = target.query else { return target.path }
    return "\(target.path)?\(query)"
  }

  /// The origin of an absolute-form target, as sent to a forward proxy; nil for other forms.
  package var namedOrigin: String? {
    guard let scheme = target.scheme, let authority = target.authority else { return nil }
    return RecordedTarget.canonicalOrigin("\(scheme)://\(authority)")
  }

  /// Returns true if the target begins with exactly this origin.
  ///
  /// Avoids creating a string.
  ///
  /// If it returns false, the target may still have the same origin in another spelling.
  package func names(origin: String) -> Bool {
    guard target.form == .absolute else { return false }
    return target.text.withUTF8Span { target in
      origin.withUTF8Span { origin in
        guard RecordedTarget.originLength(target) == origin.count else { return false }
        return target.extracting(0..<origin.count).equals(origin)
      }
    }
  }
}
