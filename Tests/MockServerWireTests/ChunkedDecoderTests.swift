import CassetteHTTP
import CassetteSystem
import MockServerWire
import Testing

struct ChunkedDecoderTests {
  struct Outcome: Equatable {
    var body = ""
    var consumed = 0
    var isComplete = false
    var trailers = HTTPHeaders()
    var error: ParseError?
  }

  private func decode(_ text: String, step: Int? = nil, limits: ParserLimits = ParserLimits()) -> Outcome {
    var decoder = ChunkedDecoder(limits: limits)
    var outcome = Outcome()
    var body: [UInt8] = []
    let bytes = Array(text.utf8)
    do throws(ParseError) {
      for start in stride(from: 0, to: bytes.count, by: step ?? max(1, bytes.count)) where !outcome.isComplete {
        let piece = Array(bytes[start..<min(bytes.count, start + (step ?? bytes.count))])
        let (consumed, isComplete) = try decoder.decode(piece.span, into: &body)
        outcome.consumed += consumed
        outcome.isComplete = isComplete
      }
    } catch {
      outcome.error = error
    }
    outcome.body = String(decoding: body, as: UTF8.self)
    outcome.trailers = decoder.trailers
    return outcome
  }

  @Test(arguments: [
    Row("RFC 9112 §7.1", "one chunk", "5\r\nhello\r\n0\r\n\r\n"),
    Row("RFC 9112 §7.1", "several chunks", "1\r\nh\r\n004\r\nello\r\n000\r\n\r\n"),
    Row("RFC 9112 §7.1.1", "a name", "5;a\r\nhello\r\n0;b\r\n\r\n"),
    Row("RFC 9112 §7.1.1", "names, tokens and blanks", "5 ; a ;\tb = c;d=e\r\nhello\r\n0\r\n\r\n"),
    Row("RFC 9112 §7.1.1", "a quoted value", "5;a=\"b;\\\"\\\\\t é\" ;c\r\nhello\r\n0\r\n\r\n"),
    Row("RFC 9112 §7.1.2", "trailer fields", "5\r\nhello\r\n0\r\nA: b\r\nC:d \r\n\r\n"),
  ])
  func `chunks split at any byte are decoded`(row: Row) {
    let text = String(decoding: row.bytes, as: UTF8.self)
    let whole = decode(text + "GET")
    #expect(whole.body == "hello")
    #expect(whole.isComplete)
    #expect(whole.consumed == row.bytes.count)
    for step in 1...5 { #expect(decode(text + "GET", step: step) == whole) }
  }

  @Test(arguments: [
    Row("RFC 9112 §7.1", "no size", "\r\nhello", 400),
    Row("RFC 9112 §7.1", "a size that is no number", "g\r\n", 400),
    Row("RFC 9112 §7.1", "a size with a prefix", "0x5\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a size with a sign", "+5\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a space before a size", " 5\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a space after a size", "5 \r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a size line that ends with LF", "5\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a CR alone in a size line", "5\rhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a chunk longer than its size", "4\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a chunk that ends with LF", "5\r\nhello\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1", "a size of 64 bits and more", "fffffffffffffffff\r\n", 413),
    Row("RFC 9112 §7.1", "a size of 63 bits", "8000000000000000\r\n", 413),
    Row("RFC 9112 §7.1.1", "an extension without a name", "5;\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "an extension without a value", "5;a=\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "white space after an extension", "5;a \r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "a quoted value that does not end", "5;a=\"b\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "an extension with a control character", "5;a\u{1}\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "an extension that ends with LF", "5;a\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.1", "words without a semicolon", "5 a\r\nhello\r\n0\r\n\r\n", 400),
    Row("RFC 9112 §7.1.2", "a trailer line without a colon", "0\r\nA\r\n\r\n", 400),
    Row("RFC 9112 §5.1", "a space before the colon of a trailer", "0\r\nA : b\r\n\r\n", 400),
    Row("RFC 9112 §5.2", "a folded trailer line", "0\r\nA: b\r\n c\r\n\r\n", 400),
    Row("RFC 9112 §2.2", "a trailer line that ends with LF", "0\r\nA: b\n\r\n", 400),
    Row("RFC 9112 §2.2", "a trailer section that ends with LF", "0\r\n\n", 400),
    Row("RFC 9110 §5.5", "a control character in a trailer", "0\r\nA: b\0\r\n\r\n", 400),
    Row("RFC 9110 §6.5.1", "a length in a trailer", "0\r\ncontent-length: 5\r\n\r\n", 400),
    Row("RFC 9110 §6.5.1", "a coding in a trailer", "0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
  ])
  func `malformed or ambiguous chunks are refused with their status`(row: Row) {
    let text = String(decoding: row.bytes, as: UTF8.self)
    let whole = decode(text)
    #expect(whole.error?.status == row.status)
    #expect(!whole.isComplete)
    for step in 1...5 { #expect(decode(text, step: step).error == whole.error) }
  }

  @Test func `trailer fields keep their case and are not merged`() {
    #expect(decode("0\r\nX-Sum: 1\r\nX-sum:\t2\r\n\r\n").trailers == [("X-Sum", "1"), ("X-sum", "2")])
  }

  @Test func `chunk extensions that exceed the data are refused`() {
    let heavy = String(repeating: "1;" + String(repeating: "a", count: 100) + "\r\nx\r\n", count: 400)
    #expect(decode(heavy).error?.section == "RFC 9112 §7.1.1")
    #expect(decode("5;" + String(repeating: "a", count: 20_000)).error?.status == 400)
    #expect(decode(String(repeating: "0", count: 20_000)).error?.status == 400)
    let light = String(repeating: "1\r\nx\r\n", count: 40_000)
    #expect(decode(light).error == nil)
  }

  @Test func `trailers beyond the limits of a head are refused`() {
    let limits = ParserLimits(head: 30, fields: 2)
    #expect(decode("0\r\nA:\r\nB:\r\n\r\n", limits: limits).error == nil)
    #expect(decode("0\r\nA:\r\nB:\r\nC:\r\n\r\n", limits: limits).error?.status == 431)
    #expect(decode("0\r\n" + String(repeating: "a", count: 31), limits: limits).error?.status == 431)
  }
}
