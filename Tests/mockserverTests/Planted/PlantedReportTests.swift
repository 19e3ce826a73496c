import CassetteFiles
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// The same secrets in a cassette that a person wrote: nothing that is shown or reported about it has one.
@Suite(.enabled(if: Executable.path != nil, "the command is not beside the tests"))
struct PlantedReportTests {
  private static let cases = PlantedCase.all(turn: 1)
  private static let leftovers = Leftovers(of: cases)

  private func expect(
    _ bytes: [UInt8], _ what: String, _ source: SourceLocation = #_sourceLocation,
    where isMeant: (PlantedCase) -> Bool = { _ in true }
  ) {
    #expect(!bytes.isEmpty, "\(what) says nothing", sourceLocation: source)
    for number in Self.leftovers.found(in: bytes).sorted() where isMeant(Self.cases[number]) {
      Issue.record("\(what) has \(Self.cases[number])", sourceLocation: source)
    }
  }

  /// The id of a recording is made of its path, and is a name by which it is called: what is secret there stays.
  private static func isHidden(_ one: PlantedCase) -> Bool {
    if case .target = one.place.part { return false }
    return true
  }

  private static func write(to folder: String) throws -> String {
    var cassette = Cassette(name: "a")
    cassette.interactions = cases.map(\.interaction)
    try Scratch.write("", to: "\(folder)/cassettes/a.json")
    try CassetteFile.write(cassette, to: "\(folder)/cassettes/a.json")
    return "\(folder)/cassettes"
  }

  @Test func `nothing is left in any form of a server's journal`() throws {
    try Scratch.with { folder in
      let cassettes = try Self.write(to: folder)
      let server = try RunningServer(
        ["serve", "--cassettes", cassettes, "--port", "0", "--log", "none"], log: "\(folder)/log")
      defer { server.signal(SIGTERM) }
      let port = try #require(server.port)
      for one in Self.cases {
        for target in [one.target, "/no\(one.target)"] {
          _ = try WireClient.exchange(one.request(to: target, host: "127.0.0.1:\(port)"), port: port)
        }
      }
      for path in ["journal?limit=5000", "journal?as=har&limit=5000", "journal?as=cassette&limit=5000", "misses"] {
        expect(Array(try WireClient.get("/__mock/\(path)", port: port).utf8), path, where: Self.isHidden)
      }
      for number in 1...40 {
        expect(Array(try WireClient.get("/__mock/journal/\(number)", port: port).utf8), "one", where: Self.isHidden)
      }
      let all = try Executable.run(["journal", "--all", "--servers", "http://127.0.0.1:\(port)"])
      expect(all.outputBytes, "journal --all", where: Self.isHidden)
      let calls = [
        ("list", "{}"), ("misses", "{}"), ("journal", "{}"), ("explain", #"{"id": 2}"#), ("explain", #"{"id": 301}"#),
      ]
      var lines = [
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#
          + #""clientInfo":{"name":"a","version":"1"}}}"#
      ]
      for (number, call) in calls.enumerated() {
        lines.append(
          #"{"jsonrpc":"2.0","id":\#(number + 1),"method":"tools/call","params":{"name":"\#(call.0)","#
            + #""arguments":\#(call.1)}}"#)
      }
      try Scratch.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/lines")
      let agent = try ChildProcess.run(
        "/bin/sh",
        [
          "-c",
          "'\(Executable.path ?? "")' mcp --servers http://127.0.0.1:\(port) --cassettes '\(cassettes)' <'\(folder)/lines'",
        ])
      #expect(agent.output.split(separator: "\n").count == lines.count, "\(agent.error)")
      expect(agent.outputBytes + agent.errorBytes, "mcp")
    }
  }

  @Test func `nothing is left in what commands say of a cassette`() throws {
    try Scratch.with { folder in
      let cassettes = try Self.write(to: folder)
      var other = Cassette(name: "b")
      let turned = PlantedCase.all(turn: 2)
      other.interactions = turned.map(\.interaction)
      try CassetteFile.write(other, to: "\(cassettes)/b.json")
      let reports = ["junit", "sarif", "markdown", "json"].flatMap { ["--report", "\($0)=\(folder)/report.\($0)"] }
      let commands: [[String]] = [
        ["diff", "/dev/null", "\(cassettes)/a.json"], ["diff", "\(cassettes)/a.json", "\(cassettes)/b.json"],
        ["generate", "openapi", "\(cassettes)/a.json"], ["generate", "openapi", "--enums", "\(cassettes)/a.json"],
        ["check"] + reports + ["\(cassettes)/a.json"], ["scan"] + reports + ["\(cassettes)/a.json"],
        ["list", cassettes],
      ]
      for command in commands {
        let result = try Executable.run(command, folder: folder)
        // Paths and ids made of them, and bytes that a diff shows as base64, are what a person wrote.
        let isKnown = ["diff", "generate"].contains(command[0])
        expect(result.outputBytes + result.errorBytes, command[0]) { one in
          guard isKnown else { return true }
          if case .target = one.place.part { return false }
          return command[0] == "generate"
            || one.coding == .identity && turned.first { $0.number == one.number }?.coding == .identity
        }
        for report in ["junit", "sarif", "markdown", "json"] where command.contains("--report") {
          let data = try #require(FileManager.default.contents(atPath: "\(folder)/report.\(report)"))
          expect(Array(data), "\(command[0]) \(report)")
        }
      }
    }
  }
}
