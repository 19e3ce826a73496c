import CassetteHTTP
import CassetteJSON
import MockServerAgents
import MockServerConsole
import MockServerOptions

/// `journal` and `reset`: of a server, or of all replicas behind a balancer.
enum Replicas {
  /// The environment's variable with the addresses of all replicas.
  static let variable = "MOCKSERVER_SERVERS"

  /// The token of the servers, from the environment.
  static var token: String? { environment("MOCKSERVER_ADMIN_TOKEN").flatMap { $0.isEmpty ? nil : $0 } }

  /// The servers that are meant: the first, or all.
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
        else { throw client.refusal(answer.status, answer.body) }
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
    let json = JSONWriter.object { if let session = invocation.text(Manual.session) { $0.member("session", session) } }
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("POST", "reset", json: json)
    }
    for (server, _) in answers { Console.output.write("\(server) begins anew\n") }
    return code
  }

  /// `journal`: one object, the requests of all servers in the order of their times.
  static func journal(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let session = invocation.text(Manual.session)
    let query = session.map { "?session=\(PercentEncoding.encode($0))" } ?? ""
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("GET", "journal\(query)")
    }
    // Nothing at all was heard: an empty journal would say that nothing was asked.
    if answers.isEmpty { return code }
    Console.output.write(String(decoding: ControlClient.merged(journals: answers), as: UTF8.self) + "\n")
    return code
  }

  /// `health`: 0 where a server is well, 1 where it is not; for containers that have no other program to ask with.
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
  /// A server that cannot be steered.
  init(_ failure: ControlFailure) {
    self.init(failure.isUsage ? .usage : .unavailable, failure.message, hint: failure.hint)
  }
}
