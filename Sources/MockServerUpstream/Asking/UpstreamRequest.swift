package import CassetteHTTP
internal import Cassettes
internal import MockServerWire

/// A client's request as it is sent to the origin: what concerns this server or one connection is taken out.
package struct UpstreamRequest {
  /// The bytes to send.
  package let bytes: [UInt8]
  /// The method, which decides how the answer ends.
  package let method: HTTPMethod
  /// The request as it is recorded: the client's own, as if it had asked the origin.
  package let recorded: HTTPRequest
  /// True if it may be sent again when a kept connection turns out to have ended (RFC 9110 §9.2.2).
  package let isIdempotent: Bool

  /// True if the client asked for another protocol, which is not passed on to the origin.
  package let dropsUpgrade: Bool

  /// Codings that can be undone: in any other, no secret could be found and no diff be read.
  private static let decodable =
    ContentCoding.allCases.filter(\.canDecode).map(\.rawValue) + ["x-gzip", "identity"]

  /// Translates a client's request for an origin.
  ///
  /// - Parameters:
  ///   - request: As the client sent it, its body complete.
  ///   - origin: Who is asked.
  ///   - base: The address the client used, for fields that name it.
  ///   - path: What is put before the target on the way, unless it begins with it.
  ///   - proxy: Who is asked in the place of an origin that speaks no TLS; nil for the origin itself.
  ///   - upgrades: True to send the client's `Upgrade` field to the origin.
  package init(
    _ request: HTTPRequest, to origin: UpstreamOrigin, base: String, path: String = "",
    proxy: OutgoingProxies.Proxy? = nil, upgrades: Bool = false
  ) {
    dropsUpgrade = !upgrades && request.headers.contains("Upgrade")
    method = request.method
    let sent = Self.recorded(request, origin, base)
    recorded = sent.contentDecoded ?? sent
    isIdempotent = request.method.isSafe || request.method == .put || request.method == .delete
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512 + request.body.count)
    let target = Self.target(request.pathAndQuery, below: path)
    // A proxy is told whom to ask (RFC 9112 §3.2.2); through a tunnel the origin itself is asked.
    let proxy = origin.isSecure ? nil : proxy
    let whole = proxy == nil || target == "*" ? target : "\(origin)\(target)"
    bytes += request.method.rawValue.utf8
    bytes.append(0x20)
    bytes += whole.utf8
    bytes += " HTTP/1.1\r\n".utf8
    if let credentials = proxy?.credentials {
      ResponseSerializer.appendField("Proxy-Authorization", credentials, to: &bytes)
    }
    let hasNamed = request.headers.contains("Connection")
    var hasHost = false
    func append(_ name: String, _ value: String) { ResponseSerializer.appendField(name, value, to: &bytes) }
    for field in sent.headers {
      let name = field.name.lowercased()
      switch name {
      case "upgrade" where upgrades: ResponseSerializer.appendField(field, to: &bytes)
      case "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect",
        "content-length", "proxy-authorization", "http2-settings":
        continue
      case "host":
        if !hasHost { append(field.name, field.value) }
        hasHost = true
      case "accept-encoding":
        append(field.name, Self.decodable(field.value))
      default:
        if !hasNamed || !request.headers.lists(name, in: "Connection") {
          ResponseSerializer.appendField(field, to: &bytes)
        }
      }
    }
    if upgrades { append("Connection", "Upgrade") }
    if !hasHost { append("Host", origin.authority) }
    if !request.body.isEmpty || request.headers.contains("Content-Length")
      || request.headers.contains("Transfer-Encoding")
    {
      append("Content-Length", String(request.body.count))
    }
    bytes += "\r\n".utf8
    bytes += request.body
    self.bytes = bytes
  }

  /// The target with the upstream's path before it: what begins with the path has it already, as links have.
  private static func target(_ target: String, below path: String) -> String {
    guard !path.isEmpty, target.hasPrefix("/") else { return target }
    let isBelow = target.hasPrefix(path) && ["/", "?", nil].contains(target.dropFirst(path.count).first)
    return isBelow ? target : path + target
  }

  private static func recorded(_ request: HTTPRequest, _ origin: UpstreamOrigin, _ base: String) -> HTTPRequest {
    var request = request
    if request.target.form == .absolute, let target = HTTPTarget(request.pathAndQuery) { request.target = target }
    request.headers = HTTPHeaders(
      fields: request.headers.compactMap { field in
        var field = field
        switch field.name.lowercased() {
        case "host": field.value = origin.authority
        case "origin", "referer": field.value = replacing(base, by: origin.description, in: field.value)
        // To this server, and to nobody behind it (RFC 9110 §11.7.1).
        case "x-mock-session", "proxy-authorization": return nil
        default: break
        }
        return field
      })
    return request
  }

  /// The codings of a list that can be undone; `identity` when there are none.
  private static func decodable(_ list: String) -> String {
    let members = list.split(separator: ",").filter { member in
      let coding = member.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
      return decodable.contains(coding)
    }
    // All of them can be: the field stays as it is written.
    if members.count == list.split(separator: ",").count { return list }
    let kept = members.joined(separator: ",").drop { $0 == " " }
    return kept.isEmpty ? "identity" : String(kept)
  }

  private static func replacing(_ base: String, by origin: String, in value: String) -> String {
    guard value.lowercased().hasPrefix(base.lowercased()) else { return value }
    let rest = value.dropFirst(base.count)
    guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return value }
    return origin + rest
  }
}
