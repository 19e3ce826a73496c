import CassetteHTTP
import CassetteJSON
import CassettePlayback
import Cassettes
import MockServerConsole

/// The commands `journal`, `control`, `reset` and `health`, for one server or for all replicas behind a load balancer.
enum Replicas {
  /// The environment variable with the addresses of all replicas.
  static let variable = "MOCKSERVER_SERVERS"

  /// The token for the servers, from the environment.
  static var token: String? { environment("MOCKSERVER_ADMIN_TOKEN").flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the clients of the first server or of all servers.
  private static func clients(_ invocation: Invocation) throws(CommandError) -> [ControlClient] {
    var servers = ControlClient.addresses(in: invocation.texts(Manual.servers))
    if servers.isEmpty { servers = ControlClient.addresses(in: [environment(variable) ?? "http://127.0.0.1:8080"]) }
    if !invocation.has(Manual.all) { servers = Array(servers.prefix(1)) }
    do throws(ControlFailure) {
      return try servers.map { (server) throws(ControlFailure) in try ControlClient(server, token: token) }
    } catch {
      throw CommandError(error)
    }
  }

  /// The response of a server; a body that is not JSON is a JSON string.
  private typealias Answer = (server: String, status: Int, body: JSONValue)

  /// Calls all servers.
  ///
  /// A server that does not respond is reported, and the others are still called.
  ///
  /// - `isKept`: Returns true for a status with which the response is returned; others are reported. Default: 2xx.
  private static func each(
    _ invocation: Invocation, keeping isKept: (Int) -> Bool = (200..<300).contains,
    _ call: (ControlClient) throws(ControlFailure) -> (status: Int, body: [UInt8])
  ) throws(CommandError) -> (answers: [Answer], code: ExitCode) {
    var answers: [Answer] = []
    var code = ExitCode.success
    for client in try clients(invocation) {
      do throws(ControlFailure) {
        let answer = try call(client)
        guard isKept(answer.status) else { throw client.refusal(answer.status, answer.body) }
        var text = answer.body.isEmpty ? Array("{}".utf8) : answer.body
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        let body = JSONValue(text) ?? JSONValue(checked: JSONString.encode(String(decoding: text, as: UTF8.self)))
        answers.append((client.server, answer.status, body))
      } catch {
        code = .unavailable
        Console.error.write(CommandError(error).text(Console.error.style))
      }
    }
    return (answers, code)
  }

  /// The command `reset`, which resets playback positions, scenarios and journals.
  static func reset(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let json = JSONWriter.object { if let session = invocation.text(Manual.session) { $0.member("session", session) } }
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("POST", "reset", json: json)
    }
    for (server, _, _) in answers { Console.output.write("\(server) is reset\n") }
    return code
  }

  /// The command `control`, which sends a call to one server or to all servers, and prints the responses.
  static func control(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let (method, operand) = (invocation.operands[0].uppercased(), invocation.operands[1])
    let path = String(operand.replacing("/__mock/", with: "", maxReplacements: 1).drop { $0 == "/" })
    let standard = ["POST", "PUT"].contains(method) ? "{}" : nil
    let json = (invocation.operands.count > 2 ? invocation.operands[2] : standard).map { Array($0.utf8) }
    let isSum = invocation.has(Manual.all) && (method, path) == ("POST", "verify")
    var (answers, code) = try each(invocation, keeping: (0...).contains) { (client) throws(ControlFailure) in
      try client.call(method, path, json: json)
    }
    var problems = answers.filter { !(200..<300).contains($0.status) && !(isSum && $0.status == 409) }.map {
      "\($0.server) refuses: \($0.body["detail"]?.string ?? $0.body["error"]?.string ?? "\($0.status)")"
    }
    if isSum, problems.isEmpty, let expected = json.flatMap({ JSONValue($0) }), !answers.isEmpty {
      problems += [problem(of: expected, answers)].compactMap(\.self)
    }
    for problem in problems {
      Console.error.write(CommandError(.found, Printable.escaped(problem)).text(Console.error.style))
      if code == .success { code = .found }
    }
    if invocation.has(Manual.all) {
      let all = JSONWriter.object { all in for one in answers { all.member(one.server, json: one.body.bytes) } }
      Console.output.write(String(decoding: all, as: UTF8.self) + "\n")
    } else if let body = answers.first?.body {
      Console.output.write((body.string ?? String(decoding: body.bytes, as: UTF8.self)) + "\n")
    }
    return code
  }

