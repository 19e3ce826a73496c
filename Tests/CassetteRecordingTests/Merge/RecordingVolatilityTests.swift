import CassetteHTTP
import CassetteRecording
import Cassettes
import TestSupport
import Testing

/// Values that differ each time, and changes of data.
struct RecordingVolatilityTests {
  private struct Exchange {
    var target = "/a"
    var method: HTTPMethod = .get
    var sends: HTTPHeaders = [:]
    var headers: HTTPHeaders = [:]
    var body = ""
  }

  private static let then = "2026-11-21T01:00:00Z"
  private static let later = "2026-12-24T18:30:00Z"

  private func record(_ exchanges: [Exchange], into cassette: Cassette?, at time: String) throws -> (
    cassette: Cassette, changes: Recording.Changes
  ) {
    let recording = Recording(into: cassette ?? Cassette(name: "test"))
    for exchange in exchanges {
      let request = HTTPRequest(
        method: exchange.method, target: try #require(HTTPTarget(exchange.target)), headers: exchange.sends)
      let token = recording.begin(request, origin: "https://a.test")
      let body = exchange.body.isEmpty ? nil : Body.storing(Array(exchange.body.utf8))
      recording.finish(
        token, RecordedResponse(status: 200, headers: exchange.headers, body: body),
        recorded: RecordedFacts(at: time, firstByte: 0.1, total: 0.2))
    }
    let (cassette, changes) = try recording.merged()
    return (try CassetteFile.read(bytes: CassetteFile.bytes(of: cassette), name: "test", file: nil), changes)
  }

  /// Records twice, and returns the changed ids, the text of the file, and true if the text is unchanged.
  private func again(_ first: [Exchange], _ second: [Exchange]) throws -> (
    changed: [String], text: String, isSame: Bool
  ) {
    let old = try record(first, into: nil, at: Self.then).cassette
    let (new, changes) = try record(second, into: old, at: Self.later)
    let text = try text(of: new)
    return (changes.changed, text, try self.text(of: old) == text)
  }

  private func text(of cassette: Cassette) throws -> String {
    String(decoding: try CassetteFile.bytes(of: cassette), as: UTF8.self)
  }

  @Test func `recording the same answer again after a change changes nothing`() throws {
    let old = try record([Exchange(body: #"{"n":1,"exp":"2026-11-21T02:00:00Z"}"#)], into: nil, at: Self.then).cassette
    let new = Exchange(body: #"{"n":2,"exp":"2026-12-24T19:30:00Z"}"#)
    let changed = try record([new], into: old, at: Self.later)
    #expect(changed.changes.changed == ["get-a"])
    #expect(try text(of: changed.cassette).contains("2026-12-24T19:30:00Z"))
    let same = Exchange(body: #"{"n":2,"exp":"2026-12-24T20:00:00Z"}"#)
    let again = try record([same], into: changed.cassette, at: "2026-12-24T19:00:00Z")
    #expect(again.changes.changed == [])
    #expect(try text(of: again.cassette) == text(of: changed.cassette))
  }

  @Test(arguments: [
    // The clock's time in each format, and times ahead of the clock.
    (#"{"now":"2026-11-21T00:59:59Z"}"#, #"{"now":"2026-12-24T18:30:00Z"}"#),
    (#"{"now":"Sat, 21 Nov 2026 01:00:00 GMT"}"#, #"{"now":"Thu, 24 Dec 2026 18:30:01 GMT"}"#),
    (#"{"a":[{"now":1795222800}]}"#, #"{"a":[{"now":1798137002}]}"#),
    (#"{"now":1795222800123.5}"#, #"{"now":1798137000456.25}"#),
    (#"{"expires":"2026-11-21T02:00:00Z"}"#, #"{"expires":"2026-12-24T19:30:01Z"}"#),
    // Names of volatile values.
    (#"{"request_id":"r-1","n":1}"#, #"{"request_id":"r-2","n":1}"#),
    (#"{"meta":{"traceId":"00f0"}}"#, #"{"meta":{"traceId":"f00f"}}"#),
    (
      #"{"core":{"limit":60,"remaining":59,"reset":1,"used":1}}"#,
      #"{"core":{"limit":60,"remaining":12,"reset":2,"used":48}}"#
    ),
  ])
  func `clock times, request ids and rate limits keep the recorded text`(old: String, new: String) throws {
    let result = try again([Exchange(body: old)], [Exchange(body: new)])
    #expect(result.changed.isEmpty)
    #expect(result.isSame)
  }

  @Test(arguments: [
    (#"{"n":1}"#, #"{"n":2}"#), (#"{"name":"x"}"#, #"{"name":"y"}"#),
    // A time that does not move with the clock.
    (#"{"updated_at":"2020-01-01T00:00:00Z"}"#, #"{"updated_at":"2026-12-23T00:00:00Z"}"#),
    (#"{"updated_at":"2020-01-01T00:00:00Z"}"#, #"{"updated_at":"2020-01-01T00:00:02Z"}"#),
    // An id that was never seen to change; the next request may contain it.
    (#"{"id":"4e1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d"}"#, #"{"id":"5f1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d"}"#),
    (#"{"remaining":3,"limit":"x"}"#, #"{"remaining":3,"limit":"y"}"#), (#"{"remaining":3}"#, #"{"remaining":4}"#),
    (#"{"now":"2026-11-21T01:00:00Z"}"#, #"{"now":null}"#),
    (#"{"now":1795222800}"#, #"{"now":"2026-12-24T18:30:00Z"}"#),
    (#"{"a":1}"#, #"{"a":1,"b":2}"#), ("[1]", "[1,2]"), ("text", "other"),
  ])
  func `a changed value, another time or another id counts as a change`(old: String, new: String) throws {
    let result = try again([Exchange(body: old)], [Exchange(body: new)])
    #expect(result.changed == ["get-a"])
    #expect(!result.isSame)
  }

  @Test func `a changed body is written as a whole, and volatile header fields keep their values`() throws {
    let result = try again(
      [
        Exchange(
          headers: ["Date": "d1", "X-Request-Id": "r1"], body: #"{"now":1795222800,"n":1, "r":{"requestId":"x"}}"#)
      ],
      [
        Exchange(
          headers: ["Date": "d2", "X-Request-Id": "r2"], body: #"{"now":1798137000,"n":2, "r":{"requestId":"y"}}"#)
      ])
    #expect(result.changed == ["get-a"])
    for kept in ["d1", "r1", "1798137000", "\\\"requestId\\\":\\\"y\\\""] {
      #expect(result.text.contains(kept), "\(kept)")
    }
    #expect(result.text.contains("\\\"n\\\":2"))
  }

  @Test func `a header field that differs between answers with equal bodies is volatile`() throws {
    func session(_ number: Int) -> [Exchange] {
      (0..<2).map { Exchange(headers: ["X-Served-In": "\(number)-\($0)", "X-Version": "7"], body: "same") }
        + [Exchange(target: "/b", headers: ["X-Served-In": "b\(number)"], body: "other")]
    }
    #expect(try again(session(1), session(2)).isSame)
    var changed = session(2)
    changed[2].headers.set("X-Version", "8")
    #expect(try again(session(1), changed).changed == ["get-b"])
  }

  @Test(arguments: ["Location", "Link", "Content-Type", "Cache-Control", "Last-Modified"])
  func `a field with a defined meaning is never volatile`(name: String) throws {
    func session(_ number: Int) -> [Exchange] { (0..<2).map { Exchange(headers: [(name, "v\(number)\($0)")]) } }
    #expect(try again(session(1), session(2)).changed == ["get-a", "get-a-2"])
  }

  private static func uuid(_ digit: Int) -> String { "\(digit)e1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d" }

  private static func digits(_ digit: Int) -> String { "\(digit)af7651916cd43dd8448eb211c80319c" }

  @Test(
    arguments: [
      // One answer is enough for a UUID and for a time that moves with the clock.
      (["X-Span": uuid(1)], ["X-Span": uuid(2)], true), (["X-Now": "1795222801"], ["X-Now": "1798137002"], true),
      (["Last-Modified": "Sat, 21 Nov 2026 01:00:00 GMT"], ["Last-Modified": "Thu, 24 Dec 2026 18:30:00 GMT"], true),
      (["Last-Modified": "Sat, 21 Nov 2020 01:00:00 GMT"], ["Last-Modified": "Thu, 24 Dec 2020 10:10:00 GMT"], false),
      // Digits may identify a deployment, and an entity tag has a meaning.
      (["X-Revision": digits(1)], ["X-Revision": digits(2)], false), (["ETag": uuid(1)], ["ETag": uuid(2)], false),
      (["X-A": "1"], ["X-A": "2"], false), (["X-A": uuid(1)], ["X-B": uuid(1)], false),
    ] as [(HTTPHeaders, HTTPHeaders, Bool)])
  func `a header field with a UUID or the clock time is volatile for an equal body`(
    old: HTTPHeaders, new: HTTPHeaders, isSame: Bool
  ) throws {
    #expect(try again([Exchange(headers: old, body: "x")], [Exchange(headers: new, body: "x")]).isSame == isSame)
  }

  @Test func `hexadecimal digits that differ in all answers are volatile, and common ones are not`() throws {
    func session(_ number: Int, of all: String) -> [Exchange] {
      (0..<3).map { index in
        Exchange(
          target: "/\(index)", headers: ["X-Span": Self.digits(number + index), "X-Revision": all], body: "\(index)")
      }
    }
    #expect(try again(session(1, of: Self.digits(1)), session(5, of: Self.digits(1))).isSame)
    #expect(try again(session(1, of: Self.digits(1)), session(5, of: Self.digits(2))).changed.count == 3)
  }

  @Test func `a changed body is written with its new id`() throws {
    let result = try again(
      [Exchange(headers: ["X-Hash": Self.uuid(1)], body: "x")], [Exchange(headers: ["X-Hash": Self.uuid(2)], body: "y")]
    )
    #expect(result.text.contains(Self.uuid(2)))
  }

  @Test func `answers to POST requests make no field volatile`() throws {
    func session(_ number: Int) -> [Exchange] {
      (0..<2).map { Exchange(method: .post, headers: ["X-Made": "v\(number)\($0)"]) }
    }
    #expect(try again(session(1), session(2)).changed == ["post-a", "post-a-2"])
  }

  @Test func `a field value that a later request contains is not volatile`() throws {
    func session(_ tag: String) -> [Exchange] {
      [
        Exchange(headers: ["ETag": "\(tag)-one"], body: "same"),
        Exchange(headers: ["ETag": "\(tag)-two"], body: "same"),
        Exchange(target: "/b", sends: ["If-Match": "\(tag)-two"]),
      ]
    }
    let result = try again(session("first"), session("second"))
    #expect(result.changed.contains("get-a-2"))
    #expect(result.text.contains(#"["ETag", "second-two"]"#))
  }

  @Test func `an id that alone differs between answers is volatile`() throws {
    func session(_ digit: String, state: [String] = ["x", "x"]) -> [Exchange] {
      state.enumerated().map { index, state in
        Exchange(body: #"{"run":"\#(digit)\#(index)1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d","state":"\#(state)"}"#)
      }
    }
    #expect(try again(session("4"), session("5")).isSame)
    // An id that changes with the state of a job is not volatile.
    #expect(
      try again(session("4", state: ["pending", "done"]), session("5", state: ["pending", "done"])).changed
        == ["get-a", "get-a-2"])
  }

  @Test func `an id that changes together with other members is not volatile`() throws {
    func session(_ number: Int) -> [Exchange] {
      [
        Exchange(body: #"{"run":"\#(Self.uuid(number))"}"#),
        Exchange(body: #"{"run":"\#(Self.uuid(number + 1))","more":1}"#),
      ]
    }
    #expect(try again(session(1), session(3)).changed == ["get-a", "get-a-2"])
  }

  @Test(arguments: 0..<24)
  func `random answers recorded again with a later clock leave the file unchanged`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed) + 31)
    var (first, second): ([Exchange], [Exchange]) = ([], [])
    for number in 0..<Int.random(in: 1...8, using: &random) {
      var json = RandomJSON(random: random, space: ["", " "])
      let value = json.value()
      random = json.random
      let offset = Int.random(in: 0..<7_200, using: &random)
      for (time, tag) in [(1_795_222_800, "a"), (1_798_137_000, "b")] {
        let exchange = Exchange(
          target: "/\(Int.random(in: 0..<3, using: &random) + number * 10)",
          headers: ["Date": HTTPDate.format(time), "X-Request-Id": "\(tag)\(number)", "RateLimit-Remaining": "\(tag)"],
          body: #"{"v":\#(value),"until":\#(time + offset)}"#)
        if tag == "a" { first.append(exchange) } else { second.append(exchange) }
      }
      second[second.count - 1].target = first[first.count - 1].target
    }
    let result = try again(first, second)
    #expect(result.changed.isEmpty)
    #expect(result.isSame)
    // An added member counts as a change.
    let place = Int.random(in: 0..<second.count, using: &random)
    second[place].body = second[place].body.replacing(#"{"v":"#, with: #"{"w":1,"v":"#)
    #expect(try again(first, second).changed.count == 1)
  }
}
