import CassettePlayback
import MockServerConsole
import MockServerKit
import MockServerSockets

/// The messages of `serve`.
enum ServeText {
  /// The maximum number of recordings listed in the summary.
  private static let named = 10

  /// Returns the line for standard output.
  static func ready(
    _ url: String, recordings: Int, cassettes: Int, fixtures: Int, resources: Int = 0, operations: Int? = nil
  ) -> String {
    let collections = resources > 0 ? ", \(counted(resources, "resource"))" : ""
    let served = "\(counted(recordings, "recording")) in \(counted(cassettes, "cassette"))\(collections)"
    let specified = operations.map { ", \(counted($0, "operation")) in specifications" } ?? ""
    return "mockserver: listening on \(url) (\(served), \(counted(fixtures, "fixture"))\(specified))\n"
  }

  /// Returns the summary of requests and of recordings that were not played.
  static func summary(
    requests: Int, misses: Int, approximations: (count: Int, last: [Approximation]) = (0, []), recordings: Int,
    neverPlayed: [String]
  ) -> String {
    let approximate = approximations.count == 0 ? "" : ", \(approximations.count) approximate"
    let asked = "\(counted(requests, "request")), \(counted(misses, "miss", "misses"))\(approximate)"
    guard recordings > 0 else { return "mockserver: \(asked)\n" }
    let played =
      neverPlayed.isEmpty
      ? "all recordings played" : "\(neverPlayed.count) of \(counted(recordings, "recording")) never played"
    var text = "mockserver: \(asked), \(played)\n"
    // Without any requests, the list of unused recordings is useless.
    guard requests > 0 else { return text }
    let likenesses = approximations.last.map { "  \($0.request) (\"\($0.recording.id)\"): differs in \($0.parts)\n" }
    text += distinct(likenesses).suffix(named).joined()
    text += neverPlayed.prefix(named).map { "  \($0)\n" }.joined()
    if neverPlayed.count > named { text += "  and \(neverPlayed.count - named) more\n" }
    return text
  }

  private static func distinct(_ lines: [String]) -> [String] {
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }
  }

  /// Returns warnings about access from other machines; empty if the server listens only on a loopback address.
  static func exposure(_ configuration: MockServer.Configuration) -> [String] {
    guard !SocketAddress.isLoopback(host: configuration.host) else {
      return configuration.showsSecrets
        ? ["/__mock/journal shows unmasked requests, with passwords and tokens, to every user of this machine"] : []
    }
    let admin =
      switch configuration.admin {
      case .open: "/__mock/ refuses all requests until --admin-token is given"
      case .token: "/__mock/, which shows all requests, requires the token"
      case .off: "/__mock/ is disabled"
      }
    return ["other machines can reach \(configuration.host) and read every recording and fixture; \(admin)"]
  }
}
