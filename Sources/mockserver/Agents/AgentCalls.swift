internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSecrets
internal import Cassettes

/// The tools of an agent.
///
/// Each is a `/__mock/` call, a request to the mock server or another command of this program.
struct AgentCalls {
  private let client: ControlClient
  private let paths: [String]
  private var url: String { client.server }
  /// A function that runs another command of this program and returns its exit code and output.
  typealias Command = ([String]) -> (status: Int, output: String)
  private let run: Command
  /// The live servers that may receive requests.
  private let upstreams: [String]

  /// Creates the tools of an agent.
  init(_ client: ControlClient, paths: [String], upstreams: [String], running run: @escaping Command) {
    (self.client, self.paths, self.upstreams, self.run) = (client, paths, upstreams, run)
  }

  typealias Result = ToolConversation.Result

  func call(_ tool: String, _ arguments: JSONValue) throws(ControlFailure) -> Result {
    func text(_ name: String) -> String? { arguments[name]?.string }
    func number(_ name: String) -> Int { arguments[name]?.integer ?? 0 }
    switch tool {
    case "status": return try status()
    case "list": return try list(arguments)
    case "misses": return try control("GET", "misses")
    case "explain": return try control("GET", "journal/\(number("request"))")
    case "journal":
      var query = ["limit=\(arguments["limit"]?.integer ?? 50)"]
      for name in ["outcome", "session"] {
        if let value = text(name) { query.append("\(name)=\(PercentEncoding.encode(value))") }
      }
      return try control("GET", "journal?\(query.joined(separator: "&"))")
    case "request": return try ask(arguments).result
    case "accept": return try accept(arguments)
    case "apply", "undo": return try control("POST", "edits/\(number("edit"))/\(tool)", json: Array("{}".utf8))
    case "record": return try record(arguments)
    case "verify": return try control("POST", "verify", json: arguments.bytes)
    case "drift":
      let origin = try upstream(text("origin"))
      return command(["verify", "--live", "--origin", origin, "--"] + paths)
    case "check", "scan": return command([tool, "--"] + paths)
    case "reset": return try control("POST", "reset", json: arguments.bytes)
    default: throw ControlFailure("there is no tool \(tool)")
    }
  }

  private func status() throws(ControlFailure) -> Result {
    let health = try client.call("GET", "health")
    return Result { status in
      status.member("url", url)
      status.member("cassettes", paths)
      status.member("upstreams", upstreams)
      if JSONValue(health.body) != nil { status.member("health", json: health.body) }
    }
  }

  /// Lists recordings, up to the requested limit.
  private func list(_ arguments: JSONValue) throws(ControlFailure) -> Result {
    let answer = try client.call("GET", "interactions")
    let wanted = arguments["path"]?.string ?? ""
    let all = (JSONValue(answer.body)?["interactions"]?.elements ?? []).filter {
      wanted.isEmpty || ($0["url"]?.string ?? "").contains(wanted)
    }
    let shown = all.prefix(max(0, arguments["limit"]?.integer ?? 200)).map(\.bytes)
    return Result(isError: answer.status != 200) { list in
      list.member("total", all.count)
      list.member("interactions", json: [UInt8(ascii: "[")] + shown.joined(separator: [0x2c]) + [UInt8(ascii: "]")])
    }
  }

  private func control(_ method: String, _ path: String, json: [UInt8]? = nil) throws(ControlFailure) -> Result {
    let answer = try client.call(method, path, json: json)
    let text = String(decoding: answer.body, as: UTF8.self)
    return Result(text.isEmpty ? "{\"status\":\(answer.status)}" : text, isError: !(200..<300).contains(answer.status))
  }

