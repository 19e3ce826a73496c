package import CassetteHTTP

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPHeaders {
  /// Creates the fields to be kept of a response that a session received.
  ///
  /// A session hands out a dictionary: the order is lost, repeats are joined, and a coding is undone while its name and
  /// the coded length stay. Here they are in the order of their names, `Set-Cookie` one by one, and what no longer is
  /// true of the content is gone.
  ///
  /// - Parameters:
  ///   - response: As a session received it.
  ///   - keepsLength: Whether the length is all that is known of a content that was not sent (RFC 9110 §8.6).
  package init(received response: HTTPURLResponse, keepsLength: Bool) {
    let isCoded = Self.isCoded(response)
    var fields: [(String, String)] = []
    for (key, value) in response.allHeaderFields {
      guard let name = key as? String, let value = value as? String else { continue }
      switch name.lowercased() {
      case "set-cookie": fields += Self.cookies(in: value).map { ("Set-Cookie", $0) }
      case "content-encoding": if !isCoded { fields.append((name, value)) }
      case "content-length": if keepsLength { fields.append((name, value)) }
      default: fields.append((Self.usual[name.lowercased()] ?? name, value))
      }
    }
    // Cookies keep their order: the sort is of names, and stable by index.
    let sorted = fields.enumerated().sorted {
      ($0.element.0.lowercased(), $0.offset) < ($1.element.0.lowercased(), $1.offset)
    }
    self.init(sorted.map(\.element))
  }

  /// Returns the codings of a content that the session has undone, `gzip, br`; nil where there was none.
  package static func coding(of response: HTTPURLResponse) -> String? {
    guard isCoded(response), let value = response.value(forHTTPHeaderField: "Content-Encoding") else { return nil }
    let names = ContentCoding.names(in: value)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Tells whether the content had a coding that the session has undone.
  package static func isCoded(_ response: HTTPURLResponse) -> Bool {
    guard let value = response.value(forHTTPHeaderField: "Content-Encoding") else { return false }
    return ContentCoding.names(in: value).allSatisfy { ContentCoding(name: $0) != nil }
  }

  /// Names that a session spells in its own way.
  private static let usual = [
    "etag": "ETag", "www-authenticate": "WWW-Authenticate", "content-md5": "Content-MD5", "te": "TE",
    "x-xss-protection": "X-XSS-Protection",
  ]

  /// The cookies of a joined `Set-Cookie`: a comma parts them where a new name and an equals sign follow (RFC 6265 §4.1.1).
  static func cookies(in value: String) -> [String] {
    var cookies: [String] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" }
      let isNew =
        name.endIndex < part.endIndex && part[name.endIndex] == "=" && !name.isEmpty
        && !name.contains { " \t\"(),/:<>?@[]\\{}".contains($0) }
      if isNew || cookies.isEmpty {
        cookies.append(String(part.drop { $0 == " " }))
      } else {
        cookies[cookies.count - 1] += ",\(part)"
      }
    }
    return cookies
  }
}
