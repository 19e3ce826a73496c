internal import CassetteHTTP
internal import CassetteSecrets

/// Detects secrets, which must not become examples, and the security schemes of requests.
enum InferredSecrets {
  /// A security scheme (OpenAPI 3.1 §4.8.27).
  enum Scheme: Hashable, Comparable {
    case http(String)
    case key(place: String, name: String)

    /// The name of the scheme among the document's components.
    var name: String {
      switch self {
      case .http(let scheme): scheme
      case .key(let place, let name):
        "\(place)_\(String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }))"
      }
    }
  }

  static func isStandIn(_ text: [UInt8]) -> Bool { String(decoding: text, as: UTF8.self).contains("{{secret") }

  /// Returns true if the value of a member or parameter is a secret.
  static func isSecret(_ name: String, _ text: [UInt8]) -> Bool {
    switch SecretNames.verdict(on: name) {
    case .secret: true
    // `code` may be `not_found`, or a token of a sign-in.
    case .parameter, .several: text.count > 15 && text.contains { (0x30...0x39).contains($0) }
    case .harmless, .holder, .value:
      // A longer text may contain a secret.
      text.count > 15 && SecretMask.masked(String(decoding: text, as: UTF8.self), .text).contains(SecretNames.mask)
    }
  }

  static func isCredential(query name: String) -> Bool { SecretNames.isParameter(name) }

  static func isCredential(field name: String) -> Bool { CredentialField.isNamed(name) || SecretNames.isField(name) }

  /// Returns the security schemes of a request.
  static func schemes(of headers: HTTPHeaders, _ query: [QueryItem]) -> Set<Scheme> {
    var schemes: Set<Scheme> = []
    for field in headers where isCredential(field: field.name) {
      let name = field.name.lowercased()
      guard name == "authorization" else {
        if !["cookie", "proxy-authorization"].contains(name) {
          schemes.insert(.key(place: "header", name: field.name))
        }
        continue
      }
      let words = field.value.split(separator: " ", maxSplits: 1)
      let scheme = words.first.map { $0.lowercased() } ?? ""
      // The registered authentication schemes. An unregistered scheme such as `token …` is described as an API key.
      let known = ["basic", "bearer", "digest", "dpop", "hoba", "mutual", "negotiate", "scram-sha-256", "vapid"]
      schemes.insert(
        words.count == 2 && known.contains(scheme) ? .http(scheme) : .key(place: "header", name: "Authorization"))
    }
    for item in query where isCredential(query: item.name) { schemes.insert(.key(place: "query", name: item.name)) }
    return schemes
  }
}
