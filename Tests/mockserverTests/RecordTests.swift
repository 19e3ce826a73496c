import CassetteRecording
internal import CassetteSecrets
import Cassettes
import Foundation
import MockServerKit
import MockServerWire
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerConsole
@testable import MockServerUpstream
@testable import mockserver

/// The options, messages and results of `record`.
struct RecordTests {
  private func configure(_ words: String) throws -> MockServer.Configuration {
    guard case .run(let invocation) = try Intent(["record"] + words.split(separator: " ").map(String.init)) else {
      throw CommandError(.usage, "not a command to run")
    }
    return try Record.asked(invocation)
  }

  @Test func `options of record are parsed into a configuration`() throws {
    let configuration = try configure(
      "--upstream https://a.test --cassette x/a.json --missing --port 1 --host ::1 --keep-links --timeout 5 --log requests "
        + "--redact header:X-Mine --keep json:$.code --loops 3 --loop dispatch "
        + "--cors recorded")
    let settings = try #require(configuration.recording)
    #expect(settings.upstream?.description == "https://a.test")
    #expect(settings.cassette == "x/a.json")
    #expect(settings.mode == .recordMissing)
    #expect(settings.redaction == .redacting(.header("X-Mine")).keeping(.json("$.code")))
    #expect(settings.silenceSeconds == 5)
    #expect(configuration.port == 1)
    #expect(configuration.host == "::1")
    #expect(configuration.keepsLinks)
    #expect(configuration.log == .requests)
    #expect(configuration.loops == 3)
    #expect(configuration.usesDispatch)
    #expect(configuration.cors == .recorded)
  }

