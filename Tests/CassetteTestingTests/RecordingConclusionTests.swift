import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import CassetteTesting
@testable import Cassettes

@Suite struct `Recordings that no test requested` {
  private let folder: ScratchFolder
  private var path: String { folder.path("Tests/Cassettes/shared.json") }

  init() throws {
    folder = try ScratchFolder()
    try Folder.make(folder.path("Tests/Cassettes"))
    try write("Package.swift", "// a package")
    try write(
      "Tests/A.swift",
      #"@Suite struct A { @Test(.cassette("shared")) func one() {}; @Test(.cassette("shared")) func two() {} }"#)
  }

  private func write(_ name: String, _ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path(name)))
  }

  /// Records tests from lines with a name and paths; an exclamation mark after the name makes the test fail.
  private func record(_ tests: [String]) throws -> RecordingFile {
    let file = try RecordingFile(path: path)
    for line in tests {
      let paths = line.split(separator: " ").map(String.init)
      let test = paths[0]
      let recording = Recording(into: file.cassette)
      for path in paths.dropFirst() {
        let token = recording.begin(HTTPRequest(target: try #require(HTTPTarget(path))), origin: "https://a.test")
        recording.finish(token, RecordedResponse(status: 204))
      }
      var outcome = RecordingFile.Outcome()
      outcome.hasFailed = test.hasSuffix("!")
      _ = try file.save(
        file.begin(recording, by: test.hasSuffix("!") ? String(test.dropLast()) : test), outcome)
    }
    return file
  }

  private func urls() throws -> [String] { try CassetteFile.read(path: path).interactions.map(\.url) }

  private func lines(
    _ file: RecordingFile, prunes: Bool = true, _ arguments: [String] = ["tests"], note: RecordingNote? = nil
  ) -> String {
    RecordingConclusion.lines(for: file, prunes: prunes, arguments: arguments, note: note).joined(separator: "\n")
  }

  @Test func `an unrequested recording is listed with the prune command and is kept by default`() throws {
    _ = try record(["A/one() /a /b"])
    let file = try record(["A/one() /a"])
    #expect(lines(file, prunes: false).hasPrefix("1 not requested by the tests that ran (get-b); CASSETTE_PRUNE=true"))
    #expect(try urls() == ["/a", "/b"])
  }

  @Test func `--prune removes a recording if all tests of its file ran and passed`() throws {
    _ = try record(["A/one() /a /b", "A/two() /c", "A/deleted() /d"])
    let file = try record(["A/one() /a", "A/two() /c"])
    #expect(lines(file) == "2 removed, not requested by any test (get-d, get-b)")
    #expect(try urls() == ["/a", "/c"])
  }

  @Test(
    arguments: [
      (["A/one() /a"], ["tests"], "A/two(), which also uses the file, has not run"),
      (["A/one() /a", "A/two()! /c"], ["tests"], "A/two() failed"),
      (["A/one() /a"], ["tests", "--filter", "one"], "A/two(), which also uses the file, has not run"),
    ] as [([String], [String], String)])
  func `--prune keeps a recording if one test of its file did not run or failed`(
    tests: [String], arguments: [String], reason: String
  )
    throws
  {
    _ = try record(["A/one() /a /b", "A/two() /c"])
    let file = try record(tests)
    #expect(lines(file, arguments).contains("1 not requested by the tests that ran (get-b); not removed: \(reason)"))
    #expect(try urls() == ["/a", "/b", "/c"])
  }

  @Test(arguments: [["tests", "--filter", "A"], ["tests", "Tests.A/one"]])
  func `--prune removes a recording in a filtered run that includes all tests of its file`(arguments: [String]) throws {
    _ = try record(["A/one() /a /b", "A/two() /c"])
    let file = try record(["A/one() /a", "A/two() /c"])
    #expect(lines(file, arguments) == "1 removed, not requested by any test (get-b)")
  }

  @Test(arguments: [
    (#"func helper() { _ = "shared" }"#, "code outside of tests uses the file"),
    (#"@Suite(.cassette("shared")) struct A { @Test func one() {} }"#, "code outside of tests uses the file"),
    (#"@Test func one() {}; @Test func three() { _ = "shared" }"#, "three also uses the file"),
  ])
  func `--prune keeps a recording in a filtered run if other code names its file`(code: String, reason: String) throws {
    _ = try record(["A/one() /a /b", "A/two() /c"])
    try write("Tests/B.swift", code)
    let file = try record(["A/one() /a", "A/two() /c"])
    #expect(lines(file, ["tests", "--filter", "A"]).contains(reason), "\(lines(file, ["tests", "--filter", "A"]))")
    #expect(try urls().contains("/b"))
  }

  @Test func `--prune keeps a recording if no test of another file that names the cassette ran`() throws {
    try write("Tests/X.swift", #"class X: XCTestCase { func testX() { beginCassette("shared") } }"#)
    _ = try record(["A/one() /a /b", "A/two() /c"])
    let file = try record(["A/one() /a", "A/two() /c"])
    #expect(lines(file).hasSuffix("not removed: no test in Tests/X.swift, which uses the cassette, has run"))
  }

  @Test func `--prune removes a recording if the processes of one run ran all tests of its file`() throws {
    _ = try record(["A/one() /a /b", "A/two() /c /d"])
    let note = RecordingNote(path: folder.path("note"))
    let first = try record(["A/one() /a"])
    #expect(lines(first, note: note).contains("A/two(), which also uses the file, has not run"))
    let second = try record(["A/two() /c"])
    #expect(lines(second, note: note) == "2 removed, not requested by any test (get-b, get-d)")
    #expect(try urls() == ["/a", "/c"])
  }

  @Test func `the start time of a process distinguishes processes with the same number`() {
    let mine = RecordingNote.began(getpid())
    #expect(mine > 0)
    #expect(RecordingNote.began(getpid()) == mine)
    #expect(RecordingNote.began(getppid()) <= mine)
    #expect(RecordingNote.began(.max) == 0)
  }

  @Test(
    arguments: [
      ("ProfileTests/profile()", "profile"), ("ProfileTests.testLogin", "testLogin"), ("each(n:)[3]", "each"),
      ("Outer/Inner/a test. With / dots()", " dots"), ("File/testX()", "testX"), ("A/of(x:)[a(b)]", "of"),
    ])
  func `the function of a test is read from the test's name`(name: String, function: String) {
    #expect(TestSources.function(of: name) == function)
  }
}
