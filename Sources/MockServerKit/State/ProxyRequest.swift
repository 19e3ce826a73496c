internal import CassetteHTTP
internal import Cassettes
internal import MockServerSockets
internal import MockServerUpstream

/// The kind of a request to a forward proxy.
enum ProxyRequest {
  /// An exchange with the origin that its target names.
  case exchange(HTTPRequest, UpstreamOrigin)
  /// A tunnel to a host, for any protocol.
  case tunnel(UpstreamOrigin)
  /// A request to the proxy itself, which names no other origin.
  case own
  /// A request that is refused, with the status and the reason.
  case refused(HTTPStatus, String)

  /// Determines the kind of a request, which may have arrived through a tunnel.
  init(_ request: HTTPRequest, through tunnel: UpstreamOrigin?, _ settings: ProxySettings, own: SocketAddress) {
    if request.method == .connect {
      self = Self.tunnel(request, through: tunnel, settings)
      return
    }
    let target: HTTPTarget
    if request.target.form == .absolute {
      target = request.target
    } else if let tunnel, let whole = HTTPTarget("\(tunnel)\(request.pathAndQuery)"), request.target.form == .origin {
      target = whole
    } else {
      self = .own
      return
    }
    do throws(UpstreamOrigin.Problem) {
      let origin = try UpstreamOrigin("\(target.scheme ?? "")://\(target.authority ?? "")")
      // The proxy must not forward requests to itself.
      if !origin.isSecure, (try? SocketAddress(host: origin.host, port: origin.port)) == own {
        self = .own
      } else if !settings.allows(origin) {
        self = .refused(403, "\(origin) is not one of this proxy's origins; allow it with --origin \(origin)")
      } else {
        var request = request
        request.target = target
        self = .exchange(request, origin)
      }
    } catch {
      self = .refused(400, "\(error)")
    }
  }

  private static func tunnel(
    _ request: HTTPRequest, through tunnel: UpstreamOrigin?, _ settings: ProxySettings
  ) -> ProxyRequest {
    guard tunnel == nil else { return .refused(400, "a tunnel inside a tunnel is not supported") }
    guard let origin = try? UpstreamOrigin("https://\(request.target.text)") else {
      return .refused(400, "CONNECT requires a host and a port, such as api.github.com:443 (RFC 9112 §3.2.3)")
    }
    // The protocol in the tunnel is not known yet: it may be plain HTTP.
    let plain = try? UpstreamOrigin("http://\(request.target.text)")
    guard settings.allows(origin) || plain.map(settings.allows) == true else {
      return .refused(403, "\(origin) is not one of this proxy's origins; allow it with --origin \(origin)")
    }
    return .tunnel(origin)
  }
}
