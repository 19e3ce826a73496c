import CassetteHTTP
import CassetteJSON

/// Writes the `cookies` members of HAR, which repeat header fields.
///
/// The reader uses the header fields only.
enum HARCookies {
  /// Writes the cookies of the `Cookie` field (RFC 6265 §4.2.1).
  static func sent(_ headers: HTTPHeaders, _ writer: inout JSONWriter) {
    writer.array("cookies", of: headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }) { pair, cookie in
      let (name, value) = parts(pair)
      cookie.member("name", name)
      cookie.member("value", value ?? "")
    }
  }

  /// Writes the cookies of `Set-Cookie` fields with their attributes (RFC 6265 §4.1.1).
  static func set(_ headers: HTTPHeaders, _ writer: inout JSONWriter) {
    writer.array("cookies", of: headers.values(of: "Set-Cookie")) { field, cookie in
      let pieces = field.split(separator: ";", omittingEmptySubsequences: false)
      let (name, value) = parts(pieces.first ?? "")
      cookie.member("name", name)
      cookie.member("value", value ?? "")
      var seen: Set<String> = []
      for piece in pieces.dropFirst() {
        let (attribute, value) = parts(piece)
        guard seen.insert(attribute.lowercased()).inserted else { continue }
        switch attribute.lowercased() {
        case "path": cookie.member("path", value ?? "")
        case "domain": cookie.member("domain", value ?? "")
        case "expires":
          if let value, let date = Timestamp.normal(value) { cookie.member("expires", date) }
        case "httponly": cookie.member("httpOnly", true)
        case "secure": cookie.member("secure", true)
        default: break
        }
      }
    }
  }

  private static func parts(_ piece: Substring) -> (name: String, value: String?) {
    let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let texts = pair.map { String($0.drop { $0 == " " || $0 == "\t" }) }
    return (texts.first ?? "", texts.count > 1 ? texts[1] : nil)
  }
}
