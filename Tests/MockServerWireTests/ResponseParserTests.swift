import CassetteHTTP
import CassetteSystem
import MockServerWire
import Testing

struct ResponseParserTests {
  private static let ok = "HTTP/1.1 200 OK\r\n"

  /// The result of parsing a stream, with its content joined.
  private struct Outcome: Equatable {
    var interims: [ResponseHead] = []
    var head: ResponseHead?
    var framing: ResponseHead.BodyFraming?
    var content = ""
    var trailers: HTTPHeaders?
    var consumed = 0
    var persists = false
    var error: ParseError?
  }

  private func parse(
    _ text: String, to method: HTTPMethod = .get, step: Int? = nil, ends: Bool = false,
    limits: ParserLimits = ParserLimits()
  ) -> Outcome {
    var parser = ResponseParser(to: method, limits: limits)
    var events: [ResponseParser.Event] = []
    var outcome = Outcome()
    let bytes = Array(text.utf8)
    do throws(ParseError) {
      for start in stride(from: 0, to: bytes.count, by: step ?? max(1, bytes.count)) where !parser.isComplete {
        let piece = Array(bytes[start..<min(bytes.count, start + (step ?? bytes.count))])
        outcome.consumed += try parser.parse(piece.span, into: &events)
      }
      if ends { try parser.parseEnd(into: &events) }
    } catch {
      outcome.error = error
    }
    for event in events {
      switch event {
      case .interim(let head): outcome.interims.append(head)
      case .head(let head, let framing): (outcome.head, outcome.framing) = (head, framing)
      case .content(let bytes): outcome.content += String(decoding: bytes, as: UTF8.self)
      case .end(let trailers): outcome.trailers = trailers
      }
    }
    outcome.persists = parser.persists
    return outcome
  }

  @Test(arguments: [1, 2, 5, 1_000])
  func `content before an invalid chunk is returned however it is split`(step: Int) {
    let outcome = parse(Self.ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\ndeX", step: step)
    #expect(outcome.content == "abcde")
    #expect(outcome.error?.status == 502)
    #expect(outcome.trailers == nil)
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\n", 200, "OK"), ("HTTP/1.1 200 \r\n", 200, ""), ("HTTP/1.1 200\r\n", 200, ""),
      ("HTTP/1.1 404 Nothing  here\r\n", 404, "Nothing  here"), ("HTTP/1.0 299 é\r\n", 299, "é"),
      ("HTTP/1.7 500 Later\r\n", 500, "Later"), ("\r\nHTTP/1.1 200 OK\r\n", 200, "OK"),
    ] as [(String, Int, String)])
  func `a status line is parsed to its status and reason`(line: String, status: Int, reason: String) {
    for step in [1, 2, 7, 1_000] {
      let outcome = parse(line + "Content-Length: 0\r\n\r\n", step: step)
      #expect(outcome.head?.status.code == status)
      #expect(outcome.head?.reason == reason)
      #expect(outcome.error == nil)
      #expect(outcome.trailers == [])
    }
  }

  @Test func `header fields keep their order, case and repetitions`() {
    let outcome = parse(
      Self.ok + "b: 1\r\nA: 2 \r\nB:\t3\r\nSet-Cookie: x=1\r\nset-cookie: y=2\r\nContent-Length: 0\r\n\r\n")
    let fields: HTTPHeaders = [
      ("b", "1"), ("A", "2"), ("B", "3"), ("Set-Cookie", "x=1"), ("set-cookie", "y=2"), ("Content-Length", "0"),
    ]
    #expect(outcome.head?.headers == fields)
  }

  @Test(
    arguments: [
      ("Content-Length: 5\r\n\r\nhello", "hello", true),
      ("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello", true),
      ("Content-Length: 5, 5\r\nConnection: close\r\n\r\nhello", "hello", false),
      ("Content-Length: 0\r\n\r\n", "", true),
      ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n", "hello", true),
      ("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello", false),
    ] as [(String, String, Bool)])
  func `a body split at any byte ends according to its framing`(rest: String, content: String, persists: Bool) {
    let text = Self.ok + rest
    let whole = parse(text + "HTTP/1.1 2")
    #expect(whole.content == content)
    #expect(whole.trailers == [])
    #expect(whole.persists == persists)
    #expect(whole.consumed == text.utf8.count)
    for step in 1...9 { #expect(parse(text + "HTTP/1.1 2", step: step).content == content) }
  }

  @Test func `a body without framing ends with the connection`() {
    let open = parse(Self.ok + "\r\nhello")
    #expect(open.content == "hello")
    #expect(open.trailers == nil)
    let ended = parse(Self.ok + "\r\nhello", ends: true)
    #expect(ended.trailers == [])
    #expect(ended.error == nil)
    #expect(!ended.persists)
  }

  @Test func `trailer fields are returned with the end of the body`() {
    let outcome = parse(
      Self.ok + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\nx-b: c\r\n\r\n", step: 3)
    #expect(outcome.trailers == [("X-Sum", "7"), ("x-b", "c")])
  }

  @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("POST", 204)])
  func `a response to HEAD, 204 or 304 has no body despite its Content-Length`(method: String, status: Int) {
    let text = "HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\n"
    let outcome = parse(text + "HTTP/1.1", to: HTTPMethod(method))
    #expect(outcome.framing == ResponseHead.BodyFraming.none)
    #expect(outcome.trailers == [])
    #expect(outcome.consumed == text.utf8.count)
    #expect(outcome.persists)
  }

