internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes
internal import MockServerUpstream

/// The reason why a control call failed, and a hint for the user.
struct ControlFailure: Error, Hashable, Sendable {
  var message: String
  var hint: String?
  /// True if the arguments of the command are wrong, rather than the server.
  var isUsage = false

  init(_ message: String, hint: String? = nil, isUsage: Bool = false) {
    (self.message, self.hint, self.isUsage) = (message, hint, isUsage)
  }
}

/// A client that calls the `/__mock/` interface of a server, and sends requests to the server.
struct ControlClient {
  /// The origin of the server, such as `http://127.0.0.1:8080`.
  let server: String
  private let caller: UpstreamCaller
  private let authority: String
  private let token: String?

  /// Returns the addresses in lists separated by commas or white space, without duplicates.
  static func addresses(in lists: [String]) -> [String] {
    var addresses: [String] = []
    for one in lists.flatMap({ $0.split { $0 == "," || $0 == " " }.map(String.init) }) where !addresses.contains(one) {
      addresses.append(one)
    }
    return addresses
  }

  /// Returns the failure for an unsuccessful response.
  func refusal(_ status: Int, _ body: [UInt8]) -> ControlFailure {
    let said = JSONValue(body).flatMap { $0["detail"]?.string ?? $0["error"]?.string } ?? "\(status)"
    let hint = status == 401 ? "Set MOCKSERVER_ADMIN_TOKEN to the token of --admin-token." : nil
    return ControlFailure("\(server) refuses: \(Printable.escaped(said))", hint: hint)
  }

  /// Creates a client of a running server.
  ///
  /// - `token`: The token for the `/__mock/` interface; nil if none is required.
  /// - `patience`: The maximum time in seconds without data from the server, 30 by default.
  init(_ server: String, token: String?, patience: Double = 30) throws(ControlFailure) {
    let origin: UpstreamOrigin
    do throws(UpstreamOrigin.Problem) {
      origin = try UpstreamOrigin(server)
    } catch {
      throw ControlFailure(Printable.escaped("\(error)"), hint: "For instance: http://127.0.0.1:8080", isUsage: true)
    }
    guard !origin.isSecure else {
      throw ControlFailure("\(origin) uses https, but only http is supported for control calls", isUsage: true)
    }
    caller = UpstreamCaller(to: origin, isNamed: true, silenceSeconds: patience)
    self.server = "\(origin)"
    authority = String("\(origin)".dropFirst("http://".count))
    self.token = token
  }

  /// Sends a request and returns the response.
  func send(
    _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []
  ) throws(ControlFailure) -> RecordedResponse {
    guard let target = HTTPTarget(path), path.hasPrefix("/") else {
      throw ControlFailure("\"\(Printable.escaped(path))\" is not a path")
    }
    // A line break would start another header field, or another request.
    for text in [method] + headers.flatMap({ [$0.0, $0.1] })
    where text.utf8.contains(where: { [0, 10, 13].contains($0) }) {
      throw ControlFailure("\"\(Printable.escaped(text))\" has a line break or a NUL, which requests must not contain")
    }
    guard !method.isEmpty, !method.utf8.contains(UInt8(ascii: " ")) else {
      throw ControlFailure("\"\(Printable.escaped(method))\" is not a method")
    }
    var request = HTTPRequest(method: HTTPMethod(method), target: target, body: body)
    request.headers.append("Host", authority)
    for (name, value) in headers where name.lowercased() != "host" { request.headers.append(name, value) }
    do throws(UpstreamCaller.Failure) {
      return try caller.ask(request).response
    } catch {
      throw ControlFailure(
        "\(server) did not respond: \(error)", hint: "Is it running? Start a server with: mockserver")
    }
  }

  /// Calls the `/__mock/` interface, and returns the status and the JSON of the response.
  func call(_ method: String, _ path: String, json: [UInt8]? = nil) throws(ControlFailure) -> (
    status: Int, body: [UInt8]
  ) {
    var headers: [(String, String)] = []
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    if json != nil { headers.append(("Content-Type", "application/json")) }
    let response = try send(method, "/__mock/\(path)", headers: headers, body: json ?? [])
    return (response.status.code, (try? response.body?.bytes()) ?? [])
  }

  /// Merges the journals of several servers into one, with the server's name in each entry.
  static func merged(journals: [(server: String, body: JSONValue)]) -> [UInt8] {
    var entries: [(at: String, server: String, entry: JSONValue)] = []
    for (server, body) in journals {
      for entry in body["entries"]?.elements ?? [] { entries.append((entry["at"]?.string ?? "", server, entry)) }
    }
    // Times are in UTC with a fixed length, so they sort as strings. Entries of one server stay in order.
    let order = entries.indices.sorted { (entries[$0].at, $0) < (entries[$1].at, $1) }
    return JSONWriter.object { report in
      report.member("requests", journals.reduce(0) { $0 + ($1.body["requests"]?.integer ?? 0) })
      report.member("forgotten", journals.reduce(0) { $0 + ($1.body["forgotten"]?.integer ?? 0) })
      report.member("servers", journals.map(\.server))
      report.array("entries", of: order) { index, object in
        object.member("server", entries[index].server)
        for (name, value) in entries[index].entry.members { object.member(name, json: value.bytes) }
      }
    }
  }
}

/// The health of a running server, for programs that start a server and wait for it, such as containers and scripts.
struct ServerHealth: Sendable {
  /// A description of the health in one line, with counts if the server reports them to this client.
  let words: String

  /// Requests the health of a server.
  ///
  /// Without the token, the server reports only that it is running.
  init(of client: ControlClient) throws(ControlFailure) {
    let answer = try client.call("GET", "health")
    guard answer.status == 200, let health = JSONValue(answer.body), health["status"]?.string == "ok" else {
      throw ControlFailure("\(client.server) is unhealthy: its health check returned status \(answer.status)")
    }
    let counts = ["recordings", "requests", "misses"].compactMap { name in
      health[name]?.integer.map { "\($0) \($0 == 1 ? String(name.dropLast(name == "misses" ? 2 : 1)) : name)" }
    }
    let problem = health["lastLoad"]?["problem"]?.string.map {
      "; the last edit is not served: \(Printable.escaped($0))"
    }
    words = ([client.server + " is healthy"] + counts).joined(separator: ", ") + (problem ?? "")
  }
}
