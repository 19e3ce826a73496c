import CassetteHTTP
import CassetteSystem
import MockServerWire
import Testing

@testable import MockServerKit

/// Answers every request with its method, target and body, and stores them.
private final class Mirror: RequestHandler {
  var requests: [String] = []
  var nextAction: [NextAction] = []
  let limits: ParserLimits

  init(limits: ParserLimits = ParserLimits()) { self.limits = limits }

  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction {
    let request = HTTPRequest(head: head, bytes: bytes, body: body)
    let text = "\(request.method) \(request.target.text) \(String(decoding: body, as: UTF8.self))"
    requests.append(text)
    output.append("<\(text)>")
    if !nextAction.isEmpty { return nextAction.removeFirst() }
    return head.persists ? .persist : .close
  }

  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output) {
    output.append("!\(error.status.code)\(isHead ? " without content" : "")")
  }

  func makeParser() -> RequestParser { RequestParser(limits: limits) }
}

@Suite struct HTTPConnectionTests {
  /// Feeds the pieces to a connection, and returns its output and the connection.
  private func feed(_ pieces: [[UInt8]], _ mirror: Mirror = Mirror()) -> (String, HTTPConnection) {
    let connection = HTTPConnection()
    var parser = mirror.makeParser()
    var output = Output()
    for piece in pieces { connection.receive(piece.span, parser: &parser, handler: mirror, output: &output) }
    return (String(decoding: output.bytes, as: UTF8.self), connection)
  }

  private func feed(_ text: String, _ mirror: Mirror = Mirror()) -> (String, HTTPConnection) {
    feed([Array(text.utf8)], mirror)
  }

  private static let streams = [
    "GET /a HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nHEAD /c HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
    "\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n\r\nGET /b HTTP/1.0\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
  ]

  @Test(arguments: streams)
  func `a stream of requests has the same answers for every split of its bytes`(stream: String) {
    let bytes = Array(stream.utf8)
    let (whole, _) = feed([bytes])
    #expect(!whole.isEmpty)
    let (single, _) = feed(bytes.map { [$0] })
    #expect(single == whole)
    for split in 1..<bytes.count {
      let (parts, _) = feed([Array(bytes[..<split]), Array(bytes[split...])])
      #expect(parts == whole, "split at \(split)")
    }
  }

  @Test func `pipelined requests are answered in order`() {
    let (text, connection) = feed(Self.streams[1])
    #expect(text == "<GET /a ><GET /b ><HEAD /c >")
    #expect(connection.persists)
  }

  @Test func `a request after Connection close is not answered`() {
    let (text, connection) = feed(
      "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(text == "<GET /a >")
    #expect(!connection.persists)
    #expect(connection.hasUnreadInput)
  }

  @Test func `a malformed request is refused, and the requests after it are not read`() {
    let (text, connection) = feed("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(text == "!400")
    #expect(!connection.persists)
  }

  @Test func `a malformed HEAD request is refused without content`() {
    #expect(feed("HEAD /a HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n").0 == "!400 without content")
  }

  @Test func `Expect 100-continue is answered once, and not if the body has arrived`() {
    let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    let (waiting, connection) = feed([Array(head.utf8), [UInt8(ascii: "h")]])
    #expect(waiting == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(connection.isMidRequest)
    let (whole, _) = feed(head + "hi")
    #expect(whole == "<POST /a hi>")
  }

  @Test func `a request that the client cuts off is refused with 400`() {
    let mirror = Mirror()
    let connection = HTTPConnection()
    var parser = mirror.makeParser()
    var output = Output()
    connection.receive(Array("GET /a HT".utf8).span, parser: &parser, handler: mirror, output: &output)
    connection.receiveEnd(handler: mirror, output: &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "!400")
    #expect(mirror.requests.isEmpty)
  }

  @Test func `an end of the connection between requests is not an error`() {
    let mirror = Mirror()
    let connection = HTTPConnection()
    var output = Output()
    connection.receiveEnd(handler: mirror, output: &output)
    #expect(output.isEmpty)
    #expect(!connection.persists)
  }

  @Test func `a head that does not arrive in time is answered with 408`() {
    let mirror = Mirror()
    let connection = HTTPConnection()
    var parser = mirror.makeParser()
    var output = Output()
    connection.receive(Array("GET /a".utf8).span, parser: &parser, handler: mirror, output: &output)
    #expect(connection.isMidHead)
    connection.expire(handler: mirror, output: &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "!408")
  }

  @Test func `a body beyond the limit is refused with 413 before it is read`() {
    let mirror = Mirror(limits: ParserLimits(body: 10))
    let (text, _) = feed("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n", mirror)
    #expect(text == "!413")
    let (chunked, _) = feed(
      "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n8\r\n",
      Mirror(limits: ParserLimits(body: 10)))
    #expect(chunked == "!413")
  }

  @Test func `requests that arrive during a streamed answer are answered after its end`() {
    let mirror = Mirror()
    let stream = PieceStream([], end: nil, isChunked: true, persists: true)
    mirror.nextAction = [.stream(stream)]
    let connection = HTTPConnection()
    var parser = mirror.makeParser()
    var output = Output()
    let two = Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    connection.receive(two.span, parser: &parser, handler: mirror, output: &output)
    #expect(mirror.requests == ["GET /a "])
    connection.resume(parser: &parser, handler: mirror, output: &output)
    #expect(mirror.requests == ["GET /a ", "GET /b "])
  }

  @Test func `an idle connection has no request in progress`() {
    let (_, connection) = feed(Self.streams[0])
    #expect(!connection.isMidRequest)
  }
}
