package import CassetteHTTP

/// Response fields that a client of the origin would apply to the origin.
extension OriginRewriter {
  /// Returns a response field for a client of the mock server at `base`; nil if the field is sent unchanged.
  package func rewrite(_ field: HTTPHeaders.Field, to base: String) -> HTTPHeaders.Field? {
    let value: String? =
      switch field.name.lowercased() {
      // The value may begin with a link that has no scheme.
      case "link", "location", "content-location", "refresh":
        rewrite(field.value, to: base, after: UInt8(ascii: "="))
      case "set-cookie": cookie(field.value, for: base)
      default: nil
      }
    return value.map { .init(name: field.name, value: $0, isLatin1: field.isLatin1) }
  }

  /// Returns a cookie without the attributes for which a client of `base` would refuse it (RFC 6265bis §5.6); nil if it
  /// has none.
  private func cookie(_ value: String, for base: String) -> String? {
    let host = Self.host(of: base)
    // A name with one of these prefixes requires "Secure" (RFC 6265bis §4.1.3).
    let name = ASCII.trimmingBlanks(value[...]).lowercased()
    let isSecure = base.hasPrefix("https:") || name.hasPrefix("__host-") || name.hasPrefix("__secure-")
    let attributes = value.split(separator: ";", omittingEmptySubsequences: false)
    var kept = attributes.prefix(1)
    for attribute in attributes.dropFirst() {
      let parts = attribute.split(separator: "=", maxSplits: 1).map { ASCII.trimmingBlanks($0).lowercased() }
      switch (parts.first, parts.dropFirst().first ?? "") {
      case ("domain", let domain):
        let domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        func covers(_ host: String) -> Bool { host == domain || host.hasSuffix(".\(domain)") }
        if covers(host) || !hosts.isEmpty && !hosts.contains(where: covers) { kept.append(attribute) }
      case ("secure", _), ("partitioned", _), ("samesite", "none"): if isSecure { kept.append(attribute) }
      default: kept.append(attribute)
      }
    }
    return kept.count == attributes.count ? nil : kept.joined(separator: ";")
  }

  private var hosts: [String] { origins.map { Self.host(of: String(decoding: $0.authority, as: UTF8.self)) } }

  /// Returns the host of an origin or authority in lower case, without its port.
  private static func host(of origin: String) -> String {
    let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
    let port = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
    return authority[..<(port ?? authority.endIndex)].lowercased()
  }
}
