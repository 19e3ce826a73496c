import CassettePlayback
import CassetteRecording
import CassetteSecrets
import CassetteSession
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Planted secrets in a handwritten cassette: no output about the cassette contains them.
@Suite(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
struct PlantedReportTests {
  private static let cases = PlantedCase.all(turn: 1)
  private static let leftovers = Leftovers(of: cases)

  private func expect(
    _ bytes: [UInt8], _ what: String, _ source: SourceLocation = #_sourceLocation,
    where isMeant: (PlantedCase) -> Bool = { _ in true }
  ) {
    #expect(!bytes.isEmpty, "\(what) is empty", sourceLocation: source)
    for number in Self.leftovers.found(in: bytes).sorted() where isMeant(Self.cases[number]) {
      Issue.record("\(what) contains \(Self.cases[number])", sourceLocation: source)
    }
  }

  /// True if the secret may not be shown: the id of a recording is derived from its path, which remains visible.
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

  @Test func `no form of a server's journal contains a planted secret`() throws {
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
        expect(
          Array(try WireClient.get("/__mock/journal/\(number)", port: port).utf8), "journal/\(number)",
          where: Self.isHidden)
      }
      let all = try Executable.run(["journal", "--all", "--json", "--servers", "http://127.0.0.1:\(port)"])
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

  @Test func `the report of a test contains no planted secret of played, missed or unplayed recordings`()
    async throws
  {
    let folder = try ScratchFolder()
    let origin = "https://api.example.com"
    let ids = ["0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01", "9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22"]
    let bodies = ids.map { Data(#"{"id":"\#($0)","title":"Milk"}"#.utf8) }
    var cassette = Cassette(name: "a", origin: origin)
    cassette.interactions = try CassetteRedaction.standard.redacting(
      Self.cases.flatMap { one in
        var other = one.interaction
        (other.method, other.url, other.requestBody) = (.put, "/like\(one.target)", .storing(Array(bodies[0])))
        return [one.interaction, other]
      })
    try CassetteFile.write(cassette, to: folder.path("a.json"))
    let player = try CassettePlayer(paths: [folder.path("a.json")], name: "T/one()")
    let session = player.session()
    for one in Self.cases where one.number % 3 > 0 {
      for (method, prefix) in [
        (one.isSent ? "POST" : "GET", ""), (one.isSent ? "POST" : "GET", "/no"), ("PUT", "/like"),
      ] {
        var request = URLRequest(url: try #require(URL(string: origin + prefix + one.target), "\(one)"))
        request.httpMethod = method
        if one.isSent { request.httpBody = Data(one.coded) }
        if method == "PUT" { request.httpBody = bodies[1] }
        for (name, value) in one.requestFields { request.setValue(value, forHTTPHeaderField: name) }
        _ = try? await session.data(for: request, delegate: Unredirected())
      }
    }
    player.end()
    let ledger = player.ledger
    let table = player.deck.table
    #expect(ledger.misses.count > 200 && ledger.approximations.count > 200 && table.neverPlayed.count > 200)
    #expect(table.neverPlayed.count < table.entries.count - 400)
    let line = RunReport.line(
      player.name, table, hasFailed: true, missed: ledger.misses.map(\.request),
      approximate: ledger.approximations.map(\.request))
    expect(line, "the report")
    try Scratch.write(String(decoding: line, as: UTF8.self), to: folder.path("report.jsonl"))
    for report in ["junit", "sarif", "markdown", "json"] {
      let to = folder.path("out.\(report)")
      let result = try Executable.run(
        ["check", "--unused", folder.path("report.jsonl"), "--report", "\(report)=\(to)", folder.path("a.json")])
      expect(result.outputBytes + result.errorBytes, "check --unused")
      expect(Array(try #require(FileManager.default.contents(atPath: to))), "the report as \(report)")
    }
  }

  @Test func `no command that reads a cassette prints a planted secret`() throws {
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
        // Paths, ids derived from paths, and bodies that a diff shows as base64 remain visible.
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
