import CassetteHTTP
import CassetteMaintenance
import CassetteRecording
internal import CassetteSecrets
import CassetteSystem
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import MockServerConsole
@testable import mockserver

/// The options, requests and messages of `verify`.
struct VerifyTests {
  private func settings(_ words: String, _ variables: [String: String] = [:]) throws -> VerifySettings {
    guard case .run(let invocation) = try Intent(["verify"] + words.split(separator: " ").map(String.init)) else {
      throw CommandError(.usage, "not a command to run")
    }
    return try VerifySettings(invocation) { variables[$0] }
  }

  @Test func `options of verify are parsed into settings`() throws {
    let settings = try settings(
      "--live a.json --secret 1 --secret 2=x=y --method post --id a --id b --origin HTTP://B.test/ --also https://c.test:443 "
        + "--pause 0.5 --timeout 3 --json --ignore $.a --redact header:X-A", ["MOCKSERVER_SECRET_1": "one"])
    #expect(settings.choice.secrets == [1: "one", 2: "x=y"])
    #expect(settings.choice.methods == ["POST"])
    #expect(settings.choice.ids == ["a", "b"])
    #expect(settings.choice.origin == "http://b.test")
    #expect(settings.choice.others == ["https://c.test"])
    #expect(settings.pause == 0.5)
    #expect(settings.silence == 3)
    #expect(settings.printsJSON)
    #expect(!settings.accepts)
    #expect(settings.redaction == .redacting(.header("X-A")))
  }

  @Test(arguments: [
    ("a.json", "needs --live", "mockserver check a.json"),
    ("--live --secret x", "number of a secret", "--secret 1"),
    ("--live --secret 1", "--secret 1 has no value", "MOCKSERVER_SECRET_1="),
    ("--live --secret 1=", "--secret 1 has no value", "MOCKSERVER_SECRET_1="),
    ("--live --secret 0=hush", "number of a secret", "--secret 1"),
    ("--live --accept --origin http://b.test", "not of --origin", "mockserver record --upstream"),
    ("--live --origin b.test", "type https://b.test", "help verify"), ("--live --also b", "--also", "help verify"),
    ("--live --ignore a.b", "--ignore must be a path", "help verify"),
    ("--live --secret 1=hu\u{1}sh", "line break", "help verify"),
  ])
  func `an invalid option of verify is refused with a hint, without its secret`(
    words: String, message: String, hint: String
  ) {
    let error = #expect(throws: CommandError.self) { try settings(words) }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
    #expect(error?.text(.plain).contains("hush") == false)
  }

