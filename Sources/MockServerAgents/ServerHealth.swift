internal import CassetteJSON
internal import Cassettes

/// The health of a server that runs, asked for by those who start it: a container, a script that waits.
package struct ServerHealth: Sendable {
  /// The answer in a line; counts are in it where the server tells them to who asks.
  package let words: String

  /// Asks a server; without its token it says only that it is there.
  package init(of client: ControlClient) throws(ControlFailure) {
    let answer = try client.call("GET", "health")
    guard answer.status == 200, let health = JSONValue(answer.body), health["status"]?.string == "ok" else {
      throw ControlFailure("what answers at \(client.server) says \(answer.status), and not that it is well")
    }
    let counts = ["recordings", "requests", "misses"].compactMap { name in
      health[name]?.integer.map { "\($0) \($0 == 1 ? String(name.dropLast(name == "misses" ? 2 : 1)) : name)" }
    }
    let problem = health["lastLoad"]?["problem"]?.string.map { "; an edit is not served: \(Printable.escaped($0))" }
    words = ([client.server + " is well"] + counts).joined(separator: ", ") + (problem ?? "")
  }
}
