internal import CassetteHTTP
internal import CassetteSystem

/// Converts request targets to the absolute URLs that HAR requires, with only the characters of a URI (RFC 3986 §2).
///
/// Square brackets are not escaped, because browsers do not escape them either.
enum HARLink {
  /// The origin for cassettes without one.
  private static let nobody = "http://localhost"

  /// Returns the URL for a HAR entry, and the original target if it cannot be derived from the URL.
  static func link(_ target: String, _ origin: String?) -> (url: String, target: String?) {
    if target == "*" { return ("\(origin ?? nobody)/", target) }
    let isRelative = target.hasPrefix("/")
    let whole = isRelative ? (origin ?? nobody) + target : target
    let url = escaped(whole)
    if isRelative, origin == nil { return (url, target) }
    return (url, url == whole ? nil : whole)
  }

  /// Escapes characters that are not allowed in a URI, such as the braces of templates, except in the authority.
  private static func escaped(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let path = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let bytes = Array(url[path...].utf8)
    var escaped = Array(url[..<path].utf8)
    for (index, byte) in bytes.enumerated() {
      let isRight =
        byte == UInt8(ascii: "%")
        ? index + 2 < bytes.count && bytes[index + 1...index + 2].allSatisfy { $0.hexadecimalValue != nil }
        : allowed.contains(byte)
      escaped += isRight ? [byte] : PercentEncoding.encode([byte])
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The bytes that are not escaped: letters, digits, punctuation of paths and queries, and square brackets.
  private static let allowed = ByteSet.word.adding("-._~!$&'()*+,;=:@/?[]")
}