  @Test func `a secret in a message of verify is replaced by its alias`() throws {
    let settings = try settings(
      #"--live a.json --secret 1=very-secret --secret 2=very-secret-too --secret 3=a"b\c --secret 4=x"#)
    #expect(settings.hiding("$.very-secret: is new, x") == "$.{{secret:1}}: is new, x")
    #expect(settings.hiding("is very-secret-too") == "is {{secret:2}}")
    #expect(settings.hiding(#"{"path":"$.a\"b\\c"} a"b\c"#) == #"{"path":"$.{{secret:3}}"} {{secret:3}}"#)
  }

  @Test func `the summary states that no request was sent`() {
    let interaction = Interaction(method: .post, url: "/a", outcome: .response(RecordedResponse(status: 200)))
    var report = VerifyReport()
    #expect(report.summary == "mockserver: no request was sent; 0 recordings skipped\n")
    report.append([VerifyReport.Row(Cassette(name: "a", interactions: [interaction]), [0])])
    #expect(report.summary == "mockserver: no request was sent; 1 recording skipped\n")
    #expect(report.exitCode == .success)
  }

  private static let secret = "very-9-secret-value"

  /// Returns the response of an origin that is unchanged or has changed since the recording.
  private static func answer(_ request: LoopbackOrigin.Request, isNew: Bool) -> [LoopbackOrigin.Step] {
    func say(_ json: String, _ status: String = "200 OK") -> [LoopbackOrigin.Step] {
      [
        .text(
          "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nConnection: close\r\n"
            + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
      ]
    }
    switch (request.target, isNew) {
    case ("/user", false): return say(#"{"login":"octocat","id":1}"#)
    case ("/user", true): return say(#"{"id":2,"more":"\#(request.value(of: "Authorization") ?? "")"}"#)
    case ("/same", _): return say(#"{"n":\#(isNew ? 2 : 1)}"#)
    case ("/private", _):
      let isKnown = request.value(of: "Authorization") == "Bearer \(secret)"
      return isKnown ? say("{}") : say("{}", "401 Unauthorized")
    default: return say("{}", "404 Not Found")
    }
  }

  private static func cassette(origin: String) -> String {
    func recording(_ method: String, _ path: String, _ json: String, _ headers: String = "") -> String {
      #"""
      {"request": {"method": "\#(method)", "url": "\#(path)"\#(headers)}, "response": {"status": 200,
       "headers": [["Content-Type", "application/json"]], "body": {"json": \#(json)}}}
      """#
    }
    let token = #", "headers": [["Authorization", "Bearer {{secret:1}}"]]"#
    let list = [
      recording("GET", "/user", #"{"login": "octocat", "id": 1}"#, token), recording("GET", "/same", #"{"n": 1}"#),
      recording("POST", "/same", "{}"), recording("GET", "/private", "{}", token),
    ]
    return #"{"cassette": 1, "origin": "\#(origin)", "interactions": [\#(list.joined(separator: ","))]}"#
  }

  private struct Verified {
    var result: ChildProcess.Result
    var asked: [String]
    var file: String
  }

  /// Runs the command against an origin of this test.
  private func verify(
    _ arguments: [String], isNew: Bool = false, hasSecret: Bool = true, runs: Int = 1
  ) throws -> Verified {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { Self.answer($0, isNew: isNew) }
      let path = "\(folder)/a.json"
      try Data(Self.cassette(origin: origin.url).utf8).write(to: URL(fileURLWithPath: path))
      var variables = ProcessInfo.processInfo.environment
      variables["MOCKSERVER_SECRET_1"] = hasSecret ? Self.secret : nil
      var result: ChildProcess.Result?
      for _ in 0..<runs {
        result = try Executable.run(["verify", "--live", path] + arguments, environment: variables)
      }
      let file = try String(contentsOfFile: path, encoding: .utf8)
      for text in [result?.output, result?.error, file] { #expect(text?.contains(Self.secret) == false) }
      return Verified(
        result: try #require(result), asked: origin.requests.map { "\($0.method) \($0.target)" }, file: file)
    }
  }

  @Test(.enabled(if: Executable.path != nil))
  func `verify --live lists unchanged recordings, and skipped ones with the reason`() throws {
    let verified = try verify(["--secret", "1"])
    #expect(verified.result.status == 0)
    #expect(verified.asked == ["GET /user", "GET /same", "GET /private"])
    #expect(
      verified.result.output == """
        ✓ get-user
        ✓ get-same
        ✓ get-private
        - post-same  POST may change data; to send it anyway, type --method POST

        """)
    #expect(verified.result.error == "mockserver: 3 requests sent: 3 true; 1 recording skipped\n")
  }

  @Test(.enabled(if: Executable.path != nil))
  func `verify --live exits 1 and lists the differences of a changed response`() throws {
    let verified = try verify(["--secret", "1"], isNew: true)
    #expect(verified.result.status == 1)
    #expect(
      verified.result.output.hasPrefix(
        """
        ✗ get-user  $.login: was a string, is gone
                    $.more: is new, a string (information)
        ✓ get-same

        """))
    #expect(try verify(["--secret", "1", "--ignore", "$.login"], isNew: true).result.status == 0)
  }

  @Test(.enabled(if: Executable.path != nil))
  func `a recording without its secret is skipped, and others are requested`()
    throws
  {
    let verified = try verify(["--id", "get-same", "--id", "get-private"], hasSecret: false)
    #expect(verified.result.status == 0)
    #expect(verified.asked == ["GET /same"])
    #expect(verified.result.output.contains("- get-private  needs --secret 1, with the value in MOCKSERVER_SECRET_1"))
  }

  @Test(.enabled(if: Executable.path != nil)) func `--method sends requests of methods that may change data`() throws {
    let verified = try verify(["--method", "POST", "--id", "post-same"])
    #expect(verified.asked == ["POST /same"])
    #expect(verified.result.status == 0)
    #expect(verified.result.output == "✓ post-same  $.n: is new, a number (information)\n")
  }

  @Test(.enabled(if: Executable.path != nil)) func `--json prints the results of verify as JSON`() throws {
    let verified = try verify(["--secret", "1", "--json"], isNew: true)
    #expect(verified.result.status == 1)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(verified.result.output.utf8)) as? [String: Any])
    #expect(report["asked"] as? Int == 3)
    #expect(report["true"] as? Int == 2)
    #expect(report["untrue"] as? Int == 1)
    #expect(report["unanswered"] as? Int == 0)
    #expect(report["skipped"] as? Int == 1)
    let recordings = try #require(report["recordings"] as? [[String: Any]])
    #expect(recordings.map { $0["id"] as? String } == ["get-user", "get-same", "get-private", "post-same"])
    #expect(recordings.map { $0["result"] as? String } == ["untrue", "true", "true", "skipped"])
    let differences = try #require(recordings[0]["differences"] as? [[String: String]])
    #expect(
      differences.first == [
        "severity": "error", "kind": "gone", "path": "$.login", "message": "was a string, is gone",
      ])
    #expect(differences.last?["severity"] == "information")
  }

  @Test(.enabled(if: Executable.path != nil)) func `--accept replaces changed recordings, and leaves others unchanged`()
    throws
  {
    let verified = try verify(["--secret", "1", "--accept"], isNew: true)
    #expect(verified.result.status == 0)
    #expect(verified.result.output.contains("            accepted\n"))
    #expect(verified.result.error.contains("a.json: 1 changed (get-user), 3 unchanged"))
    #expect(!verified.file.contains("octocat"))
    #expect(verified.file.contains(#""more": "Bearer {{secret:1}}""#))
    // A changed value is not a changed shape.
    #expect(verified.file.contains(#""n": 1"#))
    let again = try verify(["--secret", "1", "--accept"], isNew: true, runs: 2)
    #expect(again.result.status == 0)
    #expect(again.result.error == "mockserver: 3 requests sent: 3 true; 1 recording skipped\n")
    #expect(again.file.split(separator: "\n").count == verified.file.split(separator: "\n").count)
  }

  @Test(.enabled(if: Executable.path != nil), arguments: [false, true])
  func `--openapi also checks live responses against the document`(isNew: Bool) throws {
    let document = """
      openapi: 3.1.0
      info: {title: Users, version: "1"}
      paths:
        /user:
          get:
            responses:
              "200":
                description: A user.
                content: {application/json: {schema: {type: object, required: [login], properties: {id: {type: integer}}}}}
        /same: {get: {responses: {"201": {description: none}}}}
        /private: {get: {responses: {"200": {description: all}}}}
      """
    try Scratch.with { folder in
      let path = "\(folder)/api.yaml"
      try Scratch.write(document, to: path)
      let verified = try verify(
        ["--secret", "1", "--openapi", path, "--accept"], isNew: isNew)
      #expect(verified.result.status == (isNew ? 1 : 0))
      #expect(
        verified.result.output.contains(#"response body: "login" is missing (document)"#) == isNew,
        "\(verified.result.output)")
      #expect(verified.result.output.contains("response status: 200 is not documented (document, information)"))
      let json = try verify(["--secret", "1", "--openapi", path, "--json"], isNew: isNew).result.output
      #expect(json.contains(#""contract":"#))
    }
  }

  @Test(.enabled(if: Executable.path != nil)) func `--accept does not replace a recording with an error response`()
    throws
  {
    let verified = try verify(["--secret", "1=wrong-9-value", "--accept", "--id", "get-private"])
    #expect(verified.result.status == 1)
    #expect(verified.result.output.contains("not accepted: a response with status 401 cannot replace the recording"))
    #expect(!verified.file.contains(#""status": 401"#))
  }

  @Test(.enabled(if: Executable.path != nil)) func `verify --live exits 69 if the origin does not respond`() throws {
    // The port of an origin that was stopped.
    let url = try LoopbackOrigin { _ in [] }.url
    let verified = try verify(["--origin", url, "--timeout", "1"])
    #expect(verified.result.status == 69)
    #expect(verified.asked.isEmpty)
    #expect(verified.result.output.contains("? get-same  \(url) did not respond"))
  }

  @Test(.enabled(if: Executable.path != nil)) func `--secret exits 64 for more than one cassette`() throws {
    try Scratch.with { folder in
      for name in ["a", "b"] {
        try Data(Self.cassette(origin: "http://127.0.0.1:1").utf8)
          .write(to: URL(fileURLWithPath: "\(folder)/\(name).json"))
      }
      let result = try Executable.run(["verify", "--live", folder, "--secret", "1=x"])
      #expect(result.status == 64)
      #expect(result.error.contains("--secret requires a single cassette, and there are 2"))
      let unknown = try Executable.run(["verify", "--live", folder, "--id", "get-usr"])
      #expect(unknown.status == 64)
      #expect(unknown.error.contains("Did you mean get-user?"))
    }
  }
}
