import CassetteHTTP
import Cassettes
import Foundation
import MockServerKit
import MockServerWire
import TestSupport
import Testing

@testable import MockServerConsole
@testable import MockServerControl
@testable import mockserver

/// The options and messages of `serve`.
struct ServeTests {
  @Test func `options of serve are parsed into a configuration`() throws {
    try Scratch.with { folder in
      let configuration = try configure(
        "--cassettes \(folder) --fixtures \(folder) --host ::1 --port 1 --keep-links --speed 2.5x --miss-status 501 --log none "
          + "--loops 2 --loop dispatch --no-watch --admin-token t --max-request-line 4K --max-head 8K --max-fields 9 --max-body 1M "
          + "--journal-secrets --journal-bodies 2K --cors-origin https://Staging.example:443 "
          + "--idle-timeout 3 --head-timeout 0.5 --max-connections 7")
      #expect(configuration.cassettes == [folder])
      #expect(configuration.fixtures == folder)
      #expect(configuration.host == "::1")
      #expect(configuration.port == 1)
      #expect(configuration.keepsLinks)
      #expect(configuration.speed == 2.5)
      #expect(configuration.missStatus == 501)
      #expect(configuration.log == .none)
      #expect(configuration.loops == 2)
      #expect(configuration.usesDispatch)
      #expect(configuration.cors.named.map(\.description) == ["https://staging.example"])
      #expect(configuration.cors.admitsLoopback)
      #expect(!configuration.watches)
      #expect(configuration.admin == .token("t"))
      #expect(configuration.limits == ParserLimits(requestLine: 4096, head: 8192, fields: 9, body: 1 << 20))
      #expect(configuration.journalBodyBytes == 2048 && configuration.showsSecrets)
      #expect(configuration.idleTimeout == .seconds(3))
      #expect(configuration.headTimeout == .seconds(0.5))
      #expect(configuration.connections == 7)
    }
  }

  @Test func `the configuration without options has the defaults that the help prints`() throws {
    try Scratch.with { folder in
      let configuration = try configure("--cassettes \(folder)")
      #expect(configuration.host == Manual.host.standard)
      #expect(Manual.speed.standard.flatMap { Double($0) } == configuration.speed)
      #expect("\(configuration.port)" == Manual.port.standard)
      #expect("\(configuration.missStatus.code)" == Manual.missStatus.standard)
      #expect(configuration.log.rawValue == Manual.log.standard)
      #expect(configuration.logFormat.rawValue == Manual.logFormat.standard)
      #expect(configuration.admin == .open)
      #expect(configuration.watches)
      #expect(!configuration.keepsLinks)
      #expect(!configuration.usesDispatch)
      #expect(configuration.cors == CORSPolicy())
      #expect(try configure("--cassettes \(folder) --cors recorded").cors == .recorded)
      #expect(bytes(ofSize: Manual.maxRequestLine.standard ?? "") == configuration.limits.requestLine)
      #expect(bytes(ofSize: Manual.maxHead.standard ?? "") == configuration.limits.head)
      #expect(Manual.maxFields.standard == "\(configuration.limits.fields)")
      #expect(bytes(ofSize: Manual.maxBody.standard ?? "") == configuration.limits.body)
      #expect(bytes(ofSize: Manual.journalBodies.standard ?? "") == configuration.journalBodyBytes)
      #expect(!configuration.showsSecrets && ServeText.exposure(configuration).isEmpty)
      #expect(Manual.idleTimeout.standard == "\(configuration.idleTimeout.components.seconds)")
      #expect(Manual.headTimeout.standard == "\(configuration.headTimeout.components.seconds)")
      #expect(Manual.maxConnections.standard == "\(configuration.connections)")
    }
  }

  @Test(
    arguments: [
      ("", nil, .open), ("", "", .open), ("", "e", .token("e")), ("--admin-token t", "e", .token("t")),
      ("--no-admin", "e", .off),
    ] as [(String, String?, MockServer.Configuration.Admin)])
  func `--admin-token overrides the token of the environment`(
    options: String, variable: String?, admin: MockServer.Configuration.Admin
  ) throws {
    try Scratch.with { folder in
      let configuration = try configure("--cassettes \(folder) \(options)") {
        $0 == "MOCKSERVER_ADMIN_TOKEN" ? variable : nil
      }
      #expect(configuration.admin == admin)
    }
  }

