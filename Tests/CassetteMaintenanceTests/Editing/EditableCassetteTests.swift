import CassetteHTTP
import CassetteMatching
import CassettePlayback
import Cassettes
import Testing

@testable import CassetteMaintenance

/// Edits of a cassette's text, which must leave all other bytes unchanged.
@Suite struct EditableCassetteTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    /// The ignored parts, as named by `differs`.
    var parts: [String]
    var after: String
    var testDescription: String { name }
  }

  /// Returns a cassette laid out by the writer, with `more` after the first response.
  private static func canonical(_ more: String = "") -> String {
    """
    {
      "cassette": 1,
      "interactions": [
        {
          "id": "get-a",
          "request": {
            "method": "GET",
            "url": "/a?page=1"
          },
          "response": {
            "status": 200
          }\(more)
        },
        {
          "id": "get-b",
          "request": {
            "method": "GET",
            "url": "/b"
          },
          "response": {
            "status": 204
          }
        }
      ]
    }

    """
  }

  private static let cases = [
    Case(
      name: "rules are written after the response in the writer's layout", before: canonical(), parts: ["query.page"],
      after: canonical(
        ",\n      \"match\": {\n        \"query\": {\n          \"page\": \"ignore\"\n        }\n      }")),
    Case(
      name: "ignored places of a body are written as a list on one line", before: canonical(),
      parts: ["body.$.at", "body.$.id"],
      after: canonical(
        ",\n      \"match\": {\n        \"body\": {\n          \"ignore\": [\"$.at\", \"$.id\"]\n        }\n      }")
    ),
    Case(
      name: "an existing list is extended",
      before: canonical(
        ",\n      \"match\": {\n        \"body\": {\n          \"ignore\": [\"$.at\"]\n        }\n      }"),
      parts: ["body.$.at", "body.$.id"],
      after: canonical(
        ",\n      \"match\": {\n        \"body\": {\n          \"ignore\": [\"$.at\", \"$.id\"]\n        }\n      }")
    ),
    Case(
      name: "existing rules keep their layout",
      before: canonical(",\n      \"match\": { \"query\": { \"size\": { \"matches\": \"[0-9]+\" } } }"),
      parts: ["query.page"],
      after: canonical(
        ",\n      \"match\": { \"query\": { \"size\": { \"matches\": \"[0-9]+\" }, \"page\": \"ignore\" } }")),
    Case(
      name: "members after the rules keep their place",
      before: canonical(",\n      \"replay\": { \"repeat\": \"once\" }"),
      parts: ["query.page"],
      after: canonical(
        ",\n      \"match\": {\n        \"query\": {\n          \"page\": \"ignore\"\n        }\n      },"
          + "\n      \"replay\": { \"repeat\": \"once\" }")),
    Case(
      name: "a file on one line stays on one line",
      before: #"{"cassette":1,"interactions":[{"request":{"method":"GET","url":"/a"},"response":{"status":200}}]}"#,
      parts: ["query.page"],
      after:
        #"{"cassette":1,"interactions":[{"request":{"method":"GET","url":"/a"},"response":{"status":200}, "#
        + #""match": {"query": {"page": "ignore"}}}]}"#),
    Case(
      name: "indentation with tabs is kept",
      before:
        "{\"cassette\":1,\"interactions\":[\n\t{\n\t\t\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\n\t\t\"response\":"
        + "{\"status\":200}\n\t}\n]}\n",
      parts: ["query.page"],
      after:
        "{\"cassette\":1,\"interactions\":[\n\t{\n\t\t\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\n\t\t\"response\":"
        + "{\"status\":200},\n\t\t\"match\": {\n\t\t  \"query\": {\n\t\t    \"page\": \"ignore\"\n\t\t  }\n\t\t}\n\t}\n]}\n"
    ),
  ]

  @Test(arguments: cases)
  func `an ignored part is written as a rule, and every other byte is unchanged`(one: Case) throws {
    let text = try EditableCassette(path: "a.json", Array(one.before.utf8))
    let mismatches = one.parts.map { Mismatch(part: $0, sent: "1", recorded: "2") }
    let edit = try text.adding(try #require(RemedyRule.leavingOut(mismatches)), to: 0)
    #expect(String(decoding: edit.after, as: UTF8.self) == one.after)
    #expect(edit.before == Array(one.before.utf8))
    #expect(edit.undone?.after == edit.before)
  }

  @Test func `the segments in which two paths differ become placeholders`() throws {
    let mismatch = Mismatch(part: "path", sent: "/users/8/posts/2", recorded: "/users/7/posts/1")
    let rules = try #require(RemedyRule.leavingOut([mismatch]))
    #expect(rules.path == MatchRules.path("/users/{id}/posts/{id2}"))
    #expect(RemedyRule.leavingOut([Mismatch(part: "path", sent: "/a/b", recorded: "/a")]) == nil)
    // `/{id}` would also match all other paths of one segment.
    #expect(RemedyRule.leavingOut([Mismatch(part: "path", sent: "/a", recorded: "/b")]) == nil)
    let ids = ("/4f9d2c1e8b7a4f0d", "/9c8b7a6f5e4d3c2b")
    #expect(RemedyRule.leavingOut([Mismatch(part: "path", sent: ids.0, recorded: ids.1)]) != nil)
    #expect(RemedyRule.leavingOut([Mismatch(part: "method", sent: "PUT", recorded: "GET")]) == nil)
  }

  private static let added = Interaction(
    id: "post-c", method: .post, url: "/c", requestBody: .storing(Array("{\"a\":1}".utf8)),
    outcome: .response(RecordedResponse(status: 201)))

  @Test(arguments: [
    ("{\n  \"cassette\": 1,\n  \"interactions\": []\n}\n", Int?.none),
    (canonical(), nil), (canonical(), 0), (canonical(), 1),
    (#"{"cassette":1,"interactions":[{"request":{"method":"GET","url":"/a"},"response":{"status":200}}]}"#, 0),
  ])
  func `a recording is added at its position, and the surrounding text is unchanged`(before: String, behind: Int?)
    throws
  {
    let text = try EditableCassette(path: "a.json", Array(before.utf8))
    let edit = try text.adding(Self.added, behind: behind)
    let after = try EditableCassette(path: "a.json", edit.after).cassette
    #expect(after.interactions.count == text.cassette.interactions.count + 1)
    #expect(after.interactions.firstIndex { $0.id == "post-c" } == (behind ?? text.cassette.interactions.count - 1) + 1)
    // A file in the writer's layout keeps this layout with the new recording.
    if before == (try? String(decoding: CassetteFile.bytes(of: text.cassette), as: UTF8.self)) {
      #expect(edit.after == (try CassetteFile.bytes(of: after)))
    }
    let removed = edit.diff.split(separator: "\n").dropFirst(2).count { $0.hasPrefix("-") }
    // After the last recording only its own line changes, by a comma.
    #expect(removed <= (behind == 0 && before.contains("\n  ") ? 0 : 1))
  }

  @Test func `a diff has one hunk with three lines of context`() throws {
    let text = try EditableCassette(path: "cassettes/a.json", Array(Self.canonical().utf8))
    let rules = try #require(RemedyRule.leavingOut([Mismatch(part: "body", sent: "1", recorded: "2")]))
    #expect(
      try text.adding(rules, to: 0).diff == """
        --- cassettes/a.json
        +++ cassettes/a.json
        @@ -9,6 +9,9 @@
               },
               "response": {
                 "status": 200
        +      },
        +      "match": {
        +        "body": "ignore"
               }
             },
             {

        """)
  }

  @Test func `adding a recording to a missing file creates the file`() throws {
    let edit = try EditableCassette(path: "new.json", nil).adding(Self.added)
    #expect(edit.before == nil && edit.diff.hasPrefix("--- /dev/null\n+++ new.json\n@@ -0,0 +1,"))
    #expect(try EditableCassette(path: "new.json", edit.after).cassette.interactions.count == 1)
  }

  @Test func `editing a cassette with a byte order mark throws an error`() throws {
    let text = try EditableCassette(path: "a.json", [0xef, 0xbb, 0xbf] + Array(Self.canonical().utf8))
    #expect(throws: CassetteError.self) { try text.adding(Self.added) }
  }
}