  @Test func `interim responses are returned before the final response`() {
    let text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Self.ok
      + "Content-Length: 1\r\n\r\na"
    for step in [1, 5, 500] {
      let outcome = parse(text, step: step)
      #expect(outcome.interims.map(\.status.code) == [100, 103])
      #expect(outcome.interims.last?.headers == [("Link", "</a>")])
      #expect(outcome.content == "a")
    }
  }

  @Test(arguments: ["1.0", "1.1"])
  func `an HTTP/1.0 response persists only with a keep-alive Connection field`(version: String) {
    let plain = parse("HTTP/\(version) 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(plain.persists == (version == "1.1"))
    let kept = parse("HTTP/\(version) 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n")
    #expect(kept.persists)
  }

  @Test(arguments: [
    Row("RFC 9112 §4", "no HTTP", "SSH-2.0-OpenSSH\r\n", 502),
    Row("RFC 9112 §4", "another version", "HTTP/2.0 200 OK\r\n", 502),
    Row("RFC 9112 §4", "two digits", "HTTP/1.1 20 OK\r\n", 502),
    Row("RFC 9112 §4", "four digits", "HTTP/1.1 2000 OK\r\n", 502),
    Row("RFC 9112 §4", "a status below 100", "HTTP/1.1 099 OK\r\n", 502),
    Row("RFC 9112 §4", "a control character in the reason", "HTTP/1.1 200 O\u{1}\r\n", 502),
    Row("RFC 9112 §2.2", "a line that ends with LF", "HTTP/1.1 200 OK\n", 502),
    Row("RFC 9112 §5.2", "a folded field", ok + "A: b\r\n c\r\n\r\n", 502),
    Row("RFC 9112 §5.1", "a space before the colon", ok + "A : b\r\n\r\n", 502),
    Row("RFC 9112 §6.3", "two lengths", ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 502),
    Row("RFC 9112 §6.3", "a length with a sign", ok + "Content-Length: +1\r\n\r\n", 502),
    Row("RFC 9112 §6.3", "a length beyond all numbers", ok + "Content-Length: 99999999999999999999\r\n\r\n", 502),
    Row("RFC 9112 §6.1", "another transfer coding", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", 502),
    Row("RFC 9112 §7.1", "a chunk without a size", ok + "Transfer-Encoding: chunked\r\n\r\nx\r\n", 502),
    Row("RFC 9110 §15.2.2", "another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", 502),
  ])
  func `a malformed or ambiguous response is refused`(row: Row) {
    let text = String(decoding: row.bytes, as: UTF8.self)
    let whole = parse(text)
    #expect(whole.error?.status == row.status)
    for step in 1...4 { #expect(parse(text, step: step).error == whole.error) }
  }

  @Test(arguments: [
    "", "HTTP/1.1 2", ok, ok + "Content-Length: 5\r\n\r\nhell", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
  ])
  func `a connection that ends before the response is complete is an error`(text: String) {
    let outcome = parse(text, ends: true)
    #expect(outcome.error?.section == "RFC 9112 §8")
    #expect(outcome.trailers == nil)
  }

  @Test func `a response beyond the limits is an error`() {
    let limits = ParserLimits(head: 300, fields: 3, body: 10)
    #expect(parse(Self.ok + "A: " + String(repeating: "b", count: 300), limits: limits).error != nil)
    #expect(parse(Self.ok + "A: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n", limits: limits).error != nil)
    #expect(parse(Self.ok + "Content-Length: 11\r\n\r\n", limits: limits).error != nil)
    let interims = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 101)
    #expect(parse(interims).error != nil)
  }
}
