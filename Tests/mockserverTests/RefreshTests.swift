import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import mockserver

/// The requests, results and written files of `refresh`, with an origin of the test.
@Suite(.enabled(if: Executable.path != nil)) struct RefreshTests {
  private static func say(_ json: String, _ status: String = "200 OK") -> [LoopbackOrigin.Step] {
    [
      .text(
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nX-Request-Id: \(UUID().uuidString)\r\n"
          + "Connection: close\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)")
    ]
  }

  private static func recording(_ method: String, _ path: String, _ json: String, at time: String) -> String {
    #"""
    {"request": {"method": "\#(method)", "url": "\#(path)"}, "response": {"status": 200,
     "headers": [["Content-Type", "application/json"], ["X-Request-Id", "a"]], "body": {"json": \#(json)}},
     "recorded": {"at": "\#(time)"}}
    """#
  }

  private struct Refreshed {
    var result: ChildProcess.Result
    var asked: [String]
    var before: String
    var file: String
    var url: String
  }

  private func refresh(
    _ arguments: [String], at time: String = "2026-01-01T00:00:00Z", isUpstream: Bool = false,
    _ answer: @escaping @Sendable (LoopbackOrigin.Request) -> [LoopbackOrigin.Step]
  ) throws -> Refreshed {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin(answer)
      let path = "\(folder)/a.json"
      let list = [
        Self.recording("GET", "/user", #"{"login": "octocat", "id": 1}"#, at: time),
        Self.recording("GET", "/same", #"{"n": 1}"#, at: time), Self.recording("POST", "/same", "{}", at: time),
      ]
      let named = isUpstream ? "https://api.example.com" : origin.url
      try Data(#"{"cassette": 1, "origin": "\#(named)", "interactions": [\#(list.joined(separator: ","))]}"#.utf8)
        .write(to: URL(fileURLWithPath: path))
      let before = try String(contentsOfFile: path, encoding: .utf8)
      let arguments = ["refresh", path] + arguments + (isUpstream ? ["--upstream", origin.url] : [])
      let result = try Executable.run(arguments)
      return Refreshed(
        result: result, asked: origin.requests.map { "\($0.method) \($0.target)" }, before: before,
        file: try String(contentsOfFile: path, encoding: .utf8), url: origin.url)
    }
  }

  @Test func `a cassette whose recordings are unchanged stays identical`() throws {
    let refreshed = try refresh([]) {
      Self.say($0.target == "/user" ? #"{"login":"octocat","id":1}"# : #"{"n":1}"#)
    }
    #expect(refreshed.result.status == 0)
    #expect(refreshed.asked == ["GET /user", "GET /same"])
    #expect(refreshed.file == refreshed.before)
    #expect(refreshed.result.error == "mockserver: 2 requests sent: 2 unchanged; 1 skipped\n")
    #expect(refreshed.result.output.contains("POST may change data"))
    #expect(refreshed.result.output.contains("## Noise"))
    #expect(!refreshed.result.output.contains("## Values"))
  }

  @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal stops the requests, and the answers so far are written`(signal: Int32) throws {
    guard let path = Executable.path else { throw Executable.Missing() }
    try Scratch.with { folder in
      let isFirst = Flag()
      let (arrived, signaled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let origin = try LoopbackOrigin { _ in
        guard !isFirst.set() else { return Self.say(#"{"n": 2}"#) }
        arrived.signal()
        return [.until(signaled)] + Self.say(#"{"n": 2}"#)
      }
      // The process handles the signal with a delay, but before it has sent 400 requests.
      let list = (0..<400).map { Self.recording("GET", "/\($0)", #"{"n": 1}"#, at: "2026-01-01T00:00:00Z") }
      let file = "\(folder)/a.json"
      try Scratch.write(
        #"{"cassette": 1, "origin": "\#(origin.url)", "interactions": [\#(list.joined(separator: ","))]}"#, to: file)
      let process = try ChildProcess(path, ["refresh", file])
      arrived.wait()
      process.signal(signal)
      signaled.signal()
      let result = process.end()
      #expect(result.status == signal)
      let asked = origin.requests.count
      #expect(asked < 400)
      #expect(result.output.contains("a signal stopped the command"))
      let bodies = try CassetteFile.read(path: file).interactions.map { try $0.response?.body?.bytes() ?? [] }
      let texts = bodies.map { String(decoding: $0, as: UTF8.self).filter { $0 != " " } }
      #expect(texts == (0..<400).map { $0 < asked ? #"{"n":2}"# : #"{"n":1}"# })
    }
  }

  @Test func `changed responses replace recordings, and are reported with changed shapes before changed values`() throws
  {
    let refreshed = try refresh([]) { Self.say($0.target == "/user" ? #"{"id": 2}"# : #"{"n": 2}"#) }
    #expect(refreshed.result.status == 1)
    #expect(!refreshed.file.contains("octocat"))
    #expect(refreshed.file.contains(#""n": 2"#))
    let text = refreshed.result.output
    let shape = try #require(text.range(of: "`$.login`: was a string, is gone"))
    let value = try #require(text.range(of: "`$.n`: `1` → `2`"))
    #expect(shape.lowerBound < value.lowerBound)
    #expect(
      refreshed.result.error
        == "mockserver: 2 requests sent: 0 unchanged, 1 of another shape, 1 with other values; 1 skipped\n")
  }

  @Test func `changes at accepted paths replace recordings without a report`() throws {
    let refreshed = try refresh(["--accept", "$.login", "--accept", "$.n"]) {
      Self.say($0.target == "/user" ? #"{"id": 1}"# : #"{"n": 2}"#)
    }
    #expect(refreshed.result.status == 0)
    #expect(!refreshed.file.contains("octocat"))
    #expect(!refreshed.result.output.contains("$.login"))
    #expect(!refreshed.result.output.contains("## Values"))
  }

  @Test(arguments: ["500 Internal Server Error", "401 Unauthorized", "404 Not Found", "429 Too Many Requests"])
  func `a response with an error status does not replace a recording`(status: String) throws {
    let refreshed = try refresh([]) { _ in Self.say("{}", status) }
    #expect(refreshed.result.status == 1)
    #expect(refreshed.file == refreshed.before)
    #expect(refreshed.result.output.contains("## Kept unchanged"))
  }

  @Test func `a connection reset does not replace a recording`() throws {
    let refreshed = try refresh(["--timeout", "1"]) { _ in [.reset] }
    #expect(refreshed.result.status == 69)
    #expect(refreshed.file == refreshed.before)
    #expect(refreshed.result.output.contains("## No response"))
  }

  @Test func `an incomplete response does not replace a recording`() throws {
    let refreshed = try refresh(["--timeout", "1"]) { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"n\"")]
    }
    #expect(refreshed.result.status == 69)
    #expect(refreshed.file == refreshed.before)
  }

  @Test func `--older-than requests only older recordings and updates their dates`() throws {
    let same: @Sendable (LoopbackOrigin.Request) -> [LoopbackOrigin.Step] = {
      Self.say($0.target == "/user" ? #"{"login":"octocat","id":1}"# : #"{"n":1}"#)
    }
    let young = try refresh(["--older-than", "60d"], at: ISO8601DateFormatter().string(from: Date()), same)
    #expect(young.asked.isEmpty)
    #expect(young.result.output.contains("it is recent enough"))
    let old = try refresh(["--older-than", "60d"], same)
    #expect(old.result.status == 0)
    #expect(old.asked.count == 2)
    #expect(
      old.file.components(separatedBy: "2026-01-01T00:00:00Z").count == 2, "only the POST recording keeps its date")
  }

  @Test func `links to the --upstream server are stored as links to the cassette's origin`() throws {
    let refreshed = try refresh([], isUpstream: true) { request in
      let host = request.value(of: "Host") ?? ""
      return Self.say(#"{"login": "octocat", "id": 1, "n": 1, "url": "http://\#(host)/user"}"#)
    }
    #expect(refreshed.result.status == 0)
    #expect(refreshed.file.contains(#""url": "https://api.example.com/user""#))
    #expect(!refreshed.file.contains(refreshed.url))
  }

  @Test func `--into writes the report to a file`() throws {
    try Scratch.with { folder in
      let report = "\(folder)/refresh.md"
      let refreshed = try refresh(["--into", report]) { _ in Self.say(#"{"login": "kean", "id": 1}"#) }
      #expect(refreshed.result.output.isEmpty)
      #expect(try String(contentsOfFile: report, encoding: .utf8).hasPrefix("# Refreshed recordings\n"))
    }
  }

  @Test func `an invalid option of refresh exits 64 with a hint`() throws {
    let result = try Executable.run(["refresh", "--accept", "a.b", "--older-than", "3 months", "x"])
    #expect(result.status == 64)
    #expect(result.error.contains("--older-than is a number of days, weeks or hours"))
    #expect(result.error.contains("--older-than 90d"))
  }

  @Test func `check exits 1 if recordings are only old, and 65 if a file is also invalid`() throws {
    try Scratch.with { folder in
      let path = "\(folder)/a.json"
      let recording = Self.recording("GET", "/a", "{}", at: "2020-01-01T00:00:00Z")
      try Scratch.write(#"{"cassette": 1, "interactions": [\#(recording)]}"#, to: path)
      #expect(try Executable.run(["check", path]).status == 0)
      let result = try Executable.run(["check", path, "--older-than", "90d"])
      #expect(result.status == 1)
      #expect(result.output.contains("a.json:1:"))
      #expect(result.output.contains("error: 1 of 1 recordings is older than 90d"))
      #expect(result.output.contains("mockserver refresh --older-than 90d"))
      try Scratch.write("{\"cassette\": 1,", to: "\(folder)/broken.json")
      #expect(try Executable.run(["check", folder, "--older-than", "90d"]).status == 65)
    }
  }
}
