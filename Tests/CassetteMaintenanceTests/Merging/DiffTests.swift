import TestSupport
import Testing

@testable import CassetteMaintenance

struct `Cassette differences` {
  private static let old = """
    { "cassette": 1, "origin": "https://a.test", "interactions": [
      { "id": "a", "request": { "method": "GET", "url": "/a" },
        "response": { "status": 200, "headers": [["Server", "x"]], "body": { "json": { "n": 1 } } },
        "recorded": { "at": "2026-01-05T10:00:00Z" } },
      { "id": "b", "request": { "method": "GET", "url": "/b" }, "response": { "status": 200 } },
      { "id": "t", "request": { "method": "GET", "url": "/t" }, "response": { "status": 200, "body": { "text": "x\\ny" } } } ] }
    """

  @Test func `each difference has its place, and recording times are ignored`() throws {
    let new = Self.old.replacing("\"n\": 1", with: "\"n\": 2").replacing(
      "[\"Server\", \"x\"]", with: "[\"server\", \"y\"]"
    )
    .replacing("2026-01-05", with: "2026-02-05").replacing("/b\"", with: "/c\"").replacing("\"b\"", with: "\"c\"")
    .replacing("https://a.test", with: "https://b.test")
    let diff = try CassetteDiff(from: Array(Self.old.utf8), to: Array(new.utf8), names: ("x (old)", "x (new)"))
    #expect(
      diff.text == """
        ~ origin: "https://a.test" → "https://b.test"
        - GET /b  200  ("b")
        ~ GET /a  200  ("a")
            response server: x → y
            response body $.n: 1 → 2
        + GET /c  200  ("c")

        """)
  }

  @Test func `a secret in a body is masked`() throws {
    let old = Self.old.replacing(
      "\"n\": 1", with: "\"password\": \"Zk8vQ2xTw9Lm4s\", \"note\": \"token: Zk8vQ2xTw9Lm4s\"")
    let new = old.replacing("Zk8vQ2xTw9Lm4s", with: "Pa3sW0rdTw9Lm4s")
    let diff = try CassetteDiff(from: Array(old.utf8), to: Array(new.utf8), names: ("x (old)", "x (new)"))
    #expect(diff.text.contains("$.password") && diff.text.contains("$.note"))
    #expect(!diff.text.contains("Tw9Lm4s"), "\(diff.text)")
  }

  @Test func `a changed order of recordings of the same request is a difference`() throws {
    let recordings = ["b", "a"].map {
      #"{ "id": "\#($0)", "request": { "method": "GET", "url": "/a" }, "response": { "status": 200 } }"#
    }
    let versions = [recordings, recordings.reversed()].map {
      Array(#"{ "cassette": 1, "interactions": [\#($0.joined(separator: ","))] }"#.utf8)
    }
    let diff = try CassetteDiff(from: versions[0], to: versions[1], names: ("x (old)", "x (new)"))
    #expect(diff.text == "~ GET /a  200  (\"b\")\n    order: now after \"a\"\n")
    // The order of recordings of different requests is not significant.
    let apart = versions.map { version in
      let text = String(decoding: version, as: UTF8.self)
      return Array(text.replacing(#""b", "request": { "method": "G"#, with: #""b", "request": { "method": "F"#).utf8)
    }
    #expect(try CassetteDiff(from: apart[0], to: apart[1], names: ("x (old)", "x (new)")).isEmpty)
  }

  @Test func `pauses of a stream and recorded times are differences only if times are compared`() throws {
    func stream(_ pause: String, _ last: String = "b", _ at: String = "2026-01-05T10:00:00Z") -> [UInt8] {
      let chunks = #"[{"text": "a"}, {"after": \#(pause), "text": "\#(last)"}]"#
      return Array(
        (#"{"cassette": 1, "interactions": [{"id": "s", "request": {"method": "GET", "url": "/s"}, "#
          + #""response": {"status": 200, "body": {"chunks": \#(chunks)}}, "recorded": {"at": "\#(at)"}}]}"#).utf8)
    }
    let new = stream("0.2", "b", "2026-02-05T10:00:00Z")
    #expect(try CassetteDiff(from: stream("0.1"), to: new, names: ("x (old)", "x (new)")).isEmpty)
    let timed = try CassetteDiff(from: stream("0.1"), to: new, names: ("x (old)", "x (new)"), times: true)
    #expect(timed.text.contains("response.body.chunks[1].after: 0.1 → 0.2"), "\(timed.text)")
    #expect(timed.text.contains("recorded.at: "))
    let changed = try CassetteDiff(from: stream("0.1"), to: stream("0.2", "c"), names: ("x (old)", "x (new)"))
    #expect(changed.text.contains("chunks[1].text") && !changed.text.contains("after"), "\(changed.text)")
  }

  @Test func `body files are compared by content, not by name`() throws {
    let folder = try ScratchFolder()
    func cassette(_ name: String, _ file: String, _ content: String) throws -> (bytes: [UInt8], path: String) {
      try folder.makeFolder(name)
      try folder.write(content, to: "\(name)/\(file)")
      let text =
        #"{"cassette": 1, "interactions": [{"id": "a", "request": {"method": "POST", "url": "/a", "#
        + #""body": {"file": "\#(file)"}}, "response": {"status": 200, "body": {"file": "\#(file)"}}}]}"#
      try folder.write(text, to: "\(name)/c.json")
      return (Array(text.utf8), folder.path("\(name)/c.json"))
    }
    let old = try cassette("old", "a.txt", "one")
    for (file, content, difference) in [
      ("b.txt", "one", ""), ("a.txt", "three", "response body: 3 bytes → 5 bytes"),
      ("a.txt", "two", "response body: 3 bytes → another content of the same size"),
    ] {
      let new = try cassette("new", file, content)
      let diff = try CassetteDiff(from: old.bytes, to: new.bytes, names: (old.path, new.path))
      #expect(diff.isEmpty == difference.isEmpty && diff.text.contains(difference), "\(diff.text)")
    }
  }

  @Test func `a different layout is not a difference`() throws {
    let diff = try CassetteDiff(
      from: Array(Self.old.utf8), to: Array(Self.old.replacing(" ", with: "\n ").utf8), names: ("x (old)", "x (new)"))
    #expect(diff.isEmpty)
  }

  @Test func `the text for git has a heading per interaction and bodies with their line breaks`() throws {
    let lines = try CassetteLines.text(of: Array(Self.old.utf8), name: "x")
    #expect(lines.contains("\n# GET /a → 200  (\"a\")\n"))
    #expect(lines.hasSuffix("response body:\n  x\n  y\n"))
    #expect(!lines.contains("2026-01-05"))
  }

  @Test func `removing a recording leaves the other text unchanged`() throws {
    var text = try CassetteText(Array(Self.old.utf8), name: "x")
    text.remove(["b"])
    let expected = Self.old.replacing(
      "\n  { \"id\": \"b\", \"request\": { \"method\": \"GET\", \"url\": \"/b\" }, \"response\": { \"status\": 200 } },",
      with: "")
    #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
  }
}
