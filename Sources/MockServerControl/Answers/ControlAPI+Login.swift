internal import CassetteHTTP
internal import CassetteJSON
internal import MockServerSockets

/// Logging in: a page cannot send a token with everything it asks for, but its browser sends a cookie.
extension ControlAPI {
  /// The cookie's name; cookies do not tell ports apart.
  private var cookie: String { "mockserver-\(server.address.port)" }

  /// Takes the token, and gives a cookie that no script reads and no other site's page sends along.
  func logIn(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard case .token(let token) = server.access else { throw ControlRefusal(409, "this server asks for no token") }
    guard let sent = try call.body.string("token"), ControlMemory.isSame(Array(token.utf8), Array(sent.utf8)) else {
      throw ControlRefusal(403, "that is not the token of --admin-token")
    }
    return .response(done("logged in", cookie: server.memory.logIn()))
  }

  /// Forgets who has logged in.
  func logOut(_ call: ControlCall) -> ControlAnswer {
    if let pass = pass(of: call.request) { server.memory.logOut(pass) }
    return .response(done("logged out", cookie: "", more: "; Max-Age=0"))
  }

  private func done(_ words: String, cookie value: String, more: String = "") -> HTTPResponse {
    var response = ControlResponse.json { $0.member("status", words) }
    let secure = server.scheme == "https" ? "; Secure" : ""
    // RFC 6265bis §4.1.2.7: no request that another site has begun comes with it.
    response.headers.append(
      "Set-Cookie", "\(cookie)=\(value); Path=/__mock/; HttpOnly; SameSite=Strict\(secure)\(more)")
    return response
  }

  /// The pass in a browser's cookie; nil if there is none.
  private func pass(of request: HTTPRequest) -> String? {
    for field in request.headers where field.isNamed("Cookie") {
      for pair in field.value.split(separator: ";") {
        let text = pair.drop { $0 == " " }
        if text.hasPrefix("\(cookie)=") { return String(text.dropFirst(cookie.count + 1)) }
      }
    }
    return nil
  }

  /// Tells whether a request comes with the cookie of a login.
  func isLoggedIn(_ request: HTTPRequest) -> Bool { pass(of: request).map { server.memory.isLoggedIn($0) } ?? false }
}