  @Test func `--no-admin together with --admin-token is refused`() throws {
    try Scratch.with { folder in
      let error = #expect(throws: CommandError.self) {
        try configure("--cassettes \(folder) --no-admin --admin-token t")
      }
      #expect(error?.code == .usage)
    }
  }

  @Test func `--journal-secrets is refused on other than loopback addresses, and prints a warning`() throws {
    try Scratch.with { folder in
      let error = #expect(throws: CommandError.self) {
        try configure("--cassettes \(folder) --journal-secrets --host 0.0.0.0")
      }
      #expect(error?.code == .usage)
      let configuration = try configure("--cassettes \(folder) --journal-secrets")
      #expect(ServeText.exposure(configuration).first?.contains("passwords and tokens") == true)
    }
  }

  @Test(arguments: [
    (["serve", "--contract", "fail"], ExitCode.noInput), (["serve", "--fixtures", "x", "--contract", "fail"], .usage),
    (["list"], .noInput), (["list", "--fixtures", "x"], .success),
    (["serve", "--cassettes", "gone", "--fixtures", "x"], .noInput),
  ])
  func `serve and list accept fixtures without a cassettes folder`(words: [String], code: ExitCode) throws {
    try Scratch.with { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/x", withIntermediateDirectories: true)
      let result = try Executable.run(words, folder: folder)
      #expect(result.status == code.rawValue, "\(result.error)")
    }
  }

  @Test func `the journal of a server can be exported as HAR`() throws {
    try Scratch.with { folder in
      let export = try #require(try configure("--cassettes \(folder)").exports["har"])
      let exchange = Interaction(method: .get, url: "/a", outcome: .response(RecordedResponse(status: 200)))
      let text = String(decoding: try export.write(Cassette(name: "journal", interactions: [exchange])), as: UTF8.self)
      #expect(text.contains("\"log\"") && text.contains("/a"))
    }
  }

  @Test func `a missing cassette exits 66 and suggests a similar file`() throws {
    try Scratch.with { folder in
      try Scratch.write("{}", to: "\(folder)/github.json")
      let error = #expect(throws: CommandError.self) { try configure("--cassettes \(folder)/gihtub.json") }
      #expect(error?.code == .noInput)
      #expect(error?.message == "no such file or folder: \(folder)/gihtub.json")
      #expect(error?.hint == "Did you mean \(folder)/github.json?")
      let other = #expect(throws: CommandError.self) { try configure("--cassettes \(folder)/articles") }
      let record = "Or record some: mockserver record --upstream URL --cassette cassettes/NAME.json"
      #expect(other?.hint == "The folder \(folder) contains github.json.\n\(record)")
      #expect(
        throws: CommandError(.noInput, "--fixtures requires a folder, and \(folder)/github.json is a file")
      ) {
        try configure("--cassettes \(folder) --fixtures \(folder)/github.json")
      }
    }
  }

  @Test(arguments: [
    (61, 3, 6, "61 recordings in 3 cassettes, 6 fixtures"), (1, 1, 1, "1 recording in 1 cassette, 1 fixture"),
    (0, 0, 0, "0 recordings in 0 cassettes, 0 fixtures"),
  ])
  func `the ready line contains the address and the counts of recordings and fixtures`(
    recordings: Int, cassettes: Int, fixtures: Int, served: String
  ) {
    let line = ServeText.ready("http://[::1]:80", recordings: recordings, cassettes: cassettes, fixtures: fixtures)
    #expect(line == "mockserver: listening on http://[::1]:80 (\(served))\n")
  }

  @Test func `the ready line counts resources if there are any`() {
    let line = ServeText.ready("http://[::1]:80", recordings: 1, cassettes: 1, fixtures: 0, resources: 2)
    #expect(line.hasSuffix("(1 recording in 1 cassette, 2 resources, 0 fixtures)\n"))
  }

  @Test func `the summary lists at most ten unplayed recordings`() {
    let ids = (1...12).map { "github/get-\($0)" }
    let text = ServeText.summary(requests: 3, misses: 1, recordings: 61, neverPlayed: ids)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "mockserver: 3 requests, 1 miss, 12 of 61 recordings never played")
    #expect(lines.count == 12)
    #expect(lines.last == "  and 2 more")
  }

  @Test(arguments: [
    (0, 0, 2, ["a", "b"], "mockserver: 0 requests, 0 misses, 2 of 2 recordings never played\n"),
    (1, 0, 1, ["a"], "mockserver: 1 request, 0 misses, 1 of 1 recording never played\n  a\n"),
    (2, 2, 1, [], "mockserver: 2 requests, 2 misses, all recordings played\n"),
    (2, 1, 0, [], "mockserver: 2 requests, 1 miss\n"),
  ])
  func `the summary counts requests, misses and unplayed recordings`(
    requests: Int, misses: Int, recordings: Int, neverPlayed: [String], text: String
  ) {
    #expect(
      ServeText.summary(requests: requests, misses: misses, recordings: recordings, neverPlayed: neverPlayed) == text)
  }

  @Test(arguments: [
    ("127.0.0.1", false), ("127.9.9.9", false), ("::1", false), ("[::1]", false), ("localhost", false),
    ("0.0.0.0", true), ("::", true), ("192.168.1.2", true), ("127.evil.example", true),
  ])
  func `a host that other machines can reach prints a warning`(host: String, warns: Bool) {
    #expect(ServeText.exposure(MockServer.Configuration(host: host)).isEmpty != warns)
  }

  private func configure(
    _ words: String, environment: (String) -> String? = { _ in nil }
  ) throws -> MockServer.Configuration {
    guard case .run(let invocation) = try Intent(words.split(separator: " ").map(String.init)) else {
      throw CommandError(.usage, "not a command to run")
    }
    return try Serve.configuration(of: invocation, environment: environment)
  }
}
