import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// Log lines of events.
@Suite struct LogLinesTests {
  private struct Line: Sendable, CustomTestStringConvertible {
    var target = "/a"
    var session = ""
    /// The session in the log if it is masked.
    var shownSession: String?
    var entry: Int32 = 0
    var outcome = MockServer.Event.Answer.Outcome.played
    var detail: EventRing.Detail?
    var status: Int32 = 200
    let text: String
    let json: String

    var testDescription: String { text }
  }

  private static let lines = [
    Line(
      text: "7 GET /a 200 test/a 0.041 ms",
      json: #""method":"GET","target":"/a","status":200,"outcome":"played","recording":"a","cassette":"test""#),
    Line(
      session: "one", text: "7 GET /a 200 test/a 0.041 ms session=one",
      json: #""method":"GET","target":"/a","status":200,"outcome":"played","recording":"a","cassette":"test""#),
    Line(
      session: "ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8", shownSession: "{{secret}}",
      text: "7 GET /a 200 test/a 0.041 ms session={{secret}}",
      json: #""method":"GET","target":"/a","status":200,"outcome":"played","recording":"a","cassette":"test""#),
    Line(
      target: "/a?api_key=hunter2hunter2", entry: -1, outcome: .miss, status: 404,
      text: "7 GET /a?api_key={{secret}} 404 miss 0.041 ms",
      json: #""method":"GET","target":"/a?api_key={{secret}}","status":404,"outcome":"miss""#),
    Line(
      detail: EventRing.Detail(approximation: "body $.id"),
      text: "7 GET /a 200 test/a (approximate: body $.id) 0.041 ms",
      json:
        #""method":"GET","target":"/a","status":200,"outcome":"played","recording":"a","cassette":"test","approximate":"body $.id""#
    ),
    Line(
      detail: EventRing.Detail(words: "timed out"), status: 0, text: "7 GET /a no answer test/a timed out 0.041 ms",
      json: #""method":"GET","target":"/a","outcome":"played","recording":"a","cassette":"test","detail":"timed out""#),
    Line(
      entry: -1, outcome: .unreachable, detail: EventRing.Detail(words: "no route\u{1b}[31m"), status: 502,
      text: "7 GET /a 502 upstream: no route\\u{1b}[31m 0.041 ms",
      json: #""method":"GET","target":"/a","status":502,"outcome":"unreachable","detail":"no route\u001b[31m""#),
    Line(
      session: "a\nb \"c\"", entry: -1, outcome: .notRecorded,
      text: "7 GET /a 200 not recorded 0.041 ms session=a\\u{a}b \"c\"",
      json: #""method":"GET","target":"/a","status":200,"outcome":"not recorded""#),
  ]

  private func written(_ line: Line, _ format: MockServer.Configuration.LogFormat, times: Int = 1) throws -> [String] {
    let ring = EventRing()
    ring.begin(try NotedSample.table)
    for _ in 0..<times {
      NotedSample.note(
        7, target: line.target, session: line.session, entry: line.entry, line.outcome, detail: line.detail,
        status: line.status, in: ring)
    }
    var lines = LogLines(format)
    let batch = ring.take(leaving: EventRing.Batch())
    for item in NotedEvents(batches: [batch], mask: EventMask()) {
      if case .answer(let noted) = item { lines.append(noted) }
    }
    return String(decoding: lines.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: lines) private func `an answer is one text line in the text format`(line: Line) throws {
    #expect(try written(line, .text, times: 2) == Array(repeating: "2026-11-22T08:43:54.123Z \(line.text)", count: 2))
  }

  @Test(arguments: lines)
  private func `an answer is one JSON object per line in the JSON format`(line: Line) throws {
    let shown = line.shownSession ?? line.session
    let session =
      shown.isEmpty
      ? "" : #","session":"\#(shown.replacing("\n", with: "\\n").replacing("\"", with: "\\\""))""#
    let expected =
      #"{"time":"2026-11-22T08:43:54.123Z","event":"answer","number":7,\#(line.json),"sentBytes":12,"duration":0.000041\#(session)}"#
    let lines = try written(line, .json, times: 2)
    #expect(lines == [expected, expected])
    let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
    #expect(object?["duration"] as? Double == 0.000041)
  }

  @Test(
    arguments: [
      (
        .handshakeRefused, "a client left", "mockserver: a client left",
        #""event":"handshake-refused","message":"a client left""#
      ),
      (
        .refused(400), "refused 400 no method", "- refused 400 no method",
        #""event":"refused","status":400,"message":"refused 400 no method""#
      ),
      (
        .reload(recordings: 2, fixtures: 1), "files changed", "mockserver: files changed",
        #""event":"reload","message":"files changed""#
      ),
      (
        .answerBroken(CassetteError(file: "a.json", message: "gone")), "a.json: gone\n  again",
        "mockserver: error: a.json: gone\n  again", #""event":"answer-broken","message":"a.json: gone\n  again""#
      ),
    ] as [(MockServer.Event.Kind, String, String, String)])
  func `an event is one JSON line, and a text line that may continue on further lines`(
    kind: MockServer.Event.Kind, words: String, text: String, json: String
  ) {
    let event = MockServer.Event(kind, at: NotedSample.time / 1_000_000 * 1_000_000 + 500_000, words)
    var (people, machines) = (LogLines(.text), LogLines(.json))
    people.append(event)
    machines.append(event)
    #expect(String(decoding: people.bytes, as: UTF8.self) == "2026-11-22T08:43:54.123Z \(text)\n")
    #expect(String(decoding: machines.bytes, as: UTF8.self) == #"{"time":"2026-11-22T08:43:54.123Z",\#(json)}"# + "\n")
  }

  @Test func `the prepared log line of a recording is not used for a request with another target`() throws {
    let ring = EventRing()
    ring.begin(try NotedSample.table)
    for target in ["/a", "/a?token=hunter2hunter2", "/a"] { NotedSample.note(1, target: target, in: ring) }
    var lines = LogLines(.text)
    for item in NotedEvents(batches: [ring.take(leaving: EventRing.Batch())], mask: EventMask()) {
      if case .answer(let noted) = item { lines.append(noted) }
    }
    let targets = String(decoding: lines.bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ")[3]
    }
    #expect(targets == ["/a", "/a?token={{secret}}", "/a"])
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (999_999_999, "1970-01-01T00:00:00.999Z"),
    (1_000_000_000, "1970-01-01T00:00:01.000Z"), (NotedSample.time, "2026-11-22T08:43:54.123Z"),
  ])
  func `a time is written with milliseconds`(nanoseconds: Int, text: String) {
    var clock = LogClock()
    var bytes: [UInt8] = []
    clock.append(NotedSample.time, to: &bytes)
    bytes = []
    clock.append(nanoseconds, to: &bytes)
    clock.append(nanoseconds, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == text + text)
  }
}