  @Test func `a replacement text follows an equals sign after the path, and a value contains equals signs`() throws {
    let settings = try configure(
      "--upstream https://a.test --cassette x/a.json --redact json:$.iban=DE00=1 --redact json:$[\"a=b\"]=c "
        + "--redact header:X-Mine= --redact value:k3y-a=b-c="
    ).recording
    #expect(
      settings?.redaction
        == .redacting(.json("$.iban"), with: "DE00=1").redacting(.json("$[\"a=b\"]"), with: "c")
        .redacting(.header("X-Mine"), with: "").redacting(.value("k3y-a=b-c=")))
  }

  @Test(arguments: [
    ("", "needs --upstream"), ("--upstream https://a.test", "needs --cassette"),
    ("--upstream a.test --cassette a.json", "is not the URL of a server"),
    ("--upstream htp://ada:hunter2@a.test --cassette a.json", "\"…@a.test\" is neither"),
    ("--upstream http://ada:p#hunter2@a.test --cassette a.json", "\"…@a.test\""),
    ("--upstream htp://a.test/?token=hunter2 --cassette a.json", "\"htp://a.test/…\" is neither"),
    ("--upstream http://a.test --cassette a.json --redact hunter2", "not \":…\""),
    ("--upstream http://a.test --cassette a.json --redact valu:hunter2", "not \"valu:…\""),
    ("--upstream http://a.test --cassette a.json --redact heder:X", "header:NAME"),
    ("--upstream http://a.test --cassette a.json --redact json:x", "not a path such as"),
    ("--upstream http://a.test --cassette /", "is a folder"),
    ("--upstream http://a.test --cassette a", "end in .json"),
    ("--upstream http://a.test --cassette a.json --redact value:Ann", "too short or common"),
    ("--upstream http://a.test --cassette a.json --redact value:4711-0815", "too short or common"),
    ("--upstream https://a.test --cassette a.json --cert a.pem", "must be given together"),
  ])
  func `an invalid option of record is refused with a hint, without its secret`(words: String, message: String) {
    let error = #expect(throws: CommandError.self) { try configure(words) }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(message) == true)
    #expect(error?.hint?.isEmpty == false)
  }

  @Test(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
  func `a recorder that cannot start creates no file, and names the cause`() throws {
    try Scratch.with { folder in
      let cassette = "\(folder)/a.json"
      let origin = try LoopbackOrigin { _ in [] }
      let port = String(origin.url.split(separator: ":").last ?? "")
      let words = ["record", "--upstream", origin.url, "--cassette", cassette, "--port", port]
      #expect(try Executable.run(words).status == ExitCode.unavailable.rawValue)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let first = try MockServer(try configure("--upstream \(origin.url) --cassette \(cassette) --port 0"))
      let second = try Executable.run(words)
      #expect(second.error.contains("cannot record into \(cassette): another process records into this cassette"))
      #expect(!second.error.contains("mockserver check"))
      withExtendedLifetime(first) {}
    }
  }

  @Test(.enabled(if: Executable.path != nil, "the command is not beside the tests"))
  func `a recorder that cannot start, or records nothing, leaves no folder that it created`() throws {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [] }
      let taken = String(origin.url.split(separator: ":").last ?? "")
      let words = ["record", "--upstream", origin.url, "--cassette", "\(folder)/new/deep/a.json", "--port"]
      #expect(try Executable.run(words + [taken]).status == ExitCode.unavailable.rawValue)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let server = try RunningServer(words + ["0"])
      server.signal(SIGTERM)
      #expect(server.end().status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test func `the summary lists added, kept, gone and unrequested recordings, and failed requests`() {
    let changes = Recording.Changes(
      added: ["GET /a"], kept: ["get-d: timedOut"], gone: ["get-b"], unasked: ["get-c"], unchanged: 2)
    let settings = RecordingSettings(upstream: nil, cassette: "a.json")
    var progress = RecordingProgress()
    progress.exchanges = 3
    progress.bytes = 2_048
    progress.failed = 1
    #expect(
      RecordText.summary(settings, changes, progress, unfinished: 2) == """
        mockserver: 3 exchanges, 2 KB
        mockserver: a.json: 1 added (GET /a), 1 gone (get-b), 2 unchanged
        mockserver: 1 recording kept unchanged:
          get-d: timedOut
        mockserver: 1 recording not requested again (record --prune removes them):
          get-c
        mockserver: 1 request failed: no response; the log has the reasons
        mockserver: 1 exchange left out: the responses were not complete

        """)
    #expect(RecordText.progress(progress) == "3 exchanges, 2 KB, 0 new, 1 without a response")
  }

  @Test(.enabled(if: Executable.path != nil))
  func `a recorder beyond the limit of the file size answers its clients and counts the lost exchanges`() throws {
    try Scratch.with { folder in
      let body = String(repeating: "x", count: 3_000)
      let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n\(body)")] }
      // The size limit leaves room for two exchanges in the journal.
      let server = try RunningServer(
        ["record", "--upstream", origin.url, "--cassette", "\(folder)/a.json", "--port", "0"], fileBlocks: 16)
      let port = try #require(server.port)
      for number in 1...5 { #expect(try WireClient.get("/\(number)", port: port).hasSuffix(body)) }
      server.signal(SIGUSR1)
      #expect(try WireClient.get("/6", port: port).hasSuffix(body))
      server.signal(SIGINT)
      let error = server.end().error
      #expect(error.contains("4 exchanges could not be recorded"), "\(error)")
    }
  }

  @Test func `before a long merge, a message states that a second signal leaves the exchanges in the journal`() {
    var progress = RecordingProgress()
    (progress.exchanges, progress.bytes) = (7, 5 << 20)
    #expect(
      RecordText.merging(RecordingSettings(upstream: nil, cassette: "a.json"), progress)
        == "mockserver: merging 7 exchanges, 5 MB, into a.json; a second signal leaves them in the journal, which the "
        + "next start merges\n")
    #expect(RecordText.lost(0) == "No exchange is lost: ")
    #expect(RecordText.lost(1) == "1 exchange could not be recorded; all others are kept: ")
  }

  @Test(.enabled(if: Executable.path != nil))
  func `a recorder whose upstream never answered exits 69 with that reason`() throws {
    try Scratch.with { folder in
      // No program listens on port 1.
      let words = ["record", "--upstream", "http://127.0.0.1:1", "--cassette", "\(folder)/a.json", "--port", "0"]
      let server = try RunningServer(words)
      #expect(try WireClient.get("/a", port: try #require(server.port)).contains("502 Bad Gateway"))
      server.signal(SIGINT)
      let result = server.end()
      #expect(result.status == ExitCode.unavailable.rawValue)
      #expect(result.error.contains("1 request failed: no response from http://127.0.0.1:1; the log has the reasons"))
    }
  }

  @Test(.enabled(if: Executable.path != nil), arguments: [true, false])
  func `exchanges of a killed recorder are merged by the next server that loads the cassette`(namesFile: Bool) throws {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
      let cassette = "\(folder)/a.json"
      let server = try RunningServer(["record", "--upstream", origin.url, "--cassette", cassette, "--port", "0"])
      let port = try #require(server.port)
      for number in 1...3 {
        #expect(try WireClient.get("/\(number)", port: port).contains("200 OK"))
      }
      server.signal(SIGKILL)
      _ = server.end()
      #expect(!FileManager.default.fileExists(atPath: cassette))
      let next = try RunningServer(["--cassettes", namesFile ? cassette : folder, "--port", "0"])
      #expect(next.ready.contains("3 recordings"))
      next.signal(SIGTERM)
      #expect(next.end().error.contains("3 exchanges recovered from an interrupted recording: 3 added"))
      #expect(try CassetteFile.read(path: cassette).interactions.map(\.url) == ["/1", "/2", "/3"])
    }
  }

  @Test(.enabled(if: Executable.path != nil))
  func `--read-only leaves an interrupted journal unmerged, and an unwritable journal suggests that option`()
    throws
  {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
      let (cassette, journal) = ("\(folder)/a.json", "\(folder)/a.json.journal")
      try Scratch.write(Scratch.cassette, to: cassette)
      let recorder = try RunningServer(["record", "--upstream", origin.url, "--cassette", cassette, "--port", "0"])
      #expect(try WireClient.get("/1", port: try #require(recorder.port)).contains("200 OK"))
      recorder.signal(SIGKILL)
      _ = recorder.end()
      let left = try Data(contentsOf: URL(filePath: journal))
      let server = try RunningServer(["--cassettes", folder, "--port", "0", "--read-only"])
      #expect(server.ready.contains("3 recordings"))
      server.signal(SIGTERM)
      #expect(server.end().status == 0)
      #expect(try Data(contentsOf: URL(filePath: journal)) == left)
      #expect(try String(contentsOf: URL(filePath: cassette), encoding: .utf8) == Scratch.cassette)
      // A journal that is a symbolic link is not written, even by a user with permission to write everywhere.
      try FileManager.default.moveItem(atPath: journal, toPath: "\(folder)/elsewhere")
      try FileManager.default.createSymbolicLink(atPath: journal, withDestinationPath: "elsewhere")
      let refused = try RunningServer(["--cassettes", cassette, "--port", "0"])
      refused.signal(SIGTERM)
      let end = refused.end()
      #expect(end.status == ExitCode.badCassette.rawValue)
      #expect(end.error.contains("leave the journal unmerged: serve --read-only"), "\(end.error)")
    }
  }

  @Test(.enabled(if: Executable.path != nil))
  func `record --missing lists approximately answered recordings when it stops`() throws {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [] }
      let cassette = "\(folder)/a.json"
      try Scratch.write(
        """
        { "cassette": 1, "origin": "\(origin.url)", "interactions": [ { "id": "pay",
          "request": { "method": "GET", "url": "/pay", "headers": [["Authorization", "{{secret:1}}"]] },
          "response": { "status": 200, "body": { "text": "paid" } } } ] }
        """, to: cassette)
      let recorder = try RunningServer(
        ["record", "--missing", "--upstream", origin.url, "--cassette", cassette, "--port", "0"])
      let answer = try WireClient.get("/pay", port: try #require(recorder.port))
      #expect(answer.hasSuffix("paid") && answer.contains("Mockserver-Approximate: credentials\r\n"))
      recorder.signal(SIGTERM)
      let end = recorder.end()
      #expect(end.error.contains("1 request, 0 misses, 1 approximate"), "\(end.error)")
      #expect(end.error.contains("GET /pay (\"pay\"): differs in credentials"), "\(end.error)")
    }
  }
}
