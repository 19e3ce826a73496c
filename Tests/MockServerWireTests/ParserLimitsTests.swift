import CassetteHTTP
import MockServerWire
import Testing

struct ParserLimitsTests {
  private let limits = ParserLimits(requestLine: 40, head: 120, fields: 3, body: 10)

  private func errors(_ text: String) -> [ParseError?] {
    [RequestStream(text.utf8, limits: limits).error, RequestStream.byteByByte(text.utf8, limits: limits).error]
  }

  private func path(_ count: Int) -> String { "/" + String(repeating: "a", count: count - 1) }

  @Test func `a request line longer than its limit is refused with 414`() {
    // GET, two spaces and the version are 13 bytes.
    #expect(errors(get(target: path(27))) == [nil, nil])
    #expect(errors(get(target: path(28))).map { $0?.status } == [414, 414])
  }

  @Test func `an unfinished request line is refused as soon as it exceeds its limit`() {
    #expect(errors("GET " + path(37)) == [nil, nil])
    #expect(errors("GET " + path(38)).map { $0?.status } == [414, 414])
    #expect(errors(path(60).dropFirst() + "").map { $0?.status } == [414, 414])
  }

  @Test func `a head longer than its limit is refused with 431`() {
    let rest = 120 - get("A: \r\n").utf8.count
    #expect(errors(get("A: \(path(rest))\r\n")) == [nil, nil])
    #expect(errors(get("A: \(path(rest + 1))\r\n")).map { $0?.status } == [431, 431])
    #expect(errors("GET / HTTP/1.1\r\n" + path(200).dropFirst()).map { $0?.status } == [431, 431])
  }

  @Test func `more header fields than the limit are refused with 431`() {
    #expect(errors(get("A:\r\nB:\r\n")) == [nil, nil])
    #expect(errors(get("A:\r\nB:\r\nC:\r\n")).map { $0?.status } == [431, 431])
  }

  @Test func `a body longer than its limit is refused with 413`() {
    #expect(errors(get("Content-Length: 10\r\n")) == [nil, nil])
    #expect(errors(get("Content-Length: 11\r\n")).map { $0?.status } == [413, 413])
    let chunked = get("Transfer-Encoding: chunked\r\n")
    #expect(errors(chunked + "9\r\n123456789\r\n1\r\n1\r\n") == [nil, nil])
    #expect(errors(chunked + "9\r\n123456789\r\n2").map { $0?.status } == [413, 413])
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func `negative, zero and maximum limits refuse a body of maximum length`(limit: Int) {
    let limits = ParserLimits(requestLine: limit, head: limit, fields: limit, body: limit)
    let text = get("Content-Length: 9223372036854775807\r\n")
    #expect(RequestStream(text.utf8, limits: limits).error != nil)
    let chunked = get("Transfer-Encoding: chunked\r\n") + "7fffffffffffffff\r\n"
    #expect(RequestStream(chunked.utf8, limits: limits).error != nil)
  }
}
