package import CassetteHTTP
internal import CassetteRecording
internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets
internal import MockServerWire

/// A client's request translated for the origin, without fields for this server or for a single connection.
package struct UpstreamRequest {
  /// The request as bytes.
  package let bytes: [UInt8]
  /// The request method, which decides how the response ends.
  package let method: HTTPMethod
  /// The request to record, which is addressed to the origin rather than to this server.
  package let recorded: HTTPRequest
  /// True if the request may be repeated after an idle connection was closed (RFC 9110 §9.2.2).
  package let isIdempotent: Bool

  /// True if the client asked for another protocol, which is not passed on to the origin.
  package let dropsUpgrade: Bool

  /// The codings that can be decoded.
  ///
  /// In other codings secrets could not be found and differences could not be displayed.
  private static let decodable =
    ContentCoding.allCases.filter(\.canDecode).map(\.rawValue) + ["x-gzip", "identity"]

  /// Translates a client's request for an origin.
  ///
  /// - `base`: The base URL of this server that the client used, which is replaced in `Origin` and `Referer`.
  /// - `path`: The path prefix of the upstream, which is added unless the target starts with it. Empty by default.
  /// - `proxy`: The proxy that receives the request if the origin is not `https`; nil (the default) for the origin
  ///   itself.
  /// - `upgrades`: True to send the client's `Upgrade` field to the origin. The default is false.
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
    // A proxy needs the absolute form of the target (RFC 9112 §3.2.2). A tunnel leads to the origin itself.
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

  /// Returns the target with the path prefix of the upstream.
  ///
  /// Links in responses already contain the prefix.
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
        // These fields are for this server and are not passed on (RFC 9110 §11.7.1).
        case "x-mock-session", "proxy-authorization": return nil
        default: break
        }
        return field
      })
    return request
  }

  /// Returns the members of a list of codings that can be decoded, or `identity` if there are none.
  private static func decodable(_ list: String) -> String {
    let members = list.split(separator: ",").filter { member in
      let coding = member.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
      return decodable.contains(coding)
    }
    // If every coding can be decoded, the field is unchanged.
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
