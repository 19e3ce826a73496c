import CassetteHTTP
import CassetteRecording
import Cassettes
import TestSupport
import Testing

/// The capture of responses by the recorders of the server and the session, in chunks or as a whole.
struct ResponseCaptureTests {
  /// The milliseconds since the previous arrival, and the received text.
  typealias Arrival = (after: UInt64, text: String)

  private static let fast: [Arrival] = [(1, "a"), (19, "b"), (2, "c")]
  private static let slow: [Arrival] = [(1, "a"), (40, "b"), (249, "c")]
  private static let late: [Arrival] = [(1, "[1,"), (250, "2]")]

  @Test(arguments: [
    ("text/plain", ResponseHead.BodyFraming.chunked, fast, ["0:abc"]),
    ("text/plain", .chunked, slow, ["0:a", "0.04:b", "0.249:c"]),
    ("text/plain", .untilClose, slow, ["0:a", "0.04:b", "0.249:c"]),
    // A body with a length is recorded as a whole at any speed.
    ("text/plain", .length(3), slow, ["0:abc"]),
    // A document is recorded as a whole, because servers send it while they generate it.
    ("application/json", .chunked, slow, ["0:abc"]),
    ("application/problem+json", .chunked, slow, ["0:abc"]),
    ("text/html", .chunked, slow, ["0:abc"]),
    ("application/json", .chunked, late, ["0:[1,", "0.25:2]"]),
  ])
  func `a pause splits a streamed body into chunks, except with a length or in a document`(
    type: String, framing: ResponseHead.BodyFraming, arrivals: [Arrival], pieces: [String]
  ) throws {
    var capture = ResponseCapture(began: 0)
    Self.feed(&capture, type, framing, arrivals)
    let answer = capture.response(breaksOff: false)
    let response = try #require(answer)
    #expect(Self.pieces(of: response.body) == pieces)
  }

  @Test func `events that arrive at once are recorded as chunks`() {
    var capture = ResponseCapture(began: 0)
    Self.feed(&capture, "text/event-stream", .chunked, [(1, "data: 1\n\n")])
    guard case .chunks(let pieces, .complete) = capture.response(breaksOff: false)?.body?.form else {
      Issue.record("the events are not recorded as chunks")
      return
    }
    #expect(pieces.map(\.bytes) == [Array("data: 1\n\n".utf8)])
  }

  @Test(arguments: [
    ("data: 1\n\ndata: {\"half\":", "data: 1\n\n"), ("data: 1\r\n\r\ndata: 2\r\n", "data: 1\r\n\r\n"),
    ("data: 1\r\rdata: 2\r", "data: 1\r\r"), ("data: 1\n\ndata: 2\n\n", "data: 1\n\ndata: 2\n\n"), ("data: 1\n", nil),
  ])
  func `of a stream that its client cancelled only whole events are recorded`(text: String, kept: String?) throws {
    for size in [1, 7, 100] {
      var capture = ResponseCapture(began: 0)
      let bytes = Array(text.utf8)
      let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
      Self.feed(&capture, "text/event-stream", .chunked, parts.map { (30, String(decoding: $0, as: UTF8.self)) })
      capture.leave()
      let body = capture.response(breaksOff: false)?.body
      #expect(try body.map { String(decoding: try $0.bytes(), as: UTF8.self) } == kept)
      #expect(capture.facts(at: 0).isCut == (kept != nil))
    }
  }

  @Test func `a document that its client cancelled is not recorded`() {
    var capture = ResponseCapture(began: 0)
    Self.feed(&capture, "application/json", .length(9), [(1, "{}\n\n")])
    capture.leave()
    #expect(capture.loss == "its client disconnected")
  }

  @Test func `a truncated body is recorded with its end`() {
    var capture = ResponseCapture(began: 0)
    Self.feed(&capture, "text/plain", .length(9), [(1, "abc")])
    guard case .chunks(let pieces, .reset) = capture.response(breaksOff: true)?.body?.form else {
      Issue.record("the body is not recorded as truncated")
      return
    }
    #expect(pieces.map(\.bytes) == [Array("abc".utf8)])
  }

