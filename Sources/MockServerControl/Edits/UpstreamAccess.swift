internal import CassetteHTTP
internal import CassetteSecrets
package import Cassettes
package import MockServerSockets
package import MockServerUpstream

/// The origins that a call of `/__mock/` may ask, and the requests that may be sent to them.
///
/// A caller chooses among origins that a person named: on the command line, or in the cassettes that were there when the
/// server started. What is written later through `/__mock/` adds none.
package struct UpstreamAccess: Sendable {
  /// Origins of the command line.
  ///
  /// They may be asked with credentials, and may be addresses of the link.
  package var named: [UpstreamOrigin] = []
  /// Origins of the cassettes that were loaded first.
  package var recorded = OriginRewriter(origins: [])
  /// The address of the server itself, which is never asked.
  package var own: SocketAddress
  /// Looks up the addresses of host names; nil asks the system.
  package var lookUp: Resolver.LookUp?

  package init(own: SocketAddress) { self.own = own }

  /// Creates a caller of an origin for a request, or throws the reason why that origin is not asked.
  ///
  /// - Parameters:
  ///   - wanted: The origin that the call names; nil for that of the recording.
  ///   - home: The origin of the cassette, or of the nearest recording.
  ///   - request: The request to send. Credentials in it go to its recorded origin and those of the command line only.
  /// - Returns: The origin, and the caller that asks it.
  /// - Throws: ``ControlRefusal`` with the reason.
  func caller(
    of wanted: String?, recording home: String?, for request: HTTPRequest
  ) throws(ControlRefusal) -> (origin: UpstreamOrigin, caller: UpstreamCaller) {
    guard let text = wanted ?? home else {
      throw ControlRefusal(409, "no recording has an origin: name the live server with \"origin\"")
    }
    let origin: UpstreamOrigin
    do throws(UpstreamOrigin.Problem) { origin = try UpstreamOrigin(text) } catch {
      throw ControlRefusal(409, "\"origin\": \(error)")
    }
    let isNamed = named.contains(origin)
    guard isNamed || recorded.contains(RecordedTarget.canonicalOrigin("\(origin)")) else {
      throw ControlRefusal(
        403,
        "\(origin) is not asked: no cassette had that origin when the server started; to allow it, start the "
          + "server with --origin \(origin)")
    }
    let isHome = home.map { (try? UpstreamOrigin($0)) == origin } ?? false
    if !isNamed, !isHome, let secret = Self.secret(in: request) {
      throw ControlRefusal(
        403,
        "\(origin) is not asked: the request has credentials (\(secret)) and was not recorded from there; to send "
          + "them, start the server with --origin \(origin)")
    }
    do throws(UpstreamCaller.Failure) {
      let caller = try UpstreamCaller.trustingSystem(
        origin, silenceSeconds: 10, isNamed: isNamed, own: own, asking: lookUp)
      return (origin, caller)
    } catch {
      throw ControlRefusal(409, "\(origin) cannot be asked: \(error)")
    }
  }

  /// Returns the part of a request that has a secret; nil for a request without one.
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
