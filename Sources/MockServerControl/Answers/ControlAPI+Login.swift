internal import CassetteHTTP
internal import CassetteJSON
internal import MockServerSockets

/// The login of the inspector page.
///
/// Its browser sends a cookie where the page cannot send a token.
extension ControlAPI {
  /// The name of the cookie.
  ///
  /// It contains the port because cookies are shared by all ports of a host.
  private var cookie: String { "mockserver-\(server.address.port)" }

  /// Checks the token, and sets a cookie that scripts cannot read and other sites cannot use.
  func logIn(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard case .token(let token) = server.access else {
      throw ControlRefusal(409, "this server does not require a token")
    }
    guard let sent = try call.body.string("token"), ControlMemory.isSame(Array(token.utf8), Array(sent.utf8)) else {
      throw ControlRefusal(403, "this is not the token of --admin-token")
    }
    return .response(done("logged in", cookie: server.memory.logIn()))
  }

  /// Ends a login.
  func logOut(_ call: ControlCall) -> ControlAnswer {
    if let pass = pass(of: call.request) { server.memory.logOut(pass) }
    return .response(done("logged out", cookie: "", more: "; Max-Age=0"))
  }

  private func done(_ words: String, cookie value: String, more: String = "") -> HTTPResponse {
    var response = ControlResponse.json { $0.member("status", words) }
    let secure = server.scheme == "https" ? "; Secure" : ""
    // The browser sends the cookie only with requests from the same site (RFC 6265bis §4.1.2.7).
    response.headers.append(
      "Set-Cookie", "\(cookie)=\(value); Path=/__mock/; HttpOnly; SameSite=Strict\(secure)\(more)")
    return response
  }

  /// Returns the pass from a browser's cookie; nil without a cookie.
  private func pass(of request: HTTPRequest) -> String? {
    for field in request.headers where field.isNamed("Cookie") {
      for pair in field.value.split(separator: ";") {
        let text = pair.drop { $0 == " " }
        if text.hasPrefix("\(cookie)=") { return String(text.dropFirst(cookie.count + 1)) }
      }
    }
    return nil
  }

  /// Returns true if a request contains the cookie of a login.
  func isLoggedIn(_ request: HTTPRequest) -> Bool { pass(of: request).map { server.memory.isLoggedIn($0) } ?? false }
}
