import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct CallEchoTests {
  private static let json: HTTPHeaders = ["Content-Type": "application/json"]

  private static func call(_ id: String, _ method: String = "sum") -> String {
    #"{"jsonrpc": "2.0", "id": \#(id), "method": "\#(method)"}"#
  }

  private static func result(_ id: String, _ value: String = "1") -> String {
    #"{"jsonrpc": "2.0", "result": \#(value), "id": \#(id)}"#
  }

  private func answer(
    _ recorded: String?, _ content: Body, to sent: String, _ level: MatchLevel = .exact
  ) throws -> PlayedBody {
    let interaction = Interaction(
      method: .post, url: "/rpc", requestHeaders: recorded == nil ? [] : Self.json,
      requestBody: recorded.map { .storing(Array($0.utf8)) },
      outcome: .response(RecordedResponse(status: 200, headers: Self.json, body: content)), repeatPolicy: .loop)
    var matching = CassetteMatchingOptions()
    matching.level = level
    let deck = Exchange.deck([interaction], matching: matching)
    return try deck.response(Exchange.request("POST /rpc", Self.json, body: sent)).body
  }

  private func text(_ recorded: String?, _ content: String, to sent: String) throws -> String? {
    guard case .bytes(let bytes) = try answer(recorded, .storing(Array(content.utf8)), to: sent) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["7", "\"a-1\"", "\"\\u00e9\"", "1.5", "1", "\"1\"", "12345678901234567890"])
  func `an answer of JSON-RPC has the id of the request and is otherwise unchanged`(id: String) throws {
    let content = #"{ "result": {"id": 1},"jsonrpc":"2.0" , "id" : 1 }"#
    let wanted = #"{ "result": {"id": 1},"jsonrpc":"2.0" , "id" : \#(id) }"#
    #expect(try text(Self.call("1"), content, to: Self.call(id)) == wanted)
  }

  @Test(arguments: [(#""a\u0041/""#, #""aA\/""#), (#""\u00e9""#, #""é""#)])
  func `a recorded id is found in the answer with other escapes`(recorded: String, answered: String) throws {
    let wanted = Self.result(#""b\n""#)
    #expect(try text(Self.call(recorded), Self.result(answered), to: Self.call(#""b\n""#)) == wanted)
  }

  @Test func `a null id stays null, and an error without an id keeps its null`() throws {
    #expect(try text(Self.call("null"), Self.result("null"), to: Self.call("null")) == Self.result("null"))
    #expect(try text(Self.call("1"), Self.result("null"), to: Self.call("2")) == Self.result("null"))
  }

  @Test func `with loose matching the answer to a call with the recorded id null has the id of the request`() throws {
    let content = Body.storing(Array(Self.result("null").utf8))
    let answer = try answer(Self.call("null"), content, to: Self.call("7"), .loose)
    guard case .bytes(let bytes) = answer else {
      Issue.record("the answer is not in memory")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == Self.result("7"))
  }

  @Test func `the answers of a batch have the ids of their calls in any order`() throws {
    let recorded = "[\(Self.call("1", "a")), \(Self.call("2", "b")), \(Self.call("3", "c"))]"
    let sent = "[\(Self.call("2", "a")), \(Self.call("\"x\"", "b")), \(Self.call("1", "c"))]"
    let content = "[\(Self.result("3", "30")), \(Self.result("1", "10")), \(Self.result("2", "20"))]"
    let wanted = "[\(Self.result("1", "30")), \(Self.result("2", "10")), \(Self.result("\"x\"", "20"))]"
    #expect(try text(recorded, content, to: sent) == wanted)
  }

  @Test func `calls of a batch in another order are paired by method`() throws {
    let recorded = Array("[\(Self.call("1", "a")), \(Self.call("2", "b"))]".utf8)
    let sent = Array("[\(Self.call("8", "b")), \(Self.call("9", "a"))]".utf8)
    let content = Array("[\(Self.result("1", "10")), \(Self.result("2", "20"))]".utf8)
    var echo = try #require(CallEcho(sent, recorded: recorded, isMade: false))
    #expect(echo.edits(of: content).map { String(decoding: $0.id, as: UTF8.self) } == ["9", "8"])
  }

  @Test func `a truncated stream has the id of the request`() throws {
    func cut(_ id: String) -> [UInt8] { Array("data: \(Self.result(id))\n\ndata: {\"jsonrpc\"".utf8) }
    var body = PlayedBody.measured([BodyChunk(bytes: cut("1"))], length: 500, breaksOff: true)
    let (sent, recorded) = (Array(Self.call("\"abc\"").utf8), Array(Self.call("1").utf8))
    try body.echo(#require(CallEcho(sent, recorded: recorded, isMade: false)))
    guard case .measured(let pieces, 504, true) = body else { throw CassetteError(file: "", message: "\(body)") }
    #expect(pieces.flatMap(\.bytes) == cut("\"abc\""))
  }

  @Test func `a recording without a request body answers with the id of the request`() throws {
    #expect(try text(nil, Self.result("1"), to: Self.call("\"b\"")) == Self.result("\"b\""))
  }

  @Test func `messages in event streams, in lines and across chunks have the id of the request`() throws {
    let events = [
      "event: message\ndata: {\"jsonrpc\": \"2.0\", \"method\": \"ask\", \"id\": 1}\n\n",
      "id: 5\r\ndata: {\"jsonrpc\": \"2.0\",\r\ndata: \"result\": 1, \"id\": 1", "234}\r\n\r\n",
    ]
    let body = Body.chunks(events.map { BodyChunk(after: 0.5, bytes: Array($0.utf8)) }, end: .complete)
    guard case .pieces(let pieces, false) = try answer(Self.call("1234"), body, to: Self.call("\"q\"")) else {
      Issue.record("the answer has no chunks")
      return
    }
    #expect(pieces.map(\.after) == [0.5, 0.5, 0.5])
    #expect(
      pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        events[0], "id: 5\r\ndata: {\"jsonrpc\": \"2.0\",\r\ndata: \"result\": 1, \"id\": \"q\"", "}\r\n\r\n",
      ])
    let lines = "{\"jsonrpc\":\"2.0\",\"method\":\"progress\"}\n\(Self.result("1"))\nno JSON\n{\"a\":\n"
    #expect(
      try text(Self.call("1"), lines, to: Self.call("2"))
        == lines.replacing(Self.result("1"), with: Self.result("2")))
  }

  @Test func `an answer whose template renders the id is not changed`() throws {
    var response = RecordedResponse(
      status: 200, headers: Self.json,
      body: .storing(Array(#"[{"jsonrpc": "2.0", "id": "{{body.$[0].id}}", "result": 1}]"#.utf8)))
    response.isTemplate = true
    let interaction = Interaction(
      method: .post, url: "/rpc", requestHeaders: Self.json,
      requestBody: .storing(Array("[\(Self.call("1", "a")), \(Self.call("2", "b"))]".utf8)),
      outcome: .response(response))
    let deck = Exchange.deck([interaction])
    let sent = "[\(Self.call("2", "a")), \(Self.call("1", "b"))]"
    let played = try deck.response(Exchange.request("POST /rpc", Self.json, body: sent))
    #expect(played.text == #"[{"jsonrpc": "2.0", "id": 2, "result": 1}]"#)
  }

  @Test func `an answer to a request other than JSON-RPC 2.0 keeps its id`() throws {
    let content = #"{"jsonrpc": "1.0", "id": 1}"#
    #expect(try text(nil, content, to: Self.call("2")) == content)
    #expect(try text(nil, Self.result("1"), to: #"{"id": 2, "method": "a"}"#) == Self.result("1"))
  }
}
