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

/// The measures of the largest recorded requests, which the limits of a server must allow.
struct RequestMeasures: Equatable, Sendable {
  /// The size of a target with its origin in bytes, with the maximum size for placeholders of secrets.
  var target = 0
  /// The size of the header fields in bytes.
  var fieldBytes = 0
  /// The number of header fields.
  var fields = 0
  /// The size of the body in bytes.
  var body = 0

  /// The maximum size assumed for a secret that is a placeholder in a recorded target or field, in bytes.
  private static let secret = 16 << 10

  /// Creates measures of a target, header fields and a body, each in bytes.
  init(target: Int = 0, fieldBytes: Int = 0, body: Int = 0) {
    (self.target, self.fieldBytes, self.body) = (target, fieldBytes, body)
  }

  /// Measures the largest request of a library.
  init(of library: CassetteLibrary) {
    self.init()
    for cassette in library.cassettes {
      for interaction in cassette.interactions { include(interaction) }
      target += cassette.origin?.utf8.count ?? 0
    }
    for fixture in library.fixtures { target = max(target, fixture.url.utf8.count) }
  }

  private mutating func include(_ interaction: Interaction) {
    target = max(target, Self.length(of: interaction.url))
    let headers = interaction.requestHeaders
    fields = max(fields, headers.count)
    fieldBytes = max(
      fieldBytes, headers.reduce(0) { $0 + $1.name.utf8.count + Self.length(of: $1.value) + 4 })
    // The size of the stored text is an upper bound, so that the bodies of large cassettes need not be decoded.
    if let stored = interaction.requestBody, stored.isLong(body + 1) {
      // An unreadable body is reported when its recording is played.
      body = max(body, (try? stored.openLongFile()?.size ?? stored.bytes().count) ?? 0)
    }
    if let rules = interaction.rules { include(rules) }
  }

  /// Extends the measures to the strings that rules require.
  private mutating func include(_ rules: InteractionRules) {
    guard !rules.match.isEmpty else { return }
    let length = RuleNotation.text(of: rules.match).count
    (target, fieldBytes, body) = (max(target, length), max(fieldBytes, length), max(body, length))
  }

  /// Returns the size of a text in bytes, with the maximum size for each placeholder of a secret, raw or
  /// percent-encoded.
  private static func length(of text: String) -> Int {
    guard text.utf8.contains(UInt8(ascii: "{")) || text.utf8.contains(UInt8(ascii: "%")) else { return text.utf8.count }
    let parts = PercentEncoding.decodeText(text.utf8).split(separator: "{{secret", omittingEmptySubsequences: false)
    return text.utf8.count + (parts.count - 1) * secret
  }
}