  /// Returns the reason why a verification fails on all servers together; nil if it succeeds.
  ///
  /// The counts of all servers are added. An order must be met on one server, because a session has one server.
  private static func problem(of call: JSONValue, _ answers: [Answer]) -> String? {
    if call["order"] != nil {
      return answers.contains { $0.status == 200 } ? nil : "no server received the requests in this order"
    }
    let times = call["times"]
    let exactly = times?.integer ?? times?["exactly"]?.integer
    let (least, most) = (exactly ?? times?["atLeast"]?.integer, exactly ?? times?["atMost"]?.integer)
    let expected = ExpectedCount(atLeast: least ?? (most == nil ? 1 : 0), atMost: most)
    func sum(_ name: String) -> Int { answers.reduce(0) { $0 + ($1.body[name]?.integer ?? 0) } }
    let (count, forgotten) = (sum("count"), sum("forgotten"))
    if expected.holds(count), most == nil || forgotten == 0 { return nil }
    let dropped = forgotten > 0 ? "; the journals dropped \(counted(forgotten, "earlier request"))" : ""
    return
      "the request was expected \(expected.words), but was \(ExpectedCount.received(count)) by all servers\(dropped)"
  }

  /// The command `journal`, which prints the requests of all servers, ordered by time, as a table or one object.
  static func journal(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let session = invocation.text(Manual.session)
    let query = session.map { "?session=\(PercentEncoding.encode($0))" } ?? ""
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("GET", "journal\(query)")
    }
    // If no server responded, an empty journal would suggest that there were no requests.
    if answers.isEmpty { return code }
    let merged = ControlClient.merged(journals: answers.map { ($0.server, $0.body) })
    if invocation.has(Manual.jsonReport) {
      Console.output.write(String(decoding: merged, as: UTF8.self) + "\n")
    } else if let journal = JSONValue(merged) {
      Console.output.write(table(journal).text(width: Console.output.width, style: Console.output.style))
      let forgotten = journal["forgotten"]?.integer ?? 0
      if forgotten > 0 { Console.error.write("\(counted(forgotten, "earlier request")) not kept in the journal\n") }
    }
    return code
  }

  /// Returns the table of a merged journal; the columns of servers and sessions are omitted if they say nothing.
  static func table(_ journal: JSONValue) -> Table {
    let entries = journal["entries"]?.elements ?? []
    let isOfSeveral = (journal["servers"]?.elements.count ?? 0) > 1
    let hasSessions = entries.contains { $0["session"] != nil }
    let more = (isOfSeveral ? ["SERVER"] : []) + (hasSessions ? ["SESSION"] : [])
    var table = Table(
      columns: [
        .init("TIME"), .init("METHOD"), .init("URL", gives: true), .init("STATUS"), .init("ANSWERED BY"),
      ] + more.map { .init($0) })
    for entry in entries {
      func text(_ name: String) -> String? { entry[name].flatMap { $0.string ?? $0.integer.map { "\($0)" } } }
      let recording = text("recording").map { id in text("cassette").map { "\($0)/\(id)" } ?? id }
      let marks =
        (entry["approximate"] != nil ? " (approximate)" : "") + (entry["contract"] != nil ? " (contract)" : "")
      let answer = (recording ?? text("source") ?? text("reason") ?? text("outcome") ?? "") + marks
      let cells = [text("at"), text("method"), text("url"), text("status"), answer]
      let others = (isOfSeveral ? [text("server")] : []) + (hasSessions ? [text("session")] : [])
      table.rows.append((cells + others).map { Printable.escaped($0 ?? "") })
    }
    return table
  }

  /// The command `health`, which exits with 0 if a server is healthy and 1 otherwise, for health checks in containers.
  static func health(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    do throws(ControlFailure) {
      let server = invocation.operands.first ?? "http://127.0.0.1:8080"
      Console.output.write(try ServerHealth(of: try ControlClient(server, token: token, patience: 5)).words + "\n")
      return .success
    } catch {
      throw CommandError(error.isUsage ? .usage : .found, error.message, hint: error.hint)
    }
  }
}

extension CommandError {
  /// Creates the error for a failed control call.
  init(_ failure: ControlFailure) {
    self.init(failure.isUsage ? .usage : .unavailable, failure.message, hint: failure.hint)
  }
}
