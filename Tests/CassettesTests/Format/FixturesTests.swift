import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct FixturesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a fixture is served with its bytes and the media type of its extension`() throws {
    try folder.write("{\"a\":  1}", to: "status.json")
    try folder.write("User-agent: *\n", to: "robots.txt")
    try folder.write("?", to: "LICENSE")
    let content = Fixtures.read(folder.path)
    #expect(content.warnings == [])
    let deck = Exchange.deck([], fixtures: content.fixtures)
    let status = try deck.response(Exchange.request("GET /status"))
    #expect(status.text == "{\"a\":  1}")
    #expect(status.headers["Content-Type"] == "application/json")
    #expect(
      try deck.response(Exchange.request("GET /robots.txt")).headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(try deck.response(Exchange.request("GET /LICENSE")).headers.contains("Content-Type") == false)
  }

  @Test(arguments: [
    ("articles.PSOT.json", "{}", "answers GET /articles.PSOT: PSOT is not a method, did you mean POST?"),
    ("articles.999.json", "{}", "answers GET /articles.999: 999 is not a status from 200 to 599"),
    ("articles.json", "{\n\"a\": }", "is not JSON, and is sent as it is: expected a value"),
    ("README.txt", "", nil), ("jquery.3.7.json", "{}", nil), ("articles.DELETE.204", "", nil),
  ])
  func `a mistake in the name or the JSON of a fixture is a warning`(
    name: String, content: String, warning: String?
  ) throws {
    try folder.write(content, to: name)
    let warnings = Fixtures.read(folder.path).warnings
    #expect(warnings.map(\.message) == (warning.map { [$0] } ?? []))
    if content.contains("\n") { #expect(warnings.first?.line == 2) }
  }

  @Test func `a fixture that is being written keeps its previous content until it is complete`() throws {
    try folder.write("old", to: "a.txt")
    let old = Fixtures.read(folder.path)
    try folder.write("", to: "a.txt")
    #expect(try Exchange.deck([], fixtures: old.fixtures).response(Exchange.request("GET /a")).text == "old")
    // Another process has the file open for writing, and closes it afterwards.
    let torn = Fixtures.read(folder.path, reusing: old.files) { _ in FileActivity(isWritten: true) }
    #expect(torn.isUnsettled)
    #expect(torn.signature == old.signature)
    #expect(try Exchange.deck([], fixtures: torn.fixtures).response(Exchange.request("GET /a")).text == "old")
    try folder.write("new", to: "a.txt")
    let new = Fixtures.read(folder.path, reusing: torn.files) { _ in FileActivity() }
    #expect(!new.isUnsettled)
    #expect(try Exchange.deck([], fixtures: new.fixtures).response(Exchange.request("GET /a")).text == "new")
  }

  @Test func `a fixture that changes while it is read keeps its previous content`() throws {
    try folder.write("old", to: "a.txt")
    let old = Fixtures.read(folder.path)
    try folder.write("newer", to: "a.txt")
    var changes: UInt64 = 0
    let torn = Fixtures.read(folder.path, reusing: old.files) { _ in
      changes += 1
      return FileActivity(changes: changes)
    }
    #expect(torn.isUnsettled)
    #expect(try Exchange.deck([], fixtures: torn.fixtures).response(Exchange.request("GET /a")).text == "old")
  }

  @Test func `a new fixture that is being written is not served`() throws {
    try folder.write("half", to: "a.txt")
    let content = Fixtures.read(folder.path) { _ in FileActivity(isWritten: true) }
    #expect(content.isUnsettled)
    #expect(content.fixtures.isEmpty)
  }

  @Test func `a long fixture that changes during playback is an error instead of mixed content`() throws {
    try folder.write(String(repeating: "a", count: BodyFile.longestWhole + 1), to: "a.txt")
    let body = try #require(Fixtures.read(folder.path).fixtures[0].responseBody)
    let file = try #require(try body.openLongFile())
    try folder.write(String(repeating: "b", count: BodyFile.longestWhole + 1), to: "a.txt")
    #expect { _ = try file.read(at: 0, count: 10) } throws: { ($0 as? CassetteError)?.isPassing == true }
    #expect { _ = try body.openLongFile() } throws: { ($0 as? CassetteError)?.isPassing == true }
  }

  @Test func `header fields are read from the headers file of a fixture`() throws {
    try folder.write("{}", to: "a.503.json")
    try folder.write(
      "# a comment\n\nRetry-After:  5\r\nContent-Type: text/x\nSet-Cookie: a\nSet-Cookie: b", to: "a.503.json.headers")
    let content = Fixtures.read(folder.path)
    let (fixtures, warnings) = (content.fixtures, content.warnings)
    #expect(warnings == [])
    #expect(fixtures.map(\.id) == ["a.503.json"])
    let headers = try #require(fixtures.first?.response?.headers)
    #expect(headers.map(\.name) == ["Retry-After", "Content-Type", "Set-Cookie", "Set-Cookie"])
    #expect(headers["Retry-After"] == "5")
    #expect(headers["Content-Type"] == "text/x")
    #expect(fixtures.first?.status == 503)
  }

  @Test(arguments: [
    ("no colon", 1, "is not a header line: write \"Name: value\""),
    ("A: 1\nbad name: 2", 2, "\"bad name\" is not a header field name: use letters, digits and hyphens"),
    (": 2", 1, "\"\" is not a header field name: use letters, digits and hyphens"),
  ])
  func `an invalid header line is a warning with its place`(lines: String, line: Int, message: String) throws {
    try folder.write("{}", to: "a.json")
    try folder.write(lines, to: "a.json.headers")
    let warnings = Fixtures.read(folder.path).warnings
    #expect(warnings.map(\.message) == [message])
    #expect(warnings.first?.file == folder.path("a.json.headers"))
    #expect(warnings.first?.line == line)
  }

  @Test func `a headers file without a fixture is a warning`() throws {
    try folder.write("A: 1", to: "a.json.headers")
    let content = Fixtures.read(folder.path)
    let (fixtures, warnings) = (content.fixtures, content.warnings)
    #expect(fixtures.isEmpty)
    #expect(warnings.map(\.message) == ["sets the header fields of a file that does not exist"])
  }

  @Test func `of two fixtures for the same request the first is played, and the second is a warning`() throws {
    try folder.write("1", to: "a.json")
    try folder.write("2", to: "a.txt")
    let content = Fixtures.read(folder.path)
    let (fixtures, warnings) = (content.fixtures, content.warnings)
    #expect(warnings.map(\.message) == ["has the same request as a.json: GET /a; a.json is played"])
    let deck = Exchange.deck([], fixtures: fixtures)
    #expect(try deck.response(Exchange.request("GET /a")).text == "1")
    #expect(try deck.response(Exchange.request("GET /a.txt")).text == "2")
  }

  @Test func `a symbolic link is skipped with a warning, and a hidden file is skipped`() throws {
    try folder.write("{}", to: ".hidden.json")
    try folder.link("secret.txt", to: "/etc/hostname")
    let content = Fixtures.read(folder.path)
    let (fixtures, warnings) = (content.fixtures, content.warnings)
    #expect(fixtures.isEmpty)
    #expect(warnings.map(\.file) == [folder.path("secret.txt")])
  }

  @Test func `a fixture that was removed before it is played is an error with its path`() throws {
    let other = try ScratchFolder()
    // A shorter file is kept in memory.
    try other.write(String(repeating: "1", count: FixtureFile.longest + 1), to: "a.json")
    let deck = Exchange.deck([], fixtures: Fixtures.read(other.path).fixtures)
    try other.remove("a.json")
    #expect {
      try deck.response(Exchange.request("GET /a"))
    } throws: { error in
      (error as? CassetteError)?.file == other.path("a.json")
    }
  }
}
