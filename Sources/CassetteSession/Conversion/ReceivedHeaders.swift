package import CassetteHTTP

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension HTTPHeaders {
  /// Creates the header fields to record from a response that a session received.
  ///
  /// A session returns fields in a dictionary: the order is lost, repeated fields are joined, and a content coding is
  /// removed although its name and the encoded length remain. This initializer sorts the fields by name, separates the
  /// cookies in `Set-Cookie`, and drops the fields that do not apply to the decoded content.
  ///
  /// - `response`: The response from the session.
  /// - `keepsLength`: True to keep the length, if it is the only information about content that was not sent (RFC 9110
  ///   §8.6).
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
    // The fields are sorted by name; the offset keeps the order of cookies.
    let sorted = fields.enumerated().sorted {
      ($0.element.0.lowercased(), $0.offset) < ($1.element.0.lowercased(), $1.offset)
    }
    self.init(sorted.map(\.element))
  }

  /// Returns the content codings that the session removed, such as `gzip, br`; nil if there were none.
  package static func coding(of response: HTTPURLResponse) -> String? {
    guard isCoded(response), let value = response.value(forHTTPHeaderField: "Content-Encoding") else { return nil }
    let names = ContentCoding.names(in: value)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Returns true if the session removed a content coding.
  package static func isCoded(_ response: HTTPURLResponse) -> Bool {
    guard let value = response.value(forHTTPHeaderField: "Content-Encoding") else { return false }
    return ContentCoding.names(in: value).allSatisfy { ContentCoding(name: $0) != nil }
  }

  /// Names with a spelling that differs from capitalized words.
  private static let usual = [
    "etag": "ETag", "www-authenticate": "WWW-Authenticate", "content-md5": "Content-MD5", "te": "TE",
    "x-xss-protection": "X-XSS-Protection",
  ]

  /// Splits a joined `Set-Cookie` value at each comma that is followed by a name and an equals sign (RFC 6265 §4.1.1).
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
