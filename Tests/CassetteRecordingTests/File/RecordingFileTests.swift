import CassetteHTTP
internal import CassetteSecrets
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes

@Suite struct RecordingFileTests {
  private let folder: ScratchFolder
  private var path: String { folder.path("shared.json") }

  init() throws { folder = try ScratchFolder() }

  private func read() throws -> Cassette { try CassetteFile.read(path: path) }
  private func text() -> String { String(decoding: folder.bytes("shared.json") ?? [], as: UTF8.self) }

  /// Returns the exchanges of a numbered test: a login with an individual token, and a request to an individual path.
  private func exchanges(_ number: Int) -> [RecordedTests.Exchange] {
    [
      .init("/login", "{\"access_token\":\"token-of-\(number)-abc\"}", method: .post),
      .init("/item/\(number)", "item \(number)", headers: ["Authorization": "Bearer token-of-\(number)-abc"]),
    ]
  }

  @Test func `a file name too long for temporary files next to it is an error before the recording`() throws {
    let name = String(repeating: "n", count: 215)
    let tests = try RecordedTests(folder.path("\(name).json"))
    try tests.record("Suite/item(1)", exchanges(1))
    #expect(folder.bytes("\(name).json") != nil)
    let error = #expect(throws: CassetteError.self) { try RecordingFile(path: folder.path("\(name)n.json")) }
    #expect(error?.suggestion?.contains("at most 220 bytes") == true)
  }

  @Test(arguments: 0..<6)
  func `the bytes of a file do not depend on the order in which its tests end`(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let inOrder = try RecordedTests(folder.path("first.json"))
    for number in 0..<12 { try inOrder.record("Suite/item(\(number))", exchanges(number)) }
    let tests = try RecordedTests(path)
    let begun = try (0..<12).shuffled(using: &random).map { try tests.begin("Suite/item(\($0))", exchanges($0)) }
    for number in begun.shuffled(using: &random) { try tests.save(number) }
    #expect(text() == String(decoding: folder.bytes("first.json") ?? [], as: UTF8.self))
    #expect(try read().urls == (0..<12).flatMap { ["/login", "/item/\($0)"] })
  }

  @Test(arguments: 0..<6)
  func `the order of recordings does not depend on the order of the recording processes`(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let old = try RecordedTests(path)
    try old.record("Suite/item(3)", exchanges(3))
    try old.record("Suite/item(7)", exchanges(7))
    for number in (0..<12).shuffled(using: &random) {
      try RecordedTests(path).record("Suite/item(\(number))", exchanges(number))
    }
    #expect(try read().urls == (0..<12).flatMap { ["/login", "/item/\($0)"] })
  }

  @Test func `fifty tests that save concurrently lose no recording`() async throws {
    let tests = try RecordedTests(path)
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let changes = try tests.record("Suite/item(\(number))", [.init("/item/\(number)", "item \(number)")])
          // A saved exchange is in the file at once.
          #expect(changes.added == ["GET /item/\(number)"])
          #expect(try CassetteFile.read(path: path).urls.contains("/item/\(number)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try read().urls == (0..<50).map { "/item/\($0)" })
  }

