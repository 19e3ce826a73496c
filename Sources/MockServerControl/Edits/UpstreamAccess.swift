internal import CassetteHTTP
internal import CassetteSecrets
package import Cassettes
package import MockServerSockets
package import MockServerUpstream

/// The origins that a call of `/__mock/` may send requests to, and the requests that may be sent.
///
/// A caller can only choose origins that the user named: on the command line, or in the cassettes present when the
/// server started. Cassettes written later through `/__mock/` add no origins.
package struct UpstreamAccess: Sendable {
  /// The origins of the command line.
  ///
  /// Requests to them may contain credentials, and their addresses may be link-local.
  package var named: [UpstreamOrigin] = []
  /// The origins of the cassettes that were present when the server started.
  package var recorded = OriginRewriter(origins: [])
  /// The address of this server, which never sends requests to itself.
  package var own: SocketAddress
  /// The function that resolves host names; nil for the system's resolver.
  package var lookUp: Resolver.LookUp?

  package init(own: SocketAddress) { self.own = own }

  /// Creates a caller for the origin of a request.
  ///
  /// - `wanted`: The origin that the call names; nil for the origin of the recording.
  /// - `request`: The request. Credentials are sent only to the recorded origin and to origins of the command line.
  func caller(
    of wanted: String?, recording home: String?, for request: HTTPRequest
  ) throws(ControlRefusal) -> (origin: UpstreamOrigin, caller: UpstreamCaller) {
    guard let text = wanted ?? home else {
      throw ControlRefusal(409, "the recordings have no origin: name the live server with \"origin\"")
    }
    let origin: UpstreamOrigin
    do throws(UpstreamOrigin.Problem) { origin = try UpstreamOrigin(text) } catch {
      throw ControlRefusal(409, "\"origin\": \(error)")
    }
    let isNamed = named.contains(origin)
    guard isNamed || recorded.contains(RecordedTarget.canonicalOrigin("\(origin)")) else {
      throw ControlRefusal(
        403,
        "requests to \(origin) are not allowed: no cassette had this origin when the server started; start the "
          + "server with --origin \(origin)")
    }
    let isHome = home.map { (try? UpstreamOrigin($0)) == origin } ?? false
    if !isNamed, !isHome, let secret = Self.secret(in: request) {
      throw ControlRefusal(
        403,
        "the request was not sent to \(origin): it has credentials (\(secret)) and another recorded origin; to send "
          + "them, start the server with --origin \(origin)")
    }
    do throws(UpstreamCaller.Failure) {
      let caller = try UpstreamCaller.trustingSystem(
        origin, silenceSeconds: 10, isNamed: isNamed, own: own, asking: lookUp)
      return (origin, caller)
    } catch {
      throw ControlRefusal(409, "no request can be sent to \(origin): \(error)")
    }
  }

  /// Returns the name of the part of a request that contains a secret; nil for a request without secrets.
  private static func secret(in request: HTTPRequest) -> String? {
    for field in request.headers
    where SecretNames.masked(field: field.name, value: field.value) != field.value { return field.name }
    let target = request.pathAndQuery
    if SecretNames.masked(url: target) != target { return "in the URL" }
    let body = String(decoding: request.body, as: UTF8.self)
    let type = request.headers["Content-Type"]
    return SecretNames.masked(body: body, contentType: type) == body ? nil : "in the body"
  }
}
