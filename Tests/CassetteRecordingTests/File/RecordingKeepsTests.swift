import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes

@Suite struct `Preservation of recordings` {
  private let folder: ScratchFolder
  private var path: String { folder.path("c.json") }

  init() throws { folder = try ScratchFolder() }

  private func read() throws -> Cassette { try CassetteFile.read(path: path) }
  private func text() -> String { String(decoding: folder.bytes("c.json") ?? [], as: UTF8.self) }

  private func recorded(_ exchanges: RecordedTests.Exchange..., by key: String? = "A/a()") throws {
    try RecordedTests(path).record(key, exchanges)
  }

  // MARK: Failures

  @Test func `a failure replaces no recording and is reported`() throws {
    try recorded(.init("/a", "good"), .init("/b", "good"))
    let before = text()
    let changes = try RecordedTests(path).record("A/a()", [.init("/a", nil), .init("/b", nil)])
    #expect(text() == before)
    #expect(changes.kept == ["get-a: cannotConnectToHost", "get-b: cannotConnectToHost"])
    #expect(
      changes.description
        == "nothing changed, 2 kept as recorded (get-a: cannotConnectToHost, get-b: cannotConnectToHost)")
  }

  @Test func `a failure without a recording is written, and an answer replaces it`() throws {
    #expect(try RecordedTests(path).record("A/a()", [.init("/a", nil)]).added == ["GET /a"])
    #expect(try read().answers == ["!"])
    #expect(try RecordedTests(path).record("A/a()", [.init("/a", "good")]).changed == ["get-a"])
    #expect(try read().answers == ["good"])
  }

  @Test func `a file with keepFailures replaces an answer by a failure`() throws {
    try recorded(.init("/a", "good"))
    let tests = try RecordedTests(path)
    tests.file.keepFailures()
    try tests.record("A/a()", [.init("/a", nil)])
    #expect(try read().answers == ["!"])
  }

  @Test func `renewing dates rewrites unchanged recordings, and a failure replaces none`() throws {
    try recorded(.init("/a", "good"), .init("/b", "good"))
    let tests = try RecordedTests(path)
    tests.file.renewDates()
    let changes = try tests.record("A/a()", [.init("/a", "good"), .init("/b", nil)])
    #expect(changes.changed == ["get-a"])
    #expect(changes.kept == ["get-b: cannotConnectToHost"])
    #expect(try read().answers == ["good", "good"])
  }

  @Test func `a stream that its client cancelled does not replace a longer recording of it`() throws {
    let steps: [(text: String, isCut: Bool, there: String)] = [
      ("data: 1\n\n", true, "data: 1\n\n"), ("data: 1\n\ndata: 2\n\n", true, "data: 1\n\ndata: 2\n\n"),
      ("data: 1\n\n", true, "data: 1\n\ndata: 2\n\n"), ("data: 3\n\n", true, "data: 3\n\n"),
      ("data: 3\n\ndata: 4\n\n", false, "data: 3\n\ndata: 4\n\n"), ("data: 5\n\n", true, "data: 3\n\ndata: 4\n\n"),
      ("data: 5\n\n", false, "data: 5\n\n"),
    ]
    for step in steps {
      let file = try RecordingFile(path: path)
      let recording = Recording(into: file.cassette)
      let token = recording.begin(
        HTTPRequest(target: try #require(HTTPTarget("/s"))), origin: "https://api.example.com")
      let body = Body.chunks([BodyChunk(after: 0, bytes: Array(step.text.utf8))])
      recording.finish(
        token, RecordedResponse(status: 200, body: body), recorded: RecordedFacts(isCut: step.isCut))
      let changes = try file.save(file.begin(recording))
      #expect(changes.kept == (step.text == step.there ? [] : ["get-s: its client disconnected before the end"]))
      #expect(try read().answers == [step.there])
    }
  }

  @Test func `a truncated answer does not replace a complete one`() throws {
    try recorded(.init("/a", "whole"))
    let file = try RecordingFile(path: path)
    let recording = Recording(into: file.cassette)
    let token = recording.begin(
      HTTPRequest(target: try #require(HTTPTarget("/a"))), origin: "https://api.example.com")
    recording.finish(
      token,
      RecordedResponse(status: 200, body: .chunks([BodyChunk(after: 0, bytes: Array("who".utf8))], end: .reset)))
    #expect(try file.save(file.begin(recording, by: "A/a()")).kept == ["get-a: the origin closed the connection early"])
    #expect(try read().answers == ["whole"])
  }

  @Test func `a failed test replaces no recording and adds new ones`() throws {
    try recorded(.init("/a", "good"), .init("/b", "good"))
    let changes = try RecordedTests(path).record(
      "A/a()", [.init("/a", "other"), .init("/b", "good"), .init("/c", "new")], failed: true)
    #expect(changes == Recording.Changes(added: ["GET /c"], kept: ["get-a: its test failed"], unchanged: 1))
    #expect(try read().answers == ["good", "good", "new"])
  }

  // MARK: An empty diff

  @Test(
    arguments: [
      (#"{"a":1,"b":{"x":"1","y":2}}"#, #"{"b":{"y":2,"x":"1"},"a":1}"#),
      (#"{"a":1, "b":2}"#, #"{"b":2,"a":1}"#),
      (
        #"{"title":"x","nonce":"0f8fad5b-d9cb-469f-a165-70867728950e"}"#,
        #"{"nonce":"7c9e6679-7425-40de-944b-e07fc1f90ae7","title":"x"}"#
      ),
      (#"{"sentAt":"2026-11-21T01:00:00Z"}"#, #"{"sentAt":"2026-11-22T02:03:04Z"}"#),
    ])
  func `a request with equal JSON keeps the recorded text`(old: String, new: String) throws {
    let headers: HTTPHeaders = ["Content-Type": "application/json"]
    try recorded(.init("/a", "ok", method: .post, body: old, headers: headers))
    let before = text()
    let changes = try RecordedTests(path).record(
      "A/a()", [.init("/a", "ok", method: .post, body: new, headers: headers)], at: "2027-01-01T00:00:00Z")
    #expect(changes == Recording.Changes(unchanged: 1))
    #expect(text() == before)
  }

  @Test func `a form and a query in another order keep the recorded text`() throws {
    let headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    try recorded(.init("/a?x=1&y=2", "ok", method: .post, body: "a=1&b=2", headers: headers))
    let before = text()
    try recorded(.init("/a?y=2&x=1", "ok", method: .post, body: "b=2&a=1", headers: headers))
    #expect(text() == before)
  }

  @Test(arguments: [("/b", "0f8fad5b"), ("/b/ID", "7c9e6679")])
  func `a generated value that the response repeats is kept unless a later request contains it`(
    later: String, kept: String
  ) throws {
    let headers: HTTPHeaders = ["Content-Type": "application/json"]
    for id in ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"] {
      try recorded(
        .init("/a", #"{"for":"\#(id)"}"#, method: .post, body: #"{"id":"\#(id)"}"#, headers: headers),
        .init(later.replacingOccurrences(of: "ID", with: id), "later"))
    }
    let post = try #require(try read().interactions.first)
    let written =
      try String(decoding: post.requestBody?.bytes() ?? [], as: UTF8.self)
      + String(decoding: post.response?.body?.bytes() ?? [], as: UTF8.self)
    #expect(written.components(separatedBy: kept).count == 3, "\(written)")
  }

  @Test func `a value that a rule of the recording ignores keeps the recorded text`() throws {
    try folder.write(
      #"""
      {"cassette":1,"origin":"https://api.example.com","interactions":[
        {"request":{"method":"POST","url":"/a?ts=1","body":{"json":{"title":"x","n":1}}},
         "response":{"status":200,"body":{"text":"ok"}},
         "match":{"query":{"ts":"ignore"},"body":{"json":{"title":"x"},"ignore":["$.n"]}}}]}
      """#, to: "c.json")
    let before = text()
    let changes = try RecordedTests(path).record(
      "A/a()", [.init("/a?ts=2", "ok", method: .post, body: #"{"n":2,"title":"x"}"#)])
    #expect(changes == Recording.Changes(unchanged: 1))
    #expect(text() == before)
  }

  @Test func `values that rules of the file or the player ignore keep the recorded text`() throws {
    try folder.write(
      #"""
      {"cassette":1,"origin":"https://api.example.com","match":{"query":{"ts":"ignore"}},"interactions":[
        {"request":{"method":"POST","url":"/a?ts=1","body":{"json":{"title":"x","n":1}}},
         "response":{"status":200,"body":{"text":"ok"}}}]}
      """#, to: "c.json")
    let before = text()
    let tests = try RecordedTests(path)
    let begun = try tests.begin(
      "A/a()", [.init("/a?ts=2", "ok", method: .post, body: #"{"n":2,"title":"x"}"#)])
    var outcome = RecordingFile.Outcome()
    outcome.match = CassetteMatchingOptions([.body(ignoring: "$.n")]).rules
    #expect(try tests.file.save(begun, outcome) == Recording.Changes(unchanged: 1))
    #expect(text() == before)
  }

  @Test func `an answer with its members in another order keeps the recorded text`() throws {
    try recorded(.init("/a", #"{"a":1,"b":2}"#))
    let before = text()
    try recorded(.init("/a", #"{"b":2,"a":1}"#))
    #expect(text() == before)
    try recorded(.init("/a", #"{"b":2,"a":3}"#))
    #expect(try read().answers == [#"{"b":2,"a":3}"#])
  }

  @Test func `a request with another body is recorded next to the first`() throws {
    try recorded(.init("/pay", "5 paid", method: .post, body: #"{"amount":5}"#))
    let changes = try RecordedTests(path).record(
      "A/a()", [.init("/pay", "9 paid", method: .post, body: #"{"amount":9}"#)])
    #expect(changes.added == ["POST /pay"])
    #expect(try read().answers == ["5 paid", "9 paid"])
  }

  // MARK: The disk

  @Test func `an edit made during a recording is kept`() throws {
    try recorded(.init("/a", "old a"), .init("/b", "old b"), .init("/c", "old c"))
    let tests = try RecordedTests(path)
    let begun = try tests.begin("A/a()", [.init("/a", "new a"), .init("/b", "new b"), .init("/d", "new d")])
    var edited = try read()
    edited.interactions[0].responseBody = .storing(Array("by hand".utf8))
    edited.interactions[2].replay.delay = .seconds(1)
    edited.interactions.append(
      Interaction(id: "mine", method: .get, url: "/mine", outcome: .response(RecordedResponse(status: 204))))
    try CassetteFile.write(edited, to: path)
    let changes = try tests.save(begun)
    #expect(changes.kept == ["get-a: edited by hand in the meantime"])
    let cassette = try read()
    #expect(cassette.answers == ["by hand", "new b", "new d", "old c", ""])
    #expect(cassette.interactions.last?.id == "mine")
    #expect(cassette.interactions[3].replay.delay == .seconds(1))
  }

  @Test func `a file that can no longer be parsed is not changed, and the recordings are written next to it`() throws {
    try recorded(.init("/a", "old a"), .init("/b", "old b"))
    let tests = try RecordedTests(path)
    let begun = try tests.begin("A/a()", [.init("/a", "new a"), .init("/z", "z")])
    let broken = String(text().dropLast(4))
    try folder.write(broken, to: "c.json")
    let error = #expect(throws: CassetteError.self) { try tests.save(begun) }
    let kept = folder.path("c.recorded.json")
    #expect(error?.message.hasSuffix("; the file is not changed, and the new recordings are in \(kept)") == true)
    #expect(error?.suggestion?.contains("copy the recordings from \(kept)") == true)
    #expect(error?.line != nil)
    #expect(text() == broken)
    // The next test of this process adds its recordings to the same cassette.
    #expect(throws: CassetteError.self) { try tests.record("B/b()", [.init("/b", "of B")]) }
    #expect(text() == broken)
    #expect(folder.files == ["c.json", "c.recorded.json"])
    let cassette = try CassetteFile.read(path: kept)
    #expect(cassette.answers == ["new a", "z", "of B"])
    #expect(cassette.interactions.map { $0.recorded?.by } == ["A/a()", "A/a()", "B/b()"])
  }

  @Test func `recordings next to a file that cannot be parsed replace no other file`() throws {
    let tests = try RecordedTests(path)
    try folder.write("{", to: "c.json")
    try folder.write("mine", to: "c.recorded.json")
    #expect(throws: CassetteError.self) { try tests.record("A/a()", [.init("/a", "a")]) }
    #expect(folder.files == ["c.json", "c.recorded-2.json", "c.recorded.json"])
    #expect(folder.bytes("c.recorded.json") == Array("mine".utf8))
    // A person edits the file that this process wrote.
    var edited = try CassetteFile.read(path: folder.path("c.recorded-2.json"))
    edited.interactions[0].replay.delay = .seconds(1)
    try CassetteFile.write(edited, to: folder.path("c.recorded-2.json"))
    #expect(throws: CassetteError.self) { try tests.record("B/b()", [.init("/b", "b")]) }
    #expect(try CassetteFile.read(path: folder.path("c.recorded-2.json")).interactions[0].replay.delay == .seconds(1))
    #expect(try CassetteFile.read(path: folder.path("c.recorded-3.json")).answers == ["a", "b"])
  }

  @Test func `a file that parses again gets the recordings that were kept in the same process`() throws {
    let tests = try RecordedTests(path)
    try folder.write("{", to: "c.json")
    #expect(throws: CassetteError.self) { try tests.record("A/a()", [.init("/a", "a")]) }
    try folder.remove("c.json")
    try tests.record("B/b()", [.init("/b", "b")])
    #expect(try read().urls == ["/a", "/b"])
    #expect(folder.files == ["c.json", "c.recorded.json"])
  }

  @Test func `a file removed between two saves has only the later recordings`() throws {
    let tests = try RecordedTests(path)
    try tests.record("A/a()", [.init("/a", "a")])
    try folder.remove("c.json")
    try tests.record("B/b()", [.init("/b", "b")])
    #expect(try read().urls == ["/b"])
  }

  // MARK: Taking away

  @Test func `an unrequested recording is listed, and prune removes it`() throws {
    try recorded(.init("/a", "a"), .init("/b", "b"), .init("/c", "c"))
    let tests = try RecordedTests(path)
    try tests.record("A/a()", [.init("/a", "a"), .init("/c", nil)])
    #expect(tests.file.total.unasked == ["get-b"])
    #expect(try tests.file.prune().gone == ["get-b"])
    #expect(try read().urls == ["/a", "/c"])
    try tests.record("B/b()", [.init("/d", "d")])
    #expect(try read().urls == ["/a", "/c", "/d"])
  }

  @Test func `prune after a run without requests removes nothing`() throws {
    try recorded(.init("/a", "a"))
    let tests = try RecordedTests(path)
    try tests.record("A/a()", [])
    #expect(try tests.file.prune().isEmpty)
    #expect(try read().urls == ["/a"])
  }
}

extension String {
  /// Returns the number of occurrences of a string.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
