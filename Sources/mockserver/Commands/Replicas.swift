import CassetteHTTP
import CassetteJSON
import MockServerConsole

/// The commands `journal`, `reset` and `health`, for one server or for all replicas behind a load balancer.
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

  /// Calls all servers.
  ///
  /// A server that does not respond is reported, and the others are still called.
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

  /// The command `reset`, which resets playback positions, scenarios and journals.
  static func reset(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let json = JSONWriter.object { if let session = invocation.text(Manual.session) { $0.member("session", session) } }
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("POST", "reset", json: json)
    }
    for (server, _) in answers { Console.output.write("\(server) is reset\n") }
    return code
  }

  /// The command `journal`, which prints the requests of all servers as one object, ordered by time.
  static func journal(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let session = invocation.text(Manual.session)
    let query = session.map { "?session=\(PercentEncoding.encode($0))" } ?? ""
    let (answers, code) = try each(invocation) { (client) throws(ControlFailure) in
      try client.call("GET", "journal\(query)")
    }
    // If no server responded, an empty journal would suggest that there were no requests.
    if answers.isEmpty { return code }
    Console.output.write(String(decoding: ControlClient.merged(journals: answers), as: UTF8.self) + "\n")
    return code
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
