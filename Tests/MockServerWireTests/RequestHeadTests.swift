import CassetteHTTP
import CassetteSystem
import MockServerWire
import Testing

struct RequestHeadTests {
  private func head(_ text: String, limits: ParserLimits = ParserLimits()) throws -> RequestHead {
    var parser = RequestParser(limits: limits)
    let bytes = Array(text.utf8)
    // A macro cannot take a span.
    let isComplete = try parser.parse(bytes.span)
    try #require(isComplete)
    return parser.head
  }

  @Test(arguments: [
    ("1.1", "", true, false), ("1.1", "close", false, false), ("1.1", "keep-alive", true, false),
    ("1.1", "Upgrade, CLOSE", false, false), ("1.1", "closed, x-close", true, false),
    ("1.1", "keep-alive, close", false, false),
    ("1.0", "", false, false), ("1.0", "Keep-Alive", true, true), ("1.0", ", keep-alive ,", true, true),
    ("1.0", "keep-alive, close", false, false),
  ])
  func `the version and the Connection field decide if the connection persists`(
    version: String, connection: String, persists: Bool, saysKeepAlive: Bool
  ) throws {
    let field = connection.isEmpty ? "" : "Connection: \(connection)\r\n"
    let head = try head(get(field, version: version))
    #expect(head.persists == persists)
    #expect(head.saysKeepAlive == saysKeepAlive)
  }

  @Test(arguments: [
    ("Content-Length: 3\r\nExpect: 100-Continue\r\n", "1.1", true), ("Expect: 100-continue\r\n", "1.1", false),
    ("Content-Length: 3\r\nExpect: 100-continue\r\n", "1.0", false),
    ("Content-Length: 3\r\nExpect: 200-ok\r\n", "1.1", false),
    ("Transfer-Encoding: chunked\r\nExpect: x, 100-continue\r\n", "1.1", true),
  ])
  func `only an HTTP/1.1 request with a body expects 100 Continue`(fields: String, version: String, waits: Bool) throws
  {
    #expect(try head(get(fields, version: version)).expectsContinue == waits)
  }

  @Test(arguments: [
    ("", RequestHead.BodyFraming.none), ("Content-Length: 0\r\n", .none), ("Content-Length: 12\r\n", .length(12)),
    ("Transfer-Encoding: chunked\r\n", .chunked),
  ])
  func `the framing of a body follows from Content-Length or Transfer-Encoding`(
    fields: String, framing: RequestHead.BodyFraming
  ) throws {
    #expect(try head(get(fields)).framing == framing)
  }

  @Test(arguments: [
    ("If-None-Match: *", RequestHead.Notable.conditional), ("if-range: a", .conditional), ("RANGE: bytes=0-1", .range),
    ("Origin: null", .origin), ("X-Mock-Session: a", .session), ("Access-Control-Request-Method: PUT", .accessControl),
    ("access-control-request-headers: a", .accessControl), ("Upgrade: h2c", .upgrade),
    ("Iffy: a", RequestHead.Notable()),
    ("Ranges: a", RequestHead.Notable()),
    ("X-Mock-Sessiom: a", RequestHead.Notable()), ("Access-Control-Allow-Origin: a", RequestHead.Notable()),
  ])
  func `header fields that affect the response are marked as notable`(field: String, notable: RequestHead.Notable)
    throws
  {
    #expect(try head(get(field + "\r\n")).notable == notable)
  }

  @Test(arguments: [
    ("/", "GET", "shop.test"), ("http://me@other.test:81/a", "GET", "other.test:81"),
    ("t.test:443", "CONNECT", "t.test:443"),
  ])
  func `the host of an absolute target replaces the Host field`(target: String, method: String, host: String) throws {
    let text = get(target: target, method: method)
    let head = try head(text)
    let slice = try #require(head.host)
    #expect(String(decoding: Array(text.utf8)[slice.range], as: UTF8.self) == host)
  }

  @Test func `a header field is found in any case`() throws {
    let text = "\r\n" + get("ACCEPT: a\r\nAccept: b\r\n")
    let head = try head(text)
    let bytes = Array(text.utf8)
    let accept = head.value(of: "accept", in: bytes.span)
    let accepts = head.value(of: "accepts", in: bytes.span)
    #expect(accept.map { bytes[$0.range] } == [UInt8(ascii: "a")])
    #expect(accepts == nil)
    #expect(head.length == bytes.count)
    #expect(head.fields.count == 3)
  }

  @Test func `a reset parser keeps nothing of the previous head`() throws {
    var parser = RequestParser()
    let first = Array(get("Connection: close\r\nIf-Match: a\r\nContent-Length: 3\r\n", target: "http://b.test/").utf8)
    let second = Array("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8)
    var isComplete = try parser.parse(first.span)
    #expect(isComplete && parser.hasStarted)
    parser.reset()
    #expect(!parser.hasStarted)
    isComplete = try parser.parse(second.span)
    #expect(isComplete)
    #expect(parser.head.fields.count == 1)
    #expect(parser.head.host == nil)
    #expect(parser.head.targetForm == .origin)
    #expect(parser.head.framing == .none)
    #expect(parser.head.notable == RequestHead.Notable())
    #expect(parser.head.saysKeepAlive)
  }

  @Test func `empty lines before a request do not start it`() throws {
    var parser = RequestParser()
    let bytes = Array("\r\n\r\nG".utf8)
    for count in 0...bytes.count {
      let isComplete = try parser.parse(bytes.span.extracting(0..<count))
      #expect(!isComplete)
      #expect(parser.hasStarted == (count == bytes.count))
    }
  }
}
