internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import MockServerSockets

/// `/__mock/`: what the server knows of itself, for the people on this machine and nobody's browser page.
struct AdminAPI {
  private let state: ServerState

  init(_ state: ServerState) { self.state = state }

  /// Answers a request whose path begins with `/__mock/`.
  func respond(to request: HTTPRequest) -> HTTPResponse {
    var response = answer(request)
    response.body = state.hiding(response.body)
    return response
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    if let refusal = refusal(of: request) { return refusal }
    let path = request.target.path
    // A HEAD is a GET whose content stays here (RFC 9110 §9.3.2).
    switch (path, request.method == .head ? .get : request.method) {
    case ("/__mock/health", .get): return health(isAllowed: isAuthorized(request))
    case ("/__mock/interactions", .get): return AdminReport.interactions(state.deck.table)
    case ("/__mock/journal", .get): return AdminReport.journal(state)
    case ("/__mock/misses", .get): return AdminReport.misses(state)
    case ("/__mock/reset", .post): return reset(request)
    case ("/__mock/health", _), ("/__mock/interactions", _), ("/__mock/journal", _), ("/__mock/misses", _):
      return Self.problem(405, "\(path) is asked with GET", [("Allow", "GET, HEAD")])
    case ("/__mock/reset", _):
      return Self.problem(405, "\(path) is asked with POST and Content-Type: application/json", [("Allow", "POST")])
    default:
      let known = "health, interactions, journal, misses (GET) and reset (POST)"
      return Self.problem(404, "there is no \(path): /__mock/ has \(known)")
    }
  }

  /// Why a request may not be answered: another origin's page, a rebound name, a missing token.
  private func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard isOurs(host: request.target.authority ?? request.headers["Host"]) else {
      return Self.problem(403, "/__mock/ answers under its own address only: ask at \(state.url)")
    }
    if let origin = request.headers["Origin"], !isOurs(origin: origin) {
      return Self.problem(403, "/__mock/ does not answer pages of another origin")
    }
    if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
      return Self.problem(403, "/__mock/ does not answer pages of another origin")
    }
    if request.target.path == "/__mock/health" { return nil }
    guard isAuthorized(request) else {
      if case .token = state.configuration.admin {
        return Self.problem(
          401, "send Authorization: Bearer with the token of --admin-token", [("WWW-Authenticate", "Bearer")])
      }
      return Self.problem(403, "this server is open to others: start it with --admin-token to use /__mock/")
    }
    if request.method == .post {
      guard request.headers["Content-Type"].flatMap({ MediaType($0) })?.isJSON == true else {
        return Self.problem(415, "send Content-Type: application/json")
      }
    }
    return nil
  }

  private func isAuthorized(_ request: HTTPRequest) -> Bool {
    guard case .token(let token) = state.configuration.admin else { return state.address.isLoopback }
    let expected = Array("Bearer \(token)".utf8)
    let sent = Array((request.headers["Authorization"] ?? "").utf8)
    // Every byte is looked at, so that the time taken says nothing about the token.
    var difference = UInt8(expected.count == sent.count ? 0 : 1)
    for index in expected.indices { difference |= expected[index] ^ (index < sent.count ? sent[index] : 0) }
    return difference == 0
  }

  /// Tells whether a `Host` names this server or this machine: a page that rebinds its own name to ours does not.
  private func isOurs(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return true }
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    if name == "localhost" || name == "[::1]" || name == "127.0.0.1" { return true }
    if let address = try? SocketAddress(host: name, port: 0), address.isLoopback { return true }
    // Behind a token a name proves nothing and forbids nothing: a container is called by many.
    if case .token = state.configuration.admin { return true }
    return host == "\(state.address)" || name == state.address.host
  }

  private func isOurs(origin: String) -> Bool {
    guard let authority = origin.split(separator: "/").last, origin.hasPrefix("\(state.scheme)://") else {
      return false
    }
    let port = authority.split(separator: ":").last.flatMap { Int($0) } ?? (state.scheme == "https" ? 443 : 80)
    return isOurs(host: String(authority)) && port == state.address.port
  }

  private func health(isAllowed: Bool) -> HTTPResponse {
    Self.json { json in
      json.member("status", "ok")
      guard isAllowed else { return }
      let table = state.deck.table
      json.member("recordings", table.recordingCount)
      json.member("fixtures", table.fixtureCount)
      json.member("requests", Int(clamping: state.deck.requestCount))
      json.member("misses", state.missCount)
      json.member("approximate", state.approximationCount)
      json.member("sessions", state.deck.sessions)
      json.member("sessionsForgotten", state.deck.forgottenSessions)
      json.member("neverPlayed", table.neverPlayed.count)
      json.member("uptimeSeconds", (Platform.wallNanoseconds() - state.startedAt) / 1_000_000_000)
    }
  }

  private func reset(_ request: HTTPRequest) -> HTTPResponse {
    guard let tapes = Self.tapes(in: request.body) else {
      return Self.problem(400, "send {\"session\": \"name\"}, or {} to rewind every session")
    }
    // A client that plays a tape of its own rewinds its own, whether it says so in the field or in the body.
    let session: String? = if case .session(let name) = tapes { name } else { request.headers["X-Mock-Session"] }
    state.reset(session: session)
    return Self.json { json in
      json.member("status", "rewound")
      json.member("session", session)
    }
  }

  private enum Tapes {
    case all
    case session(String)
  }

  /// Reads `{"session": "a"}` or an empty object; nil when it says anything else.
  private static func tapes(in body: [UInt8]) -> Tapes? {
    let empty = Array("{}".utf8)
    // What an empty object lacks is what the body has: one member, or none.
    let members = JSONDifference.between(body.isEmpty ? empty : body, empty)
    guard let member = members.first else { return .all }
    guard members.count == 1, member.path == "$.session", let text = member.sent, text.utf8.count > 1,
      text.hasPrefix("\""), text.hasSuffix("\""),
      let name = JSONString.decode(Array(text.utf8.dropFirst().dropLast()).span)
    else { return nil }
    return .session(name)
  }

  static func json(status: HTTPStatus = 200, _ body: (inout JSONWriter) -> Void) -> HTTPResponse {
    var json = JSONWriter()
    json.object(body)
    let headers: HTTPHeaders = [
      ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
    return HTTPResponse(status: status, headers: headers, body: json.bytes + [10])
  }

  static func problem(_ status: HTTPStatus, _ detail: String, _ more: [(String, String)] = []) -> HTTPResponse {
    var response = json(status: status) { json in
      json.member("title", status.standardPhrase ?? "")
      json.member("status", status.code)
      json.member("detail", detail)
    }
    response.headers.set("Content-Type", "application/problem+json")
    for (name, value) in more { response.headers.append(name, value) }
    return response
  }
}
