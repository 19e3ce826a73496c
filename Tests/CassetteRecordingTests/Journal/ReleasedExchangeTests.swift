import CassetteHTTP
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteFiles
@testable import CassetteRecording
@testable import Cassettes

/// Exchanges that only the journal holds until the cassette is written.
@Suite struct `Released exchanges` {
  /// A request with any target.
  struct Sent: Sendable {
    var method: HTTPMethod
    var target: String
    var headers: HTTPHeaders
    var body: [UInt8]
  }

  /// A recording with its journal.
  private struct Recorded {
    let recording: Recording
    var journal: RecordingJournal
    /// The exchanges that the journal holds as they were.
    var verbatim: [Recording.Token] = []

    init(_ cassette: String, _ exchanges: [(Sent, RecordedResponse)]) throws {
      recording = Recording(into: Cassette(name: "a"))
      journal = try RecordingJournal(beside: cassette, redaction: .standard)
      for (number, (request, response)) in exchanges.enumerated() {
        let target = try #require(HTTPTarget(request.target))
        let token = recording.begin(
          HTTPRequest(method: request.method, target: target, headers: request.headers, body: request.body),
          origin: "https://a.test")
        let facts = RecordedFacts(at: "2026-11-21T01:02:03.004Z", firstByte: 0.1 / Double(number + 3), total: 0.5)
        recording.finish(token, response, recorded: facts)
        let finished = try #require(recording.finished(token))
        try journal.append(finished.interaction, number: finished.number)
        if journal.isVerbatim { verbatim.append(token) }
      }
      try journal.commit()
    }

    /// The cassette's file, and what is different in it.
    func saved() throws -> (bytes: [UInt8], changes: Recording.Changes) {
      let merged = try recording.merged()
      return (try CassetteFile.bytes(of: merged.cassette), merged.changes)
    }
  }

  private static func request(_ target: String, _ body: String? = nil, _ headers: HTTPHeaders = [:]) -> Sent {
    Sent(method: body == nil ? .get : .post, target: target, headers: headers, body: Array((body ?? "").utf8))
  }

  private static func answer(
    _ body: [UInt8]?, _ headers: HTTPHeaders = [("Content-Type", "application/json")], reason: String? = nil
  ) -> RecordedResponse {
    RecordedResponse(status: 200, reason: reason, headers: headers, body: body.map { .storing($0) })
  }

  private static let plain: [(Sent, RecordedResponse)] = [
    (request("/json"), answer(Array("{\"b\" : [1.50, 1e3],\t\"a\":\"\\u00e9\\/\"}\n".utf8))),
    (request("/text"), answer(Array("one\r\ntwo\n\nthree \u{2028} é".utf8), [("Content-Type", "text/plain")])),
    (request("/bytes"), answer([0, 255, 10, 13, 128, 34], [("Content-Type", "application/octet-stream")])),
    (request("/none"), answer(nil, [])), (request("/empty"), answer([])),
    (
      request("/fields?q=%2F+%C3%A9&q=", nil, [("X-Two", "a"), ("x-two", " b\t\"c\""), ("X-Odd", "caf\u{e9}")]),
      answer(Array("ok".utf8), [("Set-Cookie", "theme=dark"), ("set-cookie", "lang=en; Path=/")], reason: "Fine, then")
    ),
    (request("/sent", "{\"page\": 2}", [("Content-Type", "application/json")]), answer(Array("[]".utf8))),
    (request("/sent", "a=1&b=%20", [("Content-Type", "application/x-www-form-urlencoded")]), answer(Array("1".utf8))),
    (request("/template"), answer(Array("{\"hello\": \"{{request.path}} {{ secret }}\"}".utf8))),
    (request("/long"), answer([UInt8](repeating: 10, count: 30_000), [("Content-Type", "text/plain")])),
  ]

