import CassetteHTTP
import CassetteRecording
import CassetteSecrets
import TestSupport
import Testing

@testable import Cassettes

@Suite struct NoteTests {
  private static let text = """
    {
      "cassette": 1,
      "note": "Recorded on the staging server.",
      "match": {
        "note": "Each request has another time.",
        "query": {
          "t": "ignore"
        }
      },
      "interactions": [
        {
          "id": "get-a",
          "note": "The only answer \\"without\\" pages.",
          "request": {
            "method": "GET",
            "url": "/a"
          },
          "response": {
            "status": 200
          },
          "match": {
            "note": "Any name will do.",
            "path": "/{name}"
          }
        }
      ]
    }

    """

  @Test func `notes are written unchanged, also for a changed interaction`() throws {
    var cassette = try CassetteFile.read(bytes: Array(Self.text.utf8), name: "notes", file: nil)
    #expect(cassette.note == "Recorded on the staging server.")
    #expect(cassette.match.note == "Each request has another time.")
    #expect(cassette.interactions[0].note == "The only answer \"without\" pages.")
    #expect(cassette.interactions[0].match.note == "Any name will do.")
    #expect(String(decoding: try CassetteFile.bytes(of: cassette), as: UTF8.self) == Self.text)
    cassette.interactions[0].method = .post
    #expect(
      String(decoding: try CassetteFile.bytes(of: cassette), as: UTF8.self)
        == Self.text.replacing("\"GET\"", with: "\"POST\""))
  }

  @Test func `a token in a note is found by the scanner`() throws {
    let token = "ghp_" + String(repeating: "a1B2", count: 9)
    var cassette = try CassetteFile.read(bytes: Array(Self.text.utf8), name: "notes", file: nil)
    (cassette.interactions[0].note, cassette.interactions[0].match.note) = ("with \(token)", "or \(token)")
    #expect(try SecretScanner().findings(in: cassette.interactions[0]).map(\.part) == ["note", "match"])
  }

  @Test func `a note that is not a string is an error, and a misspelled key is suggested`() {
    for (wrong, problem) in [
      ("\"note\": 1", "\"note\" must be a string"), ("\"nota\": \"\"", "did you mean \"note\"?"),
    ] {
      let text = Self.text.replacing("\"note\": \"Recorded on the staging server.\"", with: wrong)
      let problems = CassetteFile.problems(bytes: Array(text.utf8), name: "notes", file: nil)
      #expect(problems.map(\.line) == [3] && problems.first?.description.contains(problem) == true)
    }
  }
}