  @Test(arguments: [true, false])
  func `a body that decodes beyond the limit is recorded compressed, or not at all if only decoded bytes are known`(
    hasCoded: Bool
  ) {
    var capture = ResponseCapture(began: 0, hasCoded: hasCoded)
    capture.keepsOpaque = true
    let head = ResponseHead(status: 200, headers: ["Content-Encoding": "gzip"])
    capture.begin(head, .chunked, isDecoded: true, at: 1)
    capture.note(3, at: 2)
    let part = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<65 where capture.isCoded { capture.append(decoded: part) }
    capture.append(coded: [1, 2, 3])
    let response = capture.response(breaksOff: false)
    #expect((response != nil) == hasCoded)
    #expect((capture.loss ?? "").contains("its decoded body is longer") != hasCoded)
    #expect(response?.headers["Content-Encoding"] == (hasCoded ? "gzip" : nil))
    #expect(response?.coding == nil)
  }

  @Test(arguments: [("application/json", true), ("application/json", false), ("application/x-ndjson", false)])
  func `a long body stays in memory for JSON paths and for streams of lines`(type: String, followsPaths: Bool) throws {
    let store = Store()
    var capture = ResponseCapture(began: 0, store: { store })
    capture.followsPaths = followsPaths
    let line = "{\"content\":\"\(String(repeating: "a ", count: 500))\"}"
    let isStream = type.hasSuffix("ndjson")
    let count = 5000
    let part = isStream ? line + "\n" : line + ","
    let body = isStream ? String(repeating: part, count: count) : "[\(String(repeating: part, count: count))0]"
    Self.feed(&capture, type, .length(body.utf8.count), [(1, body)])
    let answer = capture.response(breaksOff: false)
    let response = try #require(answer)
    #expect(capture.isStored == (!followsPaths && !isStream))
    #expect(try response.body?.bytes() == (capture.isStored ? nil : Array(body.utf8)))
    #expect(store.count == (capture.isStored ? body.utf8.count : 0))
  }

  @Test func `a body too long for JSON paths is not recorded, and the reason names a remedy`() {
    let store = Store()
    var capture = ResponseCapture(began: 0, store: { store })
    capture.followsPaths = true
    let part = String(repeating: "[0,0,0,0,0,0,0]\n", count: 1 << 16)
    Self.feed(&capture, "application/json", .chunked, (0..<65).map { _ in (0, part) })
    let answer = capture.response(breaksOff: false)
    #expect(answer == nil)
    #expect(capture.loss?.contains("the limit for json: places; omit these places") == true)
  }

  /// A store that counts its bytes.
  private final class Store: LongBody {
    var count = 0
    var isFull: Bool { false }
    func begin(_ response: RecordedResponse) {}
    func append(_ bytes: [UInt8]) { count += bytes.count }
    func abandon() { count = 0 }
  }

  @Test func `a decoded body is recorded with its coding and without Content-Encoding`() throws {
    var capture = ResponseCapture(began: 0, hasCoded: false)
    capture.begin(
      ResponseHead(status: 200, headers: ["Content-Encoding": "gzip"]), .length(9), isDecoded: true, at: 1)
    capture.note(9, at: 2)
    capture.append(decoded: Array("plain".utf8))
    let answer = capture.response(breaksOff: false)
    let response = try #require(answer)
    #expect(response.coding == "gzip")
    #expect(response.headers.isEmpty)
  }

  @Test func `recorded times are rounded to milliseconds`() {
    var capture = ResponseCapture(began: 1_000_000)
    capture.begin(ResponseHead(status: 200), .length(0), isDecoded: false, at: 13_400_000)
    capture.ended = 26_600_000
    let facts = capture.facts(at: 1_700_000_000_123_000_000)
    #expect(facts.at == "2023-11-14T22:13:20.123Z")
    #expect(facts.firstByte == 0.012)
    #expect(facts.total == 0.026)
  }

  private static func feed(
    _ capture: inout ResponseCapture, _ type: String, _ framing: ResponseHead.BodyFraming, _ arrivals: [Arrival]
  ) {
    var now: UInt64 = 5_000_000
    capture.begin(ResponseHead(status: 200, headers: ["Content-Type": type]), framing, isDecoded: false, at: now)
    for (after, text) in arrivals {
      now += after * 1_000_000
      capture.note(text.utf8.count, at: now)
      capture.append(Array(text.utf8))
    }
  }

  private static func pieces(of body: Body?) -> [String] {
    guard let body else { return [] }
    if case .chunks(let pieces, _) = body.form {
      return pieces.map { "\($0.after == 0 ? "0" : "\($0.after)"):\(String(decoding: $0.bytes, as: UTF8.self))" }
    }
    return ["0:" + ((try? body.bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "?")]
  }
}