  @Test func `come back from the journal as they were`() throws {
    let folder = try ScratchFolder()
    let kept = try Recorded("\(folder.path)/kept.json", Self.plain)
    let released = try Recorded("\(folder.path)/released.json", Self.plain)
    #expect(released.verbatim.count == Self.plain.count)
    released.recording.release(released.verbatim)
    #expect(released.recording.released.count == Self.plain.count)
    #expect(released.verbatim.allSatisfy { released.recording.finished($0) == nil })
    released.recording.restore(try released.journal.exchanges(released.recording.released))
    #expect(released.recording.released.isEmpty)
    let (one, other) = (try kept.saved(), try released.saved())
    #expect(String(decoding: other.bytes, as: UTF8.self) == String(decoding: one.bytes, as: UTF8.self))
    #expect(other.changes == one.changes)
  }

  @Test func `may be failures`() throws {
    let folder = try ScratchFolder()
    let recording = Recording(into: Cassette(name: "a"))
    var journal = try RecordingJournal(beside: "\(folder.path)/a.json", redaction: .standard)
    let token = recording.begin(HTTPRequest(target: try #require(HTTPTarget("/lost"))), origin: "https://a.test")
    recording.finish(token, RecordedFailure(code: -1001))
    let lost = try #require(recording.finished(token))
    try journal.append(lost.interaction, number: lost.number)
    try journal.commit()
    #expect(journal.isVerbatim)
    recording.release([token])
    recording.restore(try journal.exchanges(recording.released))
    #expect(recording.hasFailures)
    #expect(recording.finished(token)?.interaction.failure == lost.interaction.failure)
  }

  @Test func `lose a secret that only a later exchange gives away`() throws {
    let folder = try ScratchFolder()
    let secret = "quiet-river-4711-stone"
    let first = (Self.request("/first"), Self.answer(Array("{\"seen\": \"\(secret)\"}".utf8)))
    let login = (Self.request("/login", nil, [("Authorization", "Bearer \(secret)")]), Self.answer(Array("1".utf8)))
    let recorded = try Recorded("\(folder.path)/a.json", [first, login])
    #expect(recorded.verbatim.map(\.number) == [0])
    recorded.recording.release(recorded.verbatim)
    recorded.recording.restore(try recorded.journal.exchanges(recorded.recording.released))
    let text = String(decoding: try recorded.saved().bytes, as: UTF8.self)
    #expect(!text.contains(secret))
    #expect(text.contains("\"seen\": \"{{secret:1}}\""))
  }

  @Test(arguments: [
    (request("/a", nil, [("Authorization", "Bearer quiet-river-4711")]), answer(Array("1".utf8))),
    (request("/a?api_key=quiet-river-4711"), answer(Array("1".utf8))),
    (request("/a"), answer(Array("{\"password\": \"quiet-river-4711\"}".utf8))),
    (request("/a"), answer(Array("{\"data\": \"eyJwYXNzd29yZCI6InF1aWV0LXJpdmVyLTQ3MTEifQ==\"}".utf8))),
    (request("/a"), answer(Array("{\"note\": \"{{secret:7}}\"}".utf8))),
    (
      request("/a"),
      RecordedResponse(status: 200, headers: [], body: .chunks([BodyChunk(bytes: [1]), BodyChunk(bytes: [2])]))
    ),
  ])
  func `are none that the journal holds in another form`(request: Sent, response: RecordedResponse) throws {
    let folder = try ScratchFolder()
    #expect(try Recorded("\(folder.path)/a.json", [(request, response)]).verbatim.isEmpty)
  }

  @Test func `are missed where somebody changed the journal`() throws {
    let folder = try ScratchFolder()
    let recorded = try Recorded("\(folder.path)/a.json", Self.plain)
    recorded.recording.release(recorded.verbatim)
    let file = try FileHandle(forWritingTo: URL(filePath: "\(folder.path)/a.json.journal"))
    try file.truncate(atOffset: 500)
    let error = #expect(throws: CassetteError.self) {
      try recorded.journal.exchanges(recorded.recording.released)
    }
    #expect(error?.message.contains("of the recorded exchanges are gone from the journal") == true)
  }
}
