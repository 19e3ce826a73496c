import CassetteJSON
import Foundation
import MockServerConsole
import MockServerKit
import ServerTestSupport
import TestSupport
import Testing

@testable import mockserver

/// The commands `journal` and `control`, for one server and for two replicas.
@Suite(.enabled(if: Executable.path != nil, "the command is not beside the tests"))
struct ReplicasTests {
  /// Starts two servers of the same cassette, and passes their addresses and a function that runs the command.
  private func withServers(
    _ use: (_ urls: [String], _ run: ([String]) throws -> ChildProcess.Result) throws -> Void
  ) throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let servers = try (0..<2).map { _ in
        var configuration = MockServer.Configuration(cassettes: [folder], port: 0)
        (configuration.watches, configuration.log) = (false, .none)
        return try MockServer(configuration)
      }
      defer { for server in servers { server.stop(within: .zero) } }
      let urls = try servers.map { try $0.start() }
      try use(urls) { words in
        try Executable.run(words, environment: ["MOCKSERVER_SERVERS": urls.joined(separator: ",")])
      }
    }
  }

  private func ask(_ path: String, _ url: String) throws -> String {
    try WireClient.get(path, port: Int(url.split(separator: ":").last ?? "") ?? 0)
  }

  @Test func `the journal is a table, and one object with --json`() throws {
    try withServers { urls, run in
      _ = try ask("/users/kean", urls[0])
      _ = try ask("/nobody", urls[1])
      let lines = try run(["journal", "--all"]).output.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[0].split(separator: " ") == ["TIME", "METHOD", "URL", "STATUS", "ANSWERED", "BY", "SERVER"])
      #expect(
        lines[1].split(separator: " ").dropFirst() == [
          "GET", "/users/kean", "200", "example/get-users-kean", urls[0][...],
        ])
      #expect(lines[2].split(separator: " ").dropFirst() == ["GET", "/nobody", "404", "miss", urls[1][...]])
      let first = try run(["journal"]).output
      #expect(!first.contains("SERVER") && !first.contains("/nobody"))
      let json = try #require(JSONValue(Array(try run(["journal", "--all", "--json"]).outputBytes)))
      #expect(json["entries"]?.elements.count == 2 && json["servers"]?.elements.count == 2)
    }
  }

  @Test(arguments: ["settings", "/settings", "/__mock/settings"])
  func `a control call reaches all servers with --all, else the first`(path: String) throws {
    try withServers { urls, run in
      let all = try run(["control", "--all", "put", path, #"{"latency": "1ms"}"#])
      let answers = try #require(JSONValue(all.outputBytes))
      #expect(all.status == 0 && answers.members.map(\.name) == urls)
      #expect(answers.members.allSatisfy { $0.value["latency"]?.string == "1ms" })
      let one = try run(["control", "GET", path])
      #expect(JSONValue(one.outputBytes)?["latency"]?.string == "1ms")
      #expect(try run(["control", "GET", "metrics"]).output.hasPrefix("# "))
    }
  }

  @Test func `a refused control call exits 1 with the reason`() throws {
    try withServers { urls, run in
      let refused = try run(["control", "--all", "PUT", "scenarios/none", #"{"state": "x"}"#])
      #expect(refused.status == 1)
      for url in urls { #expect(refused.error.contains("\(url) refuses: ")) }
      #expect(try run(["control", "GET"]).status == 64)
    }
  }

  @Test(arguments: [
    (#""times": 3"#, true), (#""times": 2"#, false), ("", true), (#""times": {"atLeast": 4}"#, false),
    (#""times": {"atMost": 2}"#, false), (#""times": {"exactly": 3}"#, true), (#""times": {"exact": 3}"#, false),
  ])
  func `a verification of all servers adds their counts`(times: String, isMet: Bool) throws {
    try withServers { urls, run in
      for url in [urls[0], urls[0], urls[1]] { _ = try ask("/users/kean", url) }
      let request = #""request": {"method": "GET", "url": "/users/kean"}"#
      let verified = try run([
        "control", "--all", "POST", "verify", "{\(times.isEmpty ? request : "\(request), \(times)")}",
      ])
      #expect(verified.status == (isMet ? 0 : 1), "\(verified.error)")
      if times == #""times": 2"# {
        #expect(verified.error.contains("was expected 2 times, but was received 3 times by all servers"))
      }
    }
  }

  @Test(arguments: [(["/users/kean", "/nobody"], true), (["/nobody", "/users/kean"], false)])
  func `an order is met if one server received it`(paths: [String], isMet: Bool) throws {
    try withServers { urls, run in
      for path in ["/users/kean", "/nobody"] { _ = try ask(path, urls[1]) }
      let order = paths.map { #"{"request": {"method": "GET", "url": "\#($0)"}}"# }.joined(separator: ", ")
      #expect(try run(["control", "--all", "POST", "verify", "{\"order\": [\(order)]}"]).status == (isMet ? 0 : 1))
    }
  }
}
