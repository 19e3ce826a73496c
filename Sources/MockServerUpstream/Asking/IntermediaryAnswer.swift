package import CassetteHTTP

/// The verdict on an answer that a proxy or a network may have given: such an answer is never recorded.
package enum IntermediaryAnswer {
  /// The proxy answered, and the origin was not asked.
  case failure(String)
  /// Either the proxy or the origin answered; the client gets the answer.
  case doubtful(String)

  /// Judges the head of an answer; nil for an answer of the origin.
  ///
  /// - Parameters:
  ///   - head: The head as it came.
  ///   - proxy: The proxy that was asked; nil for the origin itself, and for a tunnel through a proxy.
  ///   - origin: The origin that was meant.
  ///   - dropsUpgrade: True if the client asked for another protocol, and the origin was not told.
  package init?(
    _ head: ResponseHead, from proxy: OutgoingProxies.Proxy?, to origin: UpstreamOrigin, dropsUpgrade: Bool
  ) {
    let code = head.status.code
    if code == 426, dropsUpgrade {
      self = .doubtful("426 asks for another protocol, and the field Upgrade of the client was not passed on")
      return
    }
    // TLS authenticates the origin.
    guard !origin.isSecure else { return nil }
    if code == 511 {
      self = .doubtful("511 is the answer of a network that wants a login, not of the origin (RFC 6585 §6)")
      return
    }
    guard let proxy else { return nil }
    if code == 407 {
      self = .failure(
        "the proxy \(proxy.origin) answered 407: name a user that it accepts, HTTP_PROXY=http://USER:PASSWORD@HOST:PORT"
      )
    } else if let field = Self.confession(head.headers) {
      self = .failure("the proxy \(proxy.origin) answered \(code) in the place of the origin (\(field))")
    } else if code == 502 || code == 504 {
      self = .doubtful("the proxy \(proxy.origin) answered \(code), which may not be the answer of the origin")
    } else {
      return nil
    }
  }

  /// The field by which a proxy says that an answer is its own (RFC 9209 §2.1.3).
  private static func confession(_ headers: HTTPHeaders) -> String? {
    for field in headers {
      switch field.name.lowercased() {
      case "x-squid-error": return "\(field.name): \(field.value.prefix(80))"
      case "proxy-status":
        let value = field.value.lowercased().filter { $0 != " " && $0 != "\t" }
        if value.contains(";error=") { return "\(field.name): \(field.value.prefix(80))" }
      default: continue
      }
    }
    return nil
  }
}
