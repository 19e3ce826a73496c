import CassetteHTTP
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

/// Exchanges that only the journal holds; folded, they give the same cassette as exchanges in memory.
@Suite struct `Journaled exchanges` {
  /// A request with a target in text form.
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

    init(_ cassette: String, into old: Cassette = Cassette(name: "a"), _ exchanges: [(Sent, RecordedResponse)]) throws {
      recording = Recording(into: old)
      // The journal reads the numbers of secrets from this file.
      if !old.interactions.isEmpty { try CassetteFile.write(old, to: cassette) }
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
      }
      try journal.commit()
    }

    /// Returns the cassette of the exchanges in memory, and its changes.
    func remembered() throws -> (text: String, changes: Recording.Changes) {
      let merged = try recording.merged()
      return (String(decoding: try CassetteFile.bytes(of: merged.cassette), as: UTF8.self), merged.changes)
    }

    /// Returns the cassette of the journaled exchanges, and its changes; after a crash, without the redaction's
    /// secrets.
    func folded(into old: Cassette = Cassette(name: "a"), isCrashed: Bool) throws -> (
      text: String, changes: Recording.Changes
    ) {
      let content = try journal.content(of: 1)
      let pass = isCrashed ? RedactionPass(.standard) : content.pass
      let part = RecordingPart(mode: .record, redaction: .standard, sent: content.exchanges, journal: pass)
      let merged = try RecordingFold(base: old).merged([part])
      return (String(decoding: try CassetteFile.bytes(of: merged.cassette), as: UTF8.self), merged.changes)
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

  private static let secret = "quiet-river-4711-stone"
  private static let numbers = "{\"password\": 4711, \"token\": 17.25, \"pin\": \"0815\", \"id\": {\"secret\": true}}"
  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func forURLs(_ text: String) -> String {
    base64(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Exchanges whose secrets are known before the exchange is written.
  private static let guarded: [(Sent, RecordedResponse)] =
    [
      (request("/a", nil, [("Authorization", "Bearer \(secret)")]), answer(Array("{\"you\": \"\(secret)\"}".utf8))),
      (
        request("/a?api_key=\(secret)"),
        answer(Array(numbers.utf8), [("Content-Type", "application/json"), ("X-Id", "4711")])
      ),
      (
        request("/b", nil, [("Cookie", "sid=\(secret)")]),
        answer(Array("{\"note\": \"{{secret:77}} and {{secret:78}}\"}".utf8))
      ),
      (request("/mark"), answer(Array("{\"password\": \"\(secret)\", \"a\": \"{{secret:1000000000003:uuid}}\"}".utf8))),
      (request("/mark"), answer(Array("see {{secret:1000000000000:b,url;e30=}}, {{secret:1000000000001".utf8), [])),
    ]
    + ["", "?", "?>", "?>?", "~~~", "words that follow"].flatMap { end in
      // Base64 in both alphabets, with and without padding, nested, and in lines.
      let text = "{\"password\":\"\(secret)\",\"end\":\"\(end)\"}"
      let lines = Data((String(repeating: "line \(end)\n", count: 20) + "token=\(secret)\n").utf8)
        .base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn])
      return [
        (
          request("/state?state=\(forURLs(text))"),
          answer(Array("{\"a\": \"\(base64(text))\", \"b\": \"\(forURLs(text))\"}".utf8))
        ),
        (request("/two"), answer(Array("{\"a\": \"\(base64("{\"data\": \"\(forURLs(text))\", \"k\": 1}"))\"}".utf8))),
        (request("/lines"), answer(Array("-- \n\(lines)\n--\n".utf8), [("Content-Type", "text/plain")])),
        (request("/hex"), answer(Array("{\"a\": \"\(text.utf8.map { String($0, radix: 16) }.joined())\"}".utf8))),
        (
          request("/pieces"),
          RecordedResponse(
            status: 200, headers: [("Content-Type", "text/plain")],
            body: .chunks(
              ["on\(secret.prefix(4))", "\(secret.dropFirst(4)) and ", base64(text), "\u{e9}"].enumerated().map {
                BodyChunk(after: Double($0) / 7, bytes: Array($1.utf8))
              } + [BodyChunk(bytes: [0xc3]), BodyChunk(bytes: [0xa9])], end: .complete))
        ),
      ]
    }

  @Test(arguments: [false, true])
  func `folded journal entries give the same cassette as the memory, byte for byte`(isCrashed: Bool) throws {
    let folder = try ScratchFolder()
    let recorded = try Recorded("\(folder.path)/a.json", Self.plain + Self.guarded)
    let (one, other) = (try recorded.remembered(), try recorded.folded(isCrashed: isCrashed))
    #expect(other.text == one.text)
    #expect(other.changes == one.changes)
    #expect(!one.text.contains(Self.secret) && one.text.contains("{{secret:1000000000003:uuid}}"))
    let journal = try String(contentsOf: URL(filePath: recorded.journal.path), encoding: .utf8)
    #expect(!journal.contains(Self.secret) && !journal.contains(Self.base64(Self.secret).prefix(20)))
  }

  @Test(arguments: [false, true])
  func `folding the same exchanges with other secrets changes nothing`(isCrashed: Bool) throws {
    let folder = try ScratchFolder()
    let first = try Recorded("\(folder.path)/a.json", Self.guarded)
    let before = try CassetteFile.read(bytes: Array(first.remembered().text.utf8), name: "a", file: nil)
    let again = try Recorded("\(folder.path)/b.json", into: before, Self.guarded)
    let (one, other) = (try again.remembered(), try again.folded(into: before, isCrashed: isCrashed))
    #expect(other.changes == one.changes)
    #expect(other.text == one.text)
    #expect(other.changes.isEmpty)
  }

  @Test func `the forecast counts each journaled exchange as unchanged once`() throws {
    let folder = try ScratchFolder()
    // The other exchanges have secrets only in base64, whose numbers are assigned by the fold.
    let recorded = try Recorded("\(folder.path)/a.json", Self.plain + Self.guarded.prefix(5))
    let before = try CassetteFile.read(bytes: Array(recorded.remembered().text.utf8), name: "a", file: nil)
    let forecast = RecordingForecast(of: before)
    let exchanges = try recorded.journal.content(of: 1).exchanges
    #expect(exchanges.filter { !forecast.isUnchanged($0) }.map(\.url) == [])
    // Each recording counts once.
    #expect(exchanges.filter { forecast.isUnchanged($0) }.map(\.url) == [])
  }

  @Test func `a failure is read from the journal`() throws {
    let folder = try ScratchFolder()
    let recording = Recording(into: Cassette(name: "a"))
    var journal = try RecordingJournal(beside: "\(folder.path)/a.json", redaction: .standard)
    let token = recording.begin(HTTPRequest(target: try #require(HTTPTarget("/lost"))), origin: "https://a.test")
    recording.finish(token, RecordedFailure(code: -1001))
    let lost = try #require(recording.finished(token))
    try journal.append(lost.interaction, number: lost.number)
    try journal.commit()
    recording.release(token)
    #expect(recording.released == 1 && recording.finished(token) == nil)
    #expect(recording.hasFailures)
    #expect(try journal.content(of: 1).exchanges.map(\.failure) == [lost.interaction.failure])
  }

  @Test(arguments: ["quiet-river-4711-stone", "s:quiet-river-4711.stone-and-more-0815"])
  func `a secret known only from a later exchange is redacted in earlier ones`(
    secret: String
  ) throws {
    let folder = try ScratchFolder()
    let part = (Self.request("/part"), Self.answer(Array("{\"token\": \"quiet-river-4711\"}".utf8)))
    let coded = Self.base64("and \(secret) too")
    let first = (Self.request("/first"), Self.answer(Array("{\"seen\": \"\(secret)\", \"in\": \"\(coded)\"}".utf8)))
    let login = (Self.request("/login", nil, [("Authorization", "Bearer \(secret)")]), Self.answer(Array("1".utf8)))
    let recorded = try Recorded("\(folder.path)/a.json", [part, first, login])
    let text = try recorded.folded(isCrashed: false).text
    #expect(try recorded.remembered().text == text)
    #expect(!text.contains("stone") && text.contains("\"seen\": \"{{secret:2}}\""))
  }

  @Test func `exchanges missing from a truncated journal are an error`() throws {
    let folder = try ScratchFolder()
    let recorded = try Recorded("\(folder.path)/a.json", Self.plain)
    let file = try FileHandle(forWritingTo: URL(filePath: "\(folder.path)/a.json.journal"))
    try file.truncate(atOffset: 500)
    let error = #expect(throws: CassetteError.self) { try recorded.journal.content(of: Self.plain.count) }
    #expect(error?.message.contains("of the recorded exchanges are missing from the journal") == true)
  }
}