  /// Sends a request to the mock server.
  ///
  /// If no recording matches, the result includes the number of the miss.
  private func ask(_ arguments: JSONValue) throws(ControlFailure) -> (result: Result, miss: Int?) {
    var path = arguments["path"]?.string ?? "/"
    // Agents often pass the complete URL.
    if path.hasPrefix(url) { path = String(path.dropFirst(url.count)) }
    let headers = (arguments["headers"]?.members ?? []).map { ($0.name, $0.value.scalar ?? "") }
    let response = try client.send(
      arguments["method"]?.string ?? "GET", path, headers: headers, body: arguments["body"]?.stringBytes ?? [])
    let bytes = (try? response.body?.bytes()) ?? []
    let isMiss = response.headers["Mockserver-Miss"] != nil
    let result = Result { answer in
      answer.member("status", response.status.code)
      answer.member("miss", isMiss)
      answer.array("headers") { list in
        for field in response.headers {
          list.array { pair in
            pair.element(field.name)
            pair.element(SecretNames.masked(field: field.name, value: field.value))
          }
        }
      }
      let type = response.headers["Content-Type"]
      answer.member(
        "body", SecretNames.masked(body: String(decoding: bytes.prefix(256 << 10), as: UTF8.self), contentType: type))
      if bytes.count > 256 << 10 { answer.member("bodyBytes", bytes.count) }
    }
    return (result, isMiss ? JSONValue(bytes)?["number"]?.integer : nil)
  }

  private func accept(_ arguments: JSONValue) throws(ControlFailure) -> Result {
    let how = arguments["how"]?.string ?? ""
    let origin = how == "upstream" ? try upstream(arguments["origin"]?.string) : nil
    let json = JSONWriter.object { body in
      for (name, value) in arguments.members where name != "request" && name != "origin" {
        body.member(name, json: value.bytes)
      }
      if let origin { body.member("origin", origin) }
    }
    return try control("POST", "journal/\(arguments["request"]?.integer ?? 0)/accept", json: json)
  }

  /// Sends a request to the mock server.
  ///
  /// If no recording matches, it is recorded from upstream.
  private func record(_ arguments: JSONValue) throws(ControlFailure) -> Result {
    let origin = try upstream(arguments["origin"]?.string)
    let asked = try ask(arguments)
    guard let miss = asked.miss else {
      return Result(
        "the request is already recorded, and that recording answered it: \(asked.result.text)", isError: true)
    }
    var cassette = arguments["cassette"]?.string
    if cassette == nil { cassette = try onlyCassette() }
    let json = JSONWriter.object { body in
      body.member("how", "upstream")
      body.member("origin", origin)
      if let cassette { body.member("cassette", cassette) }
    }
    return try control("POST", "journal/\(miss)/accept", json: json)
  }

  /// Returns the name of the served cassette if there is only one, because then the choice is clear.
  private func onlyCassette() throws(ControlFailure) -> String? {
    let list = JSONValue(try client.call("GET", "interactions").body)?["interactions"]?.elements ?? []
    let names = Set(list.compactMap { $0["cassette"]?.string })
    return names.count == 1 ? names.first : nil
  }

  /// Returns the live server to use, which must be named on the command line.
  private func upstream(_ wanted: String?) throws(ControlFailure) -> String {
    guard let first = upstreams.first else {
      throw ControlFailure(
        "no live server is allowed", hint: "Name a server: mockserver mcp --upstream https://api.github.com")
    }
    guard let wanted else { return first }
    guard upstreams.contains(wanted) else {
      throw ControlFailure("\(wanted) is not allowed; the allowed servers are \(upstreams.joined(separator: ", "))")
    }
    return wanted
  }

  /// Runs another command of this program.
  private func command(_ words: [String]) -> Result {
    let result = run(words)
    return Result { answer in
      answer.member("exitCode", result.status)
      answer.member("output", result.output)
    }
  }
}

extension ToolConversation.Result {
  /// Creates a result with a JSON object that `body` writes.
  fileprivate init(isError: Bool = false, _ body: (inout JSONWriter) -> Void) {
    self.init(String(decoding: JSONWriter.object(body), as: UTF8.self), isError: isError)
  }
}
