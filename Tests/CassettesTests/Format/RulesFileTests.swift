import CassetteHTTP
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

@testable import CassetteMaintenance
@testable import CassetteRecording

/// The members `match` and `replay` of a cassette.
@Suite struct RulesFileTests {
  private func first(_ more: String) -> String? {
    problems(cassette(more: more)).first.map { String($0.dropFirst("test.json:".count)) }
  }

  @Test(arguments: [
    (#""match":{"pth":"/a"}"#, "4:10: unknown key \"pth\", did you mean \"path\"?"),
    (
      #""match":{"path":"a"}"#,
      "4:17: \"path\" must be a path such as \"/users/{name}\", without a query, or an object of conditions"
    ),
    (
      #""match":{"path":"/a?b"}"#,
      "4:17: \"path\" must be a path such as \"/users/{name}\", without a query, or an object of conditions"
    ),
    (#""match":{"path":{}}"#, "4:17: \"path\" has no condition: write \"ignore\" to accept any value"),
    (
      #""match":{"path":{"matches":"/a("}}"#,
      "4:28: error in the pattern at character 3: the group is not closed: \")\" is missing"
    ),
    (#""match":{"query":{"q":{"matchs":"a"}}}"#, "4:24: unknown key \"matchs\", did you mean \"matches\"?"),
    (
      #""match":{"query":{"q":{"equalsIgnoringcase":"a"}}}"#,
      "4:24: unknown key \"equalsIgnoringcase\", did you mean \"equalsIgnoringCase\"?"
    ),
    (
      #""match":{"query":{"page":2}}"#,
      "4:26: \"page\" must be a string, or an object such as { \"matches\": \"…\" }, write \"2\""
    ),
    (#""match":{"query":{"a":"1","a":"2"}}"#, "4:27: \"a\" occurs twice"),
    (
      #""match":{"query":{"a":{"absent":true,"equals":"1"}}}"#,
      "4:23: \"absent\" cannot be combined with other conditions"
    ),
    (#""match":{"query":{"a":{"absent":1}}}"#, "4:33: \"absent\" must be true or false"),
    (
      #""match":{"headers":{"A B":"1"}}"#,
      "4:21: a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\""
    ),
    (#""match":{"method":["GET","ANY"]}"#, "4:19: \"ANY\" cannot be combined with other methods"),
    (#""match":{"method":[]}"#, "4:19: \"method\" is an empty list: write \"ANY\" for all methods"),
    (
      #""match":{"method":"G T"}"#,
      "4:19: \"method\" must be a method such as \"GET\", a list of them, or \"ANY\""
    ),
    (
      #""match":{"body":{"ignore":["$.a"],"contains":"b"}}"#,
      "4:17: \"ignore\", \"extra\" and \"order\" without \"json\" cannot be combined with other conditions"
    ),
    (#""match":{"origin":"any"}"#, "4:19: \"origin\" must be \"ignore\", or omitted"),
    (
      #""match":{"recordedHeaders":["X Y"]}"#,
      "4:29: a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\""
    ),
    (
      #""match":{"body":{"json":{},"ignore":["a"]}}"#,
      "4:38: \"a\" is not a path such as \"$.items[*].id\": a path begins with \"$\" at character 1"
    ),
    (#""match":{"body":{"json":{},"extra":true}}"#, "4:36: \"extra\" must be a string"),
    (#""match":{"body":{"json":{},"order":"any"}}"#, "4:36: \"order\" must be \"ignore\", or omitted"),
    (
      #""match":{"body":{"values":{"a":"1"}}}"#,
      "4:28: \"a\" is not a path such as \"$.items[*].id\": a path begins with \"$\" at character 1"
    ),
    (#""match":{"body":{"base64":"A"}}"#, "4:27: \"base64\" is not base64 (RFC 4648 §4)"),
    (#""match":{"body":{}}"#, "4:17: \"body\" has no condition: write \"ignore\" to accept any body"),
    (#""match":{"body":"x"}"#, "4:17: \"body\" must be \"ignore\" or an object, write {\"equals\": \"…\"}"),
    (
      #""match":{"url":"/a","path":"/a"}"#,
      "4:9: \"url\" includes the path and the query: write either \"url\", or \"path\" and \"query\""
    ),
    (#""match":{"priority":1.5}"#, "4:21: \"priority\" must be a whole number: the greater comes first"),
    (
      #""replay":{"delay":"recordd"}"#,
      "4:19: \"delay\" must be a number of seconds, \"recorded\", \"fitted\", \"20ms..80ms\" or \"80ms~0.4\", did you mean \"recorded\"?"
    ),
    (#""replay":{"delay":-1}"#, "4:19: \"delay\" must be a number of seconds, zero or more"),
    (#""replay":{"delay":86401}"#, "4:19: \"delay\" must be at most 86400 seconds"),
    (
      #""replay":{"fault":"rset"}"#,
      "4:19: \"fault\" must be one of \"reset\", \"empty\", \"malformed\", \"timeout\", \"truncate\", \"stall\", \"badChunk\", \"garbage\", \"never\", did you mean \"reset\"?"
    ),
    (#""replay":{"when":{"cart":1}}"#, "4:26: the state of \"cart\" must be a string"),
    (#""replay":{"then":"full"}"#, "4:18: \"then\" must be an object"),
    (#""replay":{"whn":{}}"#, "4:11: unknown key \"whn\", did you mean \"when\"?"),
  ])
  func `an error in a rule is reported with line and column`(_ more: String, _ message: String) {
    #expect(first(more) == message)
  }

  @Test func `rules have one canonical notation, which is read back`() throws {
    let written = """
            "match": {
              "method": ["GET", "HEAD"],
              "path": "/users/{name}/repos",
              "query": {
                "page": "2",
                "_": "ignore",
                "q": { "matches": "sw.+", "doesNotContain": "x" },
                "two": [
                  { "contains": "a" },
                  { "contains": "b" }
                ],
                "word": { "equals": "ignore" },
                "no": { "absent": true },
                "*": "ignore"
              },
              "headers": {
                "Accept": { "contains": "json" }
              },
              "cookies": {
                "a": "1"
              },
              "body": [
                { "contains": "Hi" },
                {
                  "json": {
                    "title": "Hi",
                    "price": 1.0
                  },
                  "ignore": ["$.sentAt", "$.items[*].id"],
                  "extra": "ignore",
                  "order": "ignore"
                },
                {
                  "values": {
                    "$.a.b": { "absent": false }
                  }
                },
                {
                  "form": {
                    "a": "1"
                  }
                },
                { "base64": "AP8=" }
              ],
              "priority": 10
            },
            "replay": {
              "repeat": "loop",
              "delay": 0.25,
              "fault": "reset",
              "when": { "cart": "empty", "user": "in" },
              "then": { "cart": "one item" }
            }
      """
    let made = try read(cassette(more: written))
    let whole = try text(of: made)
    #expect(whole.contains(written), "\(whole)")
    let again = try text(of: read(whole))
    #expect(again == whole)
    for one in [#""replay": { "delay": "recorded" }"#, #""body": "ignore""#, #""path": { "matches": "/a" }"#] {
      let more = one.hasPrefix("\"replay") ? one : "\"match\": { \(one) }"
      let written = try text(of: read(cassette(more: more)))
      #expect(written.contains(one), "\(written)")
    }
  }

  @Test(arguments: 0..<10) func `random rules are read back unchanged`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    for _ in 0..<30 {
      var interaction = Interaction(
        id: "a", method: .get, url: "/a", outcome: .response(RecordedResponse(status: 200)))
      interaction.match = RandomRules.match(&random)
      interaction.replay = RandomRules.replay(&random)
      let bytes = try CassetteFile.bytes(of: Cassette(name: "test", interactions: [interaction]))
      let read = try CassetteFile.read(bytes: bytes, name: "test", file: nil)
      #expect(read.interactions[0].match == interaction.match, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(read.interactions[0].replay == interaction.replay)
      #expect(try CassetteFile.bytes(of: read) == bytes)
    }
  }

  @Test func `a recording that is recorded again keeps its handwritten rules`() throws {
    let before = try read(
      cassette(
        request: #"{"method":"GET","url":"https://a.example/a"}"#,
        more: #""match":{"path":"/{any}"},"replay":{"delay":1}"#))
    let recording = Recording(into: before, redaction: .standard)
    let target = try #require(HTTPTarget("/a"))
    let token = recording.begin(HTTPRequest(method: .get, target: target), origin: "https://a.example")
    recording.finish(token, RecordedResponse(status: 404))
    let after = try recording.merged().cassette.interactions[0]
    #expect(after.status == 404)
    #expect(after.match == before.interactions[0].match && !after.match.isEmpty)
    #expect(after.replay == before.interactions[0].replay && !after.replay.isEmpty)
  }

  @Test func `a request that matches the rules of a recording updates that recording`() throws {
    let before = try read(
      cassette(
        request: #"{"method":"GET","url":"https://a.example/users/kean?page=1"}"#,
        more: #""match":{"path":"/users/{name}","query":{"page":"ignore"}}"#))
    func recorded(_ status: HTTPStatus) throws -> (cassette: Cassette, changes: Recording.Changes) {
      let recording = Recording(into: before, redaction: .standard)
      for path in ["/users/bob?page=2", "/teams/x"] {
        let token = recording.begin(
          HTTPRequest(method: .get, target: try #require(HTTPTarget(path))), origin: "https://a.example")
        recording.finish(token, RecordedResponse(status: status))
      }
      return try recording.merged()
    }
    let same = try recorded(200)
    #expect(same.changes.unchanged == 1 && same.changes.changed.isEmpty && same.changes.added.count == 1)
    let other = try recorded(404)
    #expect(other.changes.changed == ["get-users-kean"])
    let first = other.cassette.interactions[0]
    #expect(first.url == "https://a.example/users/kean?page=1" && first.status == 404)
    #expect(first.match == before.interactions[0].match)
  }

  @Test func `check warns of a required state that no rule sets`() throws {
    let folder = try ScratchFolder()
    let text = cassette(more: #""replay":{"when":{"cart":"ful"},"then":{"cart":"full"}}"#)
    try folder.write(text, to: "a.json")
    let warnings = CassetteLibrary.check([folder.path]).map(\.description)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix(
        "a.json:2:1: warning: it requires \"cart\" to be \"ful\", but no \"then\" sets that state: a scenario begins in "
          + "\"Started\", did you mean \"full\"?") == true, "\(warnings)")
  }
}
