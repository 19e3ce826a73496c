internal import CassetteHTTP
internal import MockServerSockets

/// The API at `/__mock/`, with which people and tests inspect and control a server.
///
/// Other sites' pages have no access.
///
/// It maps a request and a ``ControlledServer`` to an answer, without access to sockets.
package struct ControlAPI: Sendable {
  let server: any ControlledServer
  let secrets = JournalSecrets()

  /// Creates the API of a server.
  package init(_ server: any ControlledServer) { self.server = server }

  func hiding(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.body = server.hiding(response.body)
    return response
  }

  // MARK: who may ask

  /// Throws a refusal for pages of other origins, for host names of other machines, and for a missing token.
  func check(_ request: HTTPRequest) throws(ControlRefusal) {
    guard isOurs(host: request.target.authority ?? request.headers["Host"]) else {
      throw ControlRefusal(403, "/__mock/ is not available under this host name: use \(server.url)")
    }
    if let origin = request.headers["Origin"], !isOurs(origin: origin) {
      throw ControlRefusal(403, "/__mock/ rejects requests from pages of other origins")
    }
    let file = PageFile(rawValue: request.target.path)
    if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none",
      file != .page || !isVisit(request)
    {
      throw ControlRefusal(403, "/__mock/ rejects requests from pages of other origins")
    }
    if request.target.path == "/__mock/health" || file != nil { return }
    guard isAuthorized(request) || request.target.path == "/__mock/login" else {
      if case .token = server.access {
        throw ControlRefusal(
          401, "send the token of --admin-token as Authorization: Bearer TOKEN, or log in at \(server.url)/__mock/",
          [("WWW-Authenticate", "Bearer")])
      }
      throw ControlRefusal(403, "other machines can reach this server: start it with --admin-token to use /__mock/")
    }
    // A form on another page cannot send JSON.
    if request.method == .post || request.method == .put {
      guard request.headers.mediaType?.isJSON == true else {
        throw ControlRefusal(415, "send Content-Type: application/json")
      }
    }
  }

  func isAuthorized(_ request: HTTPRequest) -> Bool {
    guard case .token(let token) = server.access else { return server.address.isLoopback }
    let sent = Array((request.headers["Authorization"] ?? "").utf8)
    return ControlMemory.isSame(Array("Bearer \(token)".utf8), sent) || isLoggedIn(request)
  }

  /// Returns true if a user navigates to the page, which contains no data and cannot be embedded in a frame.
  private func isVisit(_ request: HTTPRequest) -> Bool {
    request.method == .get && request.headers["Sec-Fetch-Mode"] == "navigate"
      && request.headers["Sec-Fetch-Dest"] == "document"
  }

  /// Returns true if a `Host` value names this server or this machine, which protects against DNS rebinding.
  private func isOurs(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return true }
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    if SocketAddress.isLoopback(host: name) { return true }
    // With a token, the host name needs no check: a container has many names.
    if case .token = server.access { return true }
    return host == "\(server.address)" || name == server.address.host
  }

  private func isOurs(origin: String) -> Bool {
    guard let authority = origin.split(separator: "/").last, origin.hasPrefix("\(server.scheme)://") else {
      return false
    }
    let port = authority.split(separator: ":").last.flatMap { Int($0) } ?? (server.scheme == "https" ? 443 : 80)
    return isOurs(host: String(authority)) && port == server.address.port
  }
}
