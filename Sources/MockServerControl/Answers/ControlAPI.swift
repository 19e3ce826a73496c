internal import CMockServerInspector
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets

/// The API at `/__mock/`, with which people and tests inspect and control a server.
///
/// Web pages have no access, except the inspector at its own port: a recorded page has the origin of the server's port.
///
/// It maps a request and a ``ControlledServer`` to an answer, without access to sockets.
package struct ControlAPI: Sendable {
  let server: any ControlledServer
  /// True for requests at the inspector's port, which serves nothing recorded.
  package var atInspector = false
  let secrets = JournalSecrets()

  /// Creates the API of a server.
  package init(_ server: any ControlledServer) { self.server = server }

  func hiding(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.body = server.hiding(response.body)
    return response
  }

  // MARK: Access

  /// Throws a refusal for web pages except the inspector, for host names of other machines, and for a missing token.
  func check(_ request: HTTPRequest) throws(ControlRefusal) {
    let host = request.target.authority ?? request.headers["Host"]
    guard isOurs(host: host) else {
      throw ControlRefusal(403, "/__mock/ is not available under this host name: use \(server.url)")
    }
    let file = PageFile(rawValue: request.target.path)
    if !atInspector, let port = server.inspectorPort, file != nil && !request.isFromBrowser || isVisit(request) {
      let location =
        "\(server.scheme)://\(nameOfHost(host ?? "\(server.address)")):\(port)\(request.pathAndQuery)"
      throw ControlRefusal(302, "the inspector has its own port: \(location)", [("Location", location)])
    }
    guard !request.isFromBrowser || atInspector && isOwnPage(request, host: host) else {
      throw ControlRefusal(
        403, "web pages cannot use /__mock/, except the inspector at its own port: open \(server.url)/__mock/")
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

  /// Returns true if a request has the token, or at the inspector's port the cookie of a login.
  ///
  /// Browsers send a cookie to all ports of a host, and with the requests of recorded pages, too.
  func isAuthorized(_ request: HTTPRequest) -> Bool {
    guard case .token(let token) = server.access else { return server.address.isLoopback }
    let sent = Array((request.headers["Authorization"] ?? "").utf8)
    return ControlMemory.isSame(Array("Bearer \(token)".utf8), sent) || atInspector && isLoggedIn(request)
  }

  /// Returns true if a browser's request is a visit of the inspector, or sent by its page or by a user.
  private func isOwnPage(_ request: HTTPRequest, host: String?) -> Bool {
    if request.target.path == PageFile.page.rawValue, isVisit(request) { return true }
    // "none" means that no page caused the request: the user typed the URL.
    guard ["same-origin", "none", nil].contains(request.headers["Sec-Fetch-Site"]) else { return false }
    guard let page = request.headers["Origin"] ?? request.headers["Referer"] else { return true }
    // A proxy may have ended TLS, so the scheme does not count.
    let parts = page.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[1].isEmpty && parts[2].prefix { $0 != "/" } == host ?? "\(server.address)"
  }

  /// Returns true if a user navigates to a document, which cannot be embedded in a frame.
  private func isVisit(_ request: HTTPRequest) -> Bool {
    request.method == .get && request.headers["Sec-Fetch-Mode"] == "navigate"
      && request.headers["Sec-Fetch-Dest"] == "document"
  }

  /// Returns true if a `Host` value names this server or this machine, which protects against DNS rebinding.
  private func isOurs(host: String?) -> Bool {
    guard let host = host?.lowercased() else { return true }
    let name = nameOfHost(host)
    if SocketAddress.isLoopback(host: name) { return true }
    // With a token, the host name needs no check: a container has many names.
    if case .token = server.access { return true }
    return host == "\(server.address)" || name == server.address.host
  }

  // MARK: The parts of the journal and of cassettes that several calls use

  /// Returns the kept requests of all loops, the oldest first, and the number of requests dropped for space.
  func records() -> (records: [JournalRecord], forgotten: Int) {
    var positions = server.journals.map { _ in RequestJournal.Position() }
    var (entries, forgotten) = read(after: &positions)
    // Each loop keeps up to `capacity` requests, but only `capacity` requests of all loops are reported.
    forgotten += max(0, entries.count - RequestJournal.capacity)
    return (entries.suffix(RequestJournal.capacity).map { JournalRecord($0) }, forgotten)
  }

  /// Returns the requests of all loops after some positions, ordered by number, and the number of dropped requests.
  ///
  /// The positions are advanced past the returned requests.
  func read(
    after positions: inout [RequestJournal.Position], atMost most: Int = .max
  ) -> (entries: [RequestJournal.Entry], lost: Int) {
    var (entries, lost): ([RequestJournal.Entry], Int) = ([], 0)
    for (index, journal) in server.journals.enumerated() where journal.isPast(positions[index]) {
      let (more, missing) = journal.read(after: &positions[index], atMost: most)
      entries += more
      lost += missing
    }
    return (entries.sorted { $0.number < $1.number }, lost)
  }

  /// Returns the journal's request with the number in the path of the call.
  func record(of call: ControlCall) throws(ControlRefusal) -> JournalRecord {
    let text = call.parameters["id"] ?? ""
    if let number = UInt64(text) {
      for journal in server.journals {
        if let entry = journal.read().first(where: { $0.number == number }) { return JournalRecord(entry) }
      }
    }
    throw ControlRefusal(
      404,
      "the journal has no request \(text): it keeps the last \(RequestJournal.capacity); send the request again"
    )
  }

  /// Returns the recording or stub that was played for a request; nil if it no longer exists.
  func recording(of record: JournalRecord) -> Interaction? {
    switch record.entry.outcome {
    case .played(let number, _, _, _):
      guard let table = server.table(record.entry.table), table.entries.indices.contains(number) else { return nil }
      return table.entries[number].interaction
    case .stub(let id, _, _): return server.deck.stub(named: id)?.interaction
    case .derived, .specified, .recorded, .miss, .refused: return nil
    }
  }

  /// Returns the recordings that are most similar to a request; empty if they are no longer known.
  func nearMisses(of number: UInt64) -> [MissAcceptance.Near] {
    let shown =
      server.misses.last.last { $0.number == number }?.nearest
      ?? server.approximations.last.last { $0.number == number }.map { [$0.recording] } ?? []
    let table = server.deck.table
    return shown.map { near in
      let entry = table.entries.first { entry in
        entry.interaction.place.map { "\($0.file):\($0.line)" == near.place } ?? false
      }
      var found = MissAcceptance.Near(shown: near, origin: entry?.origin)
      if let entry, !entry.isFixture, let file = entry.interaction.place?.file, file.hasSuffix(".json") {
        found.path = file
      }
      return found
    }
  }

  /// The reason why this server cannot write to cassettes; nil if it can.
  var readOnlyReason: String? {
    if server.isReadOnly { return "this server does not write to files, because it was started with --read-only" }
    if server.redaction != nil {
      return "this server is recording: new recordings are saved to the cassette when it stops"
    }
    if let folder = server.folder, access(folder, W_OK) != 0 { return "the folder \(folder) is not writable" }
    return nil
  }

  /// Returns an interaction in the format of a cassette.
  func written(_ interaction: Interaction) throws(ControlRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do throws(CassetteError) {
      bytes = try CassetteFile.bytes(of: Cassette(name: "one", interactions: [interaction]))
    } catch {
      throw ControlRefusal(500, "\(error)")
    }
    guard let tree = JSONTree(bytes), case .object(let members) = tree.root.kind,
      case .array(let list)? = members.last?.value.kind, let node = list.first
    else { return Array("null".utf8) }
    return Array(bytes[node.range])
  }

  /// Returns the path of a cassette in the served folder by its name; the file need not exist.
  func path(ofCassette name: String) throws(ControlRefusal) -> String {
    if server.isReadOnly {
      throw ControlRefusal(409, "this server does not write to files, because it was started with --read-only")
    }
    guard let folder = server.folder else {
      throw ControlRefusal(
        409, "this server has no cassette folder to write to: start it with --cassettes DIR")
    }
    let file = name.hasSuffix(".json") ? name : "\(name).json"
    if let problem = TypedFileName.problem(withPath: file) {
      throw ControlRefusal(400, "\"cassette\": \(problem)")
    }
    let path = Folder.join(folder, file)
    let parent = Folder.parent(of: path)
    guard Folder.kind(of: path) != .link, Folder.kind(of: parent) == .folder || parent == folder else {
      throw ControlRefusal(409, "\(path) is a symbolic link, or its folder does not exist")
    }
    return path
  }

  // The login of the inspector page.
  //
  // Its browser sends a cookie where the page cannot send a token.

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

  // MARK: The inspector, a page that uses only the calls of this API

  /// A file of the inspector.
  enum PageFile: String, CaseIterable, Sendable {
    case page = "/__mock/"
    case script = "/__mock/inspector.js"
    case style = "/__mock/inspector.css"

    /// The media type of the file.
    var mediaType: String {
      switch self {
      case .page: "text/html; charset=utf-8"
      case .script: "text/javascript; charset=utf-8"
      case .style: "text/css; charset=utf-8"
      }
    }

    /// The content of the file.
    var bytes: [UInt8] {
      func copied(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
      }
      return switch self {
      case .page: copied(mockserver_inspector_html(), mockserver_inspector_html_count())
      case .script: copied(mockserver_inspector_js(), mockserver_inspector_js_count())
      case .style: copied(mockserver_inspector_css(), mockserver_inspector_css_count())
      }
    }
  }

  /// Allows only the inspector's script and style sheet, no embedding in frames, and recorded images as data or blob
  /// URLs.
  static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

  /// Returns a file of the inspector.
  func page(_ file: PageFile) -> ControlAnswer {
    var response = ControlResponse.bytes(file.bytes, type: file.mediaType)
    response.headers.append("Content-Security-Policy", Self.contentSecurityPolicy)
    response.headers.append("X-Frame-Options", "DENY")
    response.headers.append("Referrer-Policy", "no-referrer")
    response.headers.append("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
    return .response(response)
  }
}

/// Returns a `Host` value without its port.
private func nameOfHost(_ host: String) -> String {
  host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : String(host.prefix { $0 != ":" })
}

extension HTTPRequest {
  /// True if the request has a field that browsers add.
  ///
  /// `Sec-Fetch-Mode` does not count, because Node.js and Deno send it, too.
  fileprivate var isFromBrowser: Bool {
    ["Sec-Fetch-Site", "Sec-Fetch-Dest", "Sec-Fetch-User", "Origin", "Referer"].contains { headers.contains($0) }
  }
}
