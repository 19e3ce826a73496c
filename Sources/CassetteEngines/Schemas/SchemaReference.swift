internal import CassetteSystem

/// A URI reference in `$id` or `$ref` (RFC 3986).
struct SchemaReference {
  var scheme: String?
  var authority: String?
  var path = ""
  var query: String?
  var fragment: String?

  /// Splits a URI reference into its components (RFC 3986, appendix B).
  init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(where: { ":/".contains($0) }), rest[colon] == ":", colon > rest.startIndex {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Resolves the reference against a base URI (RFC 3986 §5.2.2).
  func resolved(against base: SchemaReference) -> SchemaReference {
    var target = self
    if scheme == nil {
      target.scheme = base.scheme
      if authority == nil {
        target.authority = base.authority
        if path.isEmpty {
          target.path = base.path
          target.query = query ?? base.query
        } else if !path.hasPrefix("/") {
          let folder = base.path.lastIndex(of: "/").map { base.path[...$0] }
          target.path = (folder.map(String.init) ?? (base.authority == nil ? "" : "/")) + path
        }
      }
    }
    target.path = Self.withoutDots(target.path)
    return target
  }

  /// The reference without its fragment.
  var document: String {
    (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path + (query.map { "?\($0)" } ?? "")
  }

  /// The decoded fragment; nil if its percent-encoding is invalid.
  var decodedFragment: String? {
    var bytes: [UInt8] = []
    var rest = Array((fragment ?? "").utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validUTF8: bytes)
  }

  /// Removes dot segments (RFC 3986 §5.2.4).
  private static func withoutDots(_ path: String) -> String {
    guard path.contains("/.") || path.hasPrefix(".") else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 || kept.first.map({ !$0.isEmpty }) ?? false { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