  @Test func `recording the same tests again in any order leaves the file unchanged`() throws {
    for round in 0..<3 {
      let tests = try RecordedTests(path)
      let before = text()
      for number in round == 1 ? [3, 1, 0, 2] : [0, 1, 2, 3] {
        try tests.record("Suite/item(\(number))", exchanges(number), at: "2026-11-2\(round)T01:00:00Z")
      }
      if round > 0 { #expect(text() == before) }
    }
  }

  @Test func `a test recorded alone changes only its own recordings`() throws {
    let first = try RecordedTests(path)
    for number in 0..<8 { try first.record("Suite/item(\(number))", exchanges(number)) }
    let again = try RecordedTests(path)
    let changes = try again.record(
      "Suite/item(5)", [.init("/login", "other", method: .post), .init("/item/5", "item 5")])
    #expect(changes.changed.count == 2 && changes.added.isEmpty)
    let cassette = try read()
    #expect(cassette.urls == (0..<8).flatMap { ["/login", "/item/\($0)"] })
    #expect(cassette.answers.enumerated().filter { $1 == "other" }.map(\.offset) == [10])
    #expect(again.file.total.unasked.count == 14)
  }

  @Test func `a recording without a test is shared by all tests with an equal answer`() throws {
    try folder.write(cassette(response: #"{"status":200,"body":{"text":"all"}}"#), to: "shared.json")
    let before = text()
    let tests = try RecordedTests(path)
    for key in ["A/a()", "B/b()"] { try tests.record(key, [.init("/a", "all")]) }
    #expect(text() == before)
    try tests.record("C/c()", [.init("/a", "other")])
    #expect(try read().answers == ["all", "other"])
    #expect(try read().interactions.map { $0.recorded?.by } == [nil, "C/c()"])
  }

  @Test func `a test that runs again replaces its recordings, and a second call site adds its own`() throws {
    let tests = try RecordedTests(path)
    try tests.record("A/a()", [.init("/a", "1"), .init("/b", "1")], site: "a:1")
    try tests.record("A/a()", [.init("/a", "2"), .init("/c", "2")], site: "a:1")
    try tests.record("A/a()", [.init("/a", "3")], site: "a:9")
    #expect(try zip(read().urls, read().answers).map { "\($0) \($1)" } == ["/a 2", "/c 2", "/b 1", "/a 3"])
  }

  @Test func `.recordMissing keeps the recordings of other tests and edits made meanwhile`() throws {
    let first = try RecordedTests(path)
    try first.record("B/b()", [.init("/b", "b")])
    let tests = try RecordedTests(path)
    try tests.record("C/c()", [.init("/c", "c")], mode: .recordMissing)
    try tests.record("A/a()", [.init("/a", "a")], mode: .recordMissing)
    #expect(try read().urls == ["/a", "/b", "/c"])
    // After an edit of the file, earlier recordings are not added again.
    try folder.write(text().replacing("\"b\"", with: "\"edited\""), to: "shared.json")
    try tests.record("D/d()", [.init("/d", "d")], mode: .recordMissing)
    #expect(try read().answers == ["a", "edited", "c", "d"])
  }

  @Test func `a token in one test's recording fails only the save of this test`() throws {
    let token = "ghp_" + String(repeating: "aB3dE6gH9", count: 4)
    let tests = try RecordedTests(path)
    try tests.record("A/a()", [.init("/a", "a")])
    #expect(throws: CassetteError.self) { try tests.record("B/b()", [.init("/b", "b", headers: [token: "1"])]) }
    try tests.record("C/c()", [.init("/c", "c")])
    #expect(try read().urls == ["/a", "/c"])
    #expect(!text().contains(token))
  }

  @Test func `a secret has the same number in all tests of a file with different redactions`() throws {
    let tests = try RecordedTests(path)
    let header: HTTPHeaders = ["Authorization": "Bearer the-one-token-of-all"]
    try tests.save(tests.begin("A/a()", [.init("/a", "a", headers: header)]))
    try tests.save(
      tests.begin(
        "B/b()", [.init("/b", "it is the-one-token-of-all", headers: ["X-Team": "blue-team"])],
        redaction: .redacting(.header("X-Team"))))
    #expect(try read().interactions[0].requestHeaders["Authorization"] == "Bearer {{secret:1}}")
    #expect(try read().answers[1] == "it is {{secret:1}}")
    #expect(try read().interactions[1].requestHeaders["X-Team"] == "{{secret:2}}")
  }

  @Test func `numbers in names of tests are ordered by value`() {
    let names = ["a", "a/1", "a/2", "a/10", "b", "b01", "b1", "b1c"]
    for (index, name) in names.enumerated() {
      for (other, second) in names.enumerated() {
        #expect(TestOrder.precedes(name, second) == (index < other), "\(name) \(second)")
      }
    }
  }
}
