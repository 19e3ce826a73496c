import CassetteJSON
import Cassettes
import MockServerAgents
import MockServerConsole

/// `journal` and `reset`: of a server, or of all replicas behind a balancer.
enum Fleet {
  /// The environment's variable with the addresses of all replicas.
  static let variable = "MOCKSERVER_SERVERS"

  /// The servers that are meant: the first, or all.
  private static func clients(_ invocation: Invocation) throws(CommandError) -> [ControlClient] {
    let named = invocation.texts(Manual.servers)
    let lists = named.isEmpty ? [environment(variable) ?? "http://127.0.0.1:8080"] : named
    var servers = lists.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
    if !invocation.has(Manual.all) { servers = Array(servers.prefix(1)) }
    let token = environment("MOCKSERVER_ADMIN_TOKEN").flatMap { $0.isEmpty ? nil : $0 }
    do throws(ControlFailure) {
      return try servers.map { (server) throws(ControlFailure) in try ControlClient(server, token: token) }
    } catch {
      throw CommandError(error)
    }
  }

  /// Calls all; one that gives no answer is named, and the others are called all the same.
  private static func each(
    _ invocation: Invocation, _ call: (ControlClient) throws(ControlFailure) -> (status: Int, body: [UInt8])
  ) throws(CommandError) -> (answers: [(server: String, body: JSONValue)], code: ExitCode) {
    var answers: [(server: String, body: JSONValue)] = []
    var code = ExitCode.success
    for client in try clients(invocation) {
      do throws(ControlFailure) {
        let answer = try call(client)
        guard (200..<300).contains(answer.status),
          let body = JSONValue(answer.body.isEmpty ? Array("{}".utf8) : answer.body)
        else {
          let said =
            JSONValue(answer.body).flatMap { $0["detail"]?.string ?? $0["error"]?.string } ?? "\(answer.status)"
          throw ControlFailure("\(client.server) refuses: \(Printable.escaped(said))")
        }
        answers.append((client.server, body))
      } catch {
        code = .unavailable
        Console.error.write(CommandError(error).text(Console.error.style))
      }
    }
    return (answers, code)
  }

  /// `reset`: positions, scenarios and journals begin anew.
  static func reset(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    var json = JSONWriter()
    json.object { if let session = invocation.text(Manual.session) { $0.member("session", session) } }
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("POST", "reset", json: json.bytes)
    }
    for (server, _) in answers { Console.output.write("\(server) begins anew\n") }
    return code
  }

  /// `journal`: one object, the requests of all servers in the order of their times.
  static func journal(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let session = invocation.text(Manual.session)
    let query = session.map { "?session=\(ControlClient.percentEncoded($0))" } ?? ""
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("GET", "journal\(query)")
    }
    Console.output.write(String(decoding: merged(answers), as: UTF8.self) + "\n")
    return code
  }

  /// The journals of several servers as one; each entry says whose it is.
  static func merged(_ journals: [(server: String, body: JSONValue)]) -> [UInt8] {
    var entries: [(at: String, server: String, entry: JSONValue)] = []
    for (server, body) in journals {
      for entry in body["entries"]?.elements ?? [] { entries.append((entry["at"]?.string ?? "", server, entry)) }
    }
    // Times are written in UTC, of one length; within one server the order is its own.
    let order = entries.indices.sorted { (entries[$0].at, $0) < (entries[$1].at, $1) }
    var json = JSONWriter()
    json.object { report in
      report.member("requests", journals.reduce(0) { $0 + ($1.body["requests"]?.integer ?? 0) })
      report.member("forgotten", journals.reduce(0) { $0 + ($1.body["forgotten"]?.integer ?? 0) })
      report.array("servers") { list in for journal in journals { list.element(journal.server) } }
      report.array("entries") { list in
        for index in order {
          list.object { object in
            object.member("server", entries[index].server)
            for (name, value) in entries[index].entry.members { object.member(name, json: value.bytes) }
          }
        }
      }
    }
    return json.bytes
  }
}

extension CommandError {
  /// A server that cannot be steered.
  init(_ failure: ControlFailure) {
    self.init(failure.isUsage ? .usage : .unavailable, failure.message, hint: failure.hint)
  }
}
