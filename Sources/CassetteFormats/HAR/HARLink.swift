internal import CassetteHTTP
internal import CassetteSystem

/// A URL as HAR wants it: absolute, and of nothing but what a URI may hold (RFC 3986 §2).
///
/// Brackets are kept: browsers send them as they are and write them into their HAR so.
enum HARLink {
  /// The host of a cassette that names no origin.
  private static let nobody = "http://localhost"

  /// The URL an entry shows for a recording's target, and the target itself where the URL cannot say it.
  static func link(_ target: String, _ origin: String?) -> (url: String, target: String?) {
    if target == "*" { return ("\(origin ?? nobody)/", target) }
    let isRelative = target.hasPrefix("/")
    let whole = isRelative ? (origin ?? nobody) + target : target
    let url = escaped(whole)
    if isRelative, origin == nil { return (url, target) }
    return (url, url == whole ? nil : whole)
  }

  /// Escapes what no URI may hold, as templates and placeholders do; the authority stays.
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

  /// The bytes of a URL that are not escaped: letters, digits, marks of paths and queries, and the brackets that browsers send.
  private static let allowed = ByteSet.word.adding("-._~!$&'()*+,;=:@/?[]")
}
