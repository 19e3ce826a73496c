package import CassetteHTTP
internal import MockServerWire

extension HTTPRequest {
  /// The protocols that the request asks to switch to, such as `websocket`; nil if the response may be plain HTTP/1.1.
  ///
  /// A server may ignore a request for another version of HTTP, or for TLS on the same port (RFC 9110 §7.8).
  package var upgrade: String? {
    guard headers.lists("upgrade", in: "Connection") else { return nil }
    let protocols = headers.members(of: "Upgrade")
    let isOptional = protocols.allSatisfy { name in
      let name = name.lowercased()
      return name == "h2c" || name == "h2" || name.hasPrefix("http/") || name.hasPrefix("tls/")
    }
    return isOptional ? nil : protocols.joined(separator: ", ")
  }
}
