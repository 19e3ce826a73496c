internal import CassetteHTTP
internal import MockServerSockets

/// `/__mock/`: tells what a server knows, and steers it, for people and tests on this machine and nobody's browser page.
///
/// It is a function of a request and a ``ControlledServer``: no socket is in sight.
package struct ControlAPI: Sendable {
  let server: any ControlledServer
  let secrets = JournalSecrets()

  /// The API of a server.
  package init(_ server: any ControlledServer) { self.server = server }

  func hiding(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.body = server.hiding(response.body)
    return response
  }

  // MARK: who may ask

  /// Refuses another origin's page, a rebound name, a missing token.
  func check(_ request: HTTPRequest) throws(ControlRefusal) {
    guard isOurs(host: request.target.authority ?? request.headers["Host"]) else {
      throw ControlRefusal(403, "/__mock/ answers under its own address only: ask at \(server.url)")
    }
    if let origin = request.headers["Origin"], !isOurs(origin: origin) {
      throw ControlRefusal(403, "/__mock/ does not answer pages of another origin")
    }
    let file = PageFile(rawValue: request.target.path)
    if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none",
      file != .page || !isVisit(request)
    {
      throw ControlRefusal(403, "/__mock/ does not answer pages of another origin")
    }
    if request.target.path == "/__mock/health" || file != nil { return }
    guard isAuthorized(request) || request.target.path == "/__mock/login" else {
      if case .token = server.access {
        throw ControlRefusal(
          401, "send Authorization: Bearer with the token of --admin-token, or log in at \(server.url)/__mock/",
          [("WWW-Authenticate", "Bearer")])
      }
      throw ControlRefusal(403, "this server is open to others: start it with --admin-token to use /__mock/")
    }
    // What a form of another page could send is no JSON.
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

  /// Tells whether a person follows a link to the page: it says nothing of the server, and nobody can frame it.
  private func isVisit(_ request: HTTPRequest) -> Bool {
    request.method == .get && request.headers["Sec-Fetch-Mode"] == "navigate"
      && request.headers["Sec-Fetch-Dest"] == "document"
  }

  /// Tells whether a `Host` names this server or this machine: a page that rebinds its own name to ours does not.
  private func isOurs(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return true }
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    if SocketAddress.isLoopback(host: name) { return true }
    // Behind a token a name proves nothing and forbids nothing: a container is called by many.
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
