/// A URL as HAR wants it: absolute, and of nothing but what a URI may hold (RFC 3986 §2).
///
/// Brackets are kept: browsers send them as they are and write them into their HAR so.
enum HARLink {
  /// The host of a cassette that names no origin.
  private static let nobody = "http://localhost"

  /// The URL an entry shows, and the target as the cassette has it where the URL cannot say it.
  ///
  /// - Parameters:
  ///   - target: The recording's target, with or without an origin.
  ///   - origin: The cassette's origin.
  /// - Returns: A valid URL; and what it does not say, or nil.
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
        ? index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2]) : isAllowed(byte)
      if isRight {
        escaped.append(byte)
      } else {
        escaped += (byte < 0x10 ? "%0" : "%").utf8
        escaped += String(byte, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xdf)
  }

  /// Tells if a byte may be in a URL: letters, digits, marks of paths and queries, and the brackets that browsers send.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: marks.contains(byte)
    }
  }

  private static let marks = Array("-._~!$&'()*+,;=:@/?[]".utf8)
}
