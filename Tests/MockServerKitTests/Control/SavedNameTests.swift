import Cassettes
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// File names that a caller of `/__mock/` chooses.
@Suite struct SavedNameTests {
  @Test(arguments: [
    ".hidden", "-x", "--help", "..", ".", "a\\nb", "a b", "a\\tb", "../a", "/a", "a/../b", "a//b", "a\\u0000b", "a;b",
    "$(a)",
    "`a`", "a'b", "a\\\"b", "*", "a\\\\b", "a\\u202eb", "a\\u200db", "a\\u3164b", "a/.b", "a/-b", ".git/config", "~a",
    "a:b",
    "a\\rb", "a\\u001bb",
  ])
  func `an unusual or unsafe file name is refused, and no file is written`(name: String) throws {
    let served = try Served(.platform, ["test.json": Served.cassette([Served.recording("GET /a", "a")])])
    let id = try served.stub("/b", "b")
    for call in ["interactions/save", "interactions/\(id)/save"] {
      let refused = try served.steer("POST \(call)", "{\"cassette\":\"\(name)\"}")
      #expect(refused.status == 400 && refused.text.contains("name"), "\(refused.text)")
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: served.folder).sorted() == ["test.json"])
  }

  @Test(arguments: ["users", "users.json", "Users-2_b.v1", "9", "_a", "Büro", "e\u{301}tat", "日本"])
  func `an ordinary file name creates a cassette`(name: String) throws {
    let served = try Served(.platform, ["test.json": Served.cassette([Served.recording("GET /a", "a")])])
    try served.stub("/b", "b")
    #expect(try served.steer("POST interactions/save", "{\"cassette\":\"\(name)\"}").status == 200)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: served.folder).count == 2)
  }

  @Test func `a name of more than 200 bytes is refused with the limit`() throws {
    #expect(TypedFileName.problem(withPath: String(repeating: "a", count: 200)) == nil)
    #expect(TypedFileName.problem(withPath: String(repeating: "a", count: 201)) == "a name must have at most 200 bytes")
  }

  @Test(arguments: [
    ("recording", "recording"), ("-x", "x"), ("--help", "help"), (".hidden", "recordings.hidden"), ("..", "recordings"),
    ("-", "recordings"), ("a b\n", "a-b-"), ("a\u{202e}b", "a-b"), ("Büro", "Büro"), ("", "recordings"),
  ])
  func `the name of an imported file is changed to a valid file name`(text: String, name: String) {
    #expect(TypedFileName.name(of: text) == name)
  }
}
