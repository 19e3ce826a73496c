import CassetteFormats
import CassetteJSON
import Cassettes
import TestSupport
import Testing

@Suite struct JSONFeedTests {
  /// Reads the value that a file begins with.
  private func value(_ text: String) throws -> JSONValue? {
    let folder = try ScratchFolder()
    try folder.write(text, to: "a.json")
    return try JSONFeed(path: folder.path("a.json")).value()
  }

  @Test(arguments: ["", " ", "\n\t ", "\u{feff}", String(repeating: " ", count: 300_000)])
  func `a value that the end of its file ends is read, whatever stands before it`(_ space: String) throws {
    for (text, expected) in [("12", "12"), ("true", "true"), ("\"a\"", "\"a\""), ("[1]", "[1]")] {
      let read = try #require(try value(space + text))
      #expect(String(decoding: read.bytes, as: UTF8.self) == expected)
    }
  }

  @Test(arguments: [" hello", "\nselect", "  {\"a\": 1", " [", " \"a"])
  func `what is no JSON is told, also where the file ends in it`(_ text: String) throws {
    #expect(throws: CassetteError.self) { try value(text) }
  }
}
