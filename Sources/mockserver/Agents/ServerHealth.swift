internal import CassetteJSON
internal import Cassettes

/// The health of a running server, for programs that start a server and wait for it, such as containers and scripts.
package struct ServerHealth: Sendable {
  /// A description of the health in one line, with counts if the server reports them to this client.
  package let words: String

  /// Requests the health of a server.
  ///
  /// Without the token, the server reports only that it is running.
  package init(of client: ControlClient) throws(ControlFailure) {
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
