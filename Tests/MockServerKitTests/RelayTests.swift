import CassetteHTTP
import CassettePlayback
import CassetteRecording
import CassetteSystem
import Cassettes
import MockServerWire
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// The relay of a response: the bytes to the client, and the recorded response.
struct RelayTests {
  private static let origins = OriginRewriter(origins: ["https://a.test"])

  private struct Result {
    var client = ""
    var response: RecordedResponse?
    var nextAction = NextAction.persist
    var failed = false
    var bytes: [UInt8] = []
  }

  /// Relays pieces of a response, each after a delay in milliseconds.
  private func relay(
    _ pieces: [(Int, String)], method: HTTPMethod = .get, rewrites: Bool = true, http10: Bool = false,
    ends: Bool = false
  ) throws -> Result {
    try relay(pieces.map { ($0, Array($1.utf8)) }, method: method, rewrites: rewrites, http10: http10, ends: ends)
  }

  private func relay(
    _ pieces: [(Int, [UInt8])], method: HTTPMethod, rewrites: Bool, http10: Bool = false, ends: Bool = false
  ) throws -> Result {
    var form = AnswerForm()
    form.allowsChunks = !http10
    var now: UInt64 = 1_000_000_000
    var relay = Relay(form, links: rewrites ? (Self.origins, "http://mock:1") : nil, began: now)
    var parser = ResponseParser(to: method)
    var result = Result()
    for (index, (gap, bytes)) in pieces.enumerated() {
      now += UInt64(gap) * 1_000_000
      var events: [ResponseParser.Event] = []
      _ = try parser.parse(bytes.span, into: &events)
      if ends, index == pieces.count - 1 { try parser.parseEnd(into: &events) }
      var output = Output()
      do {
        for event in events { try relay.receive(event, at: now, into: &output) }
      } catch { result.failed = true }
      result.bytes += try output.everything
    }
    result.client = String(decoding: result.bytes, as: UTF8.self)
    result.response = relay.capture.response(breaksOff: false)
    result.nextAction = relay.nextAction
    return result
  }

  @Test func `fields reach the client in order with rewritten links, and are recorded unchanged`() throws {
    let body = "{\"u\":\"https://a.test/x\"}"
    let result = try relay([
      (
        5,
        "HTTP/1.1 201 Made\r\nx-b: 1\r\nLink: <https://a.test/2>\r\nContent-Length: \(body.utf8.count)\r\n"
          + "Content-Type: application/json\r\nX-B: 2\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n" + body
      )
    ])
    #expect(
      result.client == "HTTP/1.1 201 Made\r\nx-b: 1\r\nLink: <http://mock:1/2>\r\nContent-Type: application/json\r\n"
        + "X-B: 2\r\nContent-Length: 23\r\n\r\n{\"u\":\"http://mock:1/x\"}")
    let response = try #require(result.response)
    #expect(response.reason == "Made")
    #expect(response.headers["Link"] == "<https://a.test/2>")
    #expect(try response.body?.bytes() == Array(body.utf8))
  }

  @Test func `without link rewriting every byte of the response reaches the client`() throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nContent-Type: text/plain\r\n\r\nhttps://a.test/x"
    let result = try relay([(1, text)], rewrites: false)
    #expect(result.client == text)
  }

  @Test func `a stream is relayed as it arrives, and recorded as chunks with gaps`() throws {
    let result = try relay([
      (3, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nTrailer: X-S\r\n\r\n"),
      (0, "9\r\ndata: 1\n\n\r\n"), (200, "9\r\ndata: 2\n\n\r\n"), (5, "1\r\n\n\r\n"), (100, "0\r\nX-S: 7\r\n\r\n"),
    ])
    #expect(
      result.client.hasSuffix("\r\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n1\r\n\n\r\n0\r\nX-S: 7\r\n\r\n"))
    #expect(result.response?.trailers == [("X-S", "7")])
    let body = try #require(result.response?.body)
    guard case .chunks(let chunks, .complete) = body.form else {
      Issue.record("the body is not recorded as chunks: \(body.form)")
      return
    }
    #expect(chunks.map(\.after) == [0, 0.2])
    #expect(chunks.map { String(decoding: $0.bytes, as: UTF8.self) } == ["data: 1\n\n", "data: 2\n\n\n"])
  }

  @Test func `chunks without gaps are recorded as one body`() throws {
    let result = try relay([
      (3, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"),
      (1, "2\r\n{\"\r\n"),
      (100, "5\r\na\":1}\r\n0\r\n\r\n"),
    ])
    guard case .json? = result.response?.body?.form else {
      Issue.record("the body is recorded as chunks")
      return
    }
    #expect(try result.response?.body?.bytes() == Array("{\"a\":1}".utf8))
  }

  @Test func `a response without a length to an HTTP 1.0 client ends with the connection`() throws {
    let result = try relay([(1, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nabc")], http10: true, ends: true)
    #expect(result.client == "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n\r\nabc")
    guard case .close = result.nextAction else {
      Issue.record("the connection stays open")
      return
    }
  }

  @Test(arguments: [("HEAD", 200), ("GET", 304)])
  func `a response without a body keeps its Content-Length`(method: String, status: Int) throws {
    let text = "HTTP/1.1 \(status) X\r\nContent-Length: 7\r\nETag: \"a\"\r\n\r\n"
    let result = try relay([(1, text)], method: HTTPMethod(method))
    #expect(result.client == text)
    #expect(result.response?.body == nil)
  }

  @Test func `interim responses are relayed to HTTP 1.1 clients only`() throws {
    let text = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
    #expect(try relay([(1, "HTTP/1.1 100 Continue\r\n\r\n"), (1, text)]).client == text)
    #expect(try relay([(1, text)], http10: true).client == "HTTP/1.1 204 No Content\r\n\r\n")
  }

  @Test(arguments: [true, false])
  func `a gzip response stays gzip for the client, also with rewritten links`(rewrites: Bool) throws {
    let plain = "see https://a.test/x"
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(Samples.gzip.count)\r\n\r\n"
    for step in [1, 3, 100] {
      var pieces = [(1, Array(head.utf8))]
      for start in stride(from: 0, to: Samples.gzip.count, by: step) {
        pieces.append((0, Array(Samples.gzip[start..<min(start + step, Samples.gzip.count)])))
      }
      let result = try relay(pieces, method: .get, rewrites: rewrites)
      #expect(try result.response?.body?.bytes() == Array(plain.utf8))
      #expect(result.response?.headers.contains("Content-Encoding") == false)
      if rewrites {
        var headEnd = 0
        while !result.bytes[headEnd...].starts(with: Array("\r\n\r\n".utf8)) { headEnd += 1 }
        #expect(String(decoding: result.bytes[..<headEnd], as: UTF8.self).contains("Content-Encoding: gzip"))
        let decoder = try #require(ContentDecoder([("Content-Encoding", "gzip")]))
        let content = try decoder.decode(Array(result.bytes[(headEnd + 4)...]), limit: 1_000)
        #expect(String(decoding: content, as: UTF8.self) == "see http://mock:1/x")
        #expect(decoder.isComplete)
      } else {
        #expect(result.bytes == Array(head.utf8) + Samples.gzip)
      }
    }
  }

  @Test func `encoded text without links reaches the client unchanged`() throws {
    let coded = try #require(ContentEncoder("gzip")?.encode(Array("no link".utf8), isLast: true))
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
    let result = try relay([(1, Array(head.utf8) + coded)], method: .get, rewrites: true)
    #expect(result.bytes == Array(head.utf8) + coded)
    #expect(try result.response?.body?.bytes() == Array("no link".utf8))
  }

  @Test func `a body that cannot be decoded is recorded encoded`() throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"
    let result = try relay([(1, text)])
    #expect(result.client == text)
    #expect(result.response?.headers["Content-Encoding"] == "gzip")
    #expect(try result.response?.body?.bytes() == Array("plain".utf8))
  }

  @Test(arguments: [Array("plain".utf8), Samples.gzip + [0, 0, 0, 0], Array(Samples.gzip.dropLast(3))])
  func `a body that cannot be decoded reaches the client unchanged, also with link rewriting`(
    content: [UInt8]
  ) throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
      + "\(content.count)\r\n\r\n"
    for step in [1, 7, 1_000] {
      var pieces = [(1, Array(head.utf8))]
      for start in stride(from: 0, to: content.count, by: step) {
        pieces.append((0, Array(content[start..<min(start + step, content.count)])))
      }
      let result = try relay(pieces, method: .get, rewrites: true)
      #expect(result.bytes == Array(head.utf8) + content)
      #expect(try result.response?.body?.bytes() == content)
      #expect(result.response?.headers["Content-Encoding"] == "gzip")
      guard case .persist = result.nextAction else {
        Issue.record("the connection is closed")
        return
      }
    }
  }

  @Test(arguments: [Samples.zlib, Samples.rawDeflate])
  func `deflate is decoded with and without the zlib format`(coded: [UInt8]) throws {
    let decoder = try #require(ContentDecoder([("Content-Encoding", "deflate")]))
    var content: [UInt8] = []
    try decoder.decode(coded) { content += $0 }
    #expect(content == Array("hello hello hello".utf8))
    #expect(decoder.isComplete)
  }

  @Test func `a decompression bomb is relayed in portions that the client reads`() throws {
    // 16 MB of zeros, compressed to 16 KB.
    let member = Samples.zeros
    let count = 16
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: "
      + "\(member.count * count)\r\n\r\n"
    let store = KeptBody()
    var relay = Relay(AnswerForm(), links: (Self.origins, "http://mock:1"), began: 1, store: { store })
    var parser = ResponseParser(to: .get)
    var events: [ResponseParser.Event] = []
    let bytes = Array(head.utf8) + (0..<count).flatMap { _ in member }
    _ = try parser.parse(bytes.span, into: &events)
    var longest = 0
    var total = 0
    for event in events {
      var output = Output()
      try relay.receive(event, at: 2, into: &output)
      longest = max(longest, output.count)
      total += output.count
      while relay.holdsBack {
        var output = Output()
        try relay.proceed(at: 2, into: &output)
        longest = max(longest, output.count)
        total += output.count
      }
    }
    #expect(relay.isOver)
    // The relay encodes the content again for the client.
    #expect((8 << 10..<1 << 20).contains(total))
    #expect(longest < 8 << 20)
    #expect(relay.capture.isStored)
    #expect(store.count == 16 << 20)
    #expect(relay.capture.response(breaksOff: false)?.headers["Content-Encoding"] == nil)
  }

  @Test func `a long body that ends early is not recorded, and the reason is stored`() throws {
    let store = KeptBody()
    var relay = Relay(AnswerForm(), links: nil, began: 1, store: { store })
    var output = Output()
    var parser = ResponseParser(to: .get)
    var events: [ResponseParser.Event] = []
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n".utf8)
    _ = try parser.parse((head + [UInt8](repeating: 1, count: 5_000_000)).span, into: &events)
    for event in events { try relay.receive(event, at: 2, into: &output) }
    relay.breakOff(into: &output)
    #expect(relay.capture.response(breaksOff: true) == nil)
    #expect(relay.capture.loss == "its body ended early after 5000000 bytes")
    #expect(store.isAbandoned)
  }

  @Test(arguments: ["compress", "aes128gcm", "gzip, compress", "identity"])
  func `an unsupported content coding has no decoder`(coding: String) {
    #expect(ContentDecoder([("Content-Encoding", coding)]) == nil)
  }
}

/// A long body that counts its bytes.
private final class KeptBody: LongBody {
  var count = 0
  var isAbandoned = false
  let isFull = false

  func begin(_ response: RecordedResponse) {}
  func append(_ bytes: [UInt8]) { count += bytes.count }
  func abandon() { isAbandoned = true }
}

/// Encoded samples, made by other programs.
enum Samples {
  /// 1 MB of zeros in a gzip member: one block with a literal and references to the previous bytes.
  static let zeros: [UInt8] =
    [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0,
      0xf5, 0x4f, 0x6d, 0x08, 0x5f, 0xa0,
    ] + [UInt8](repeating: 0, count: 1016)
    + [0x3e, 0x03, 0x1c, 0xea, 0x38, 0xa7, 0x00, 0x00, 0x10, 0x00]
  /// `see https://a.test/x` in gzip.
  static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x4e, 0x4d, 0x55, 0xc8, 0x28,
    0x29, 0x29, 0x28, 0xb6, 0xd2, 0xd7, 0x4f, 0xd4, 0x2b, 0x49, 0x2d, 0x2e, 0xd1, 0xaf, 0x00, 0x00,
    0x49, 0xe2, 0x72, 0xc6, 0x14, 0x00, 0x00, 0x00,
  ]
  /// `hello hello hello` in the zlib format.
  static let zlib: [UInt8] = [
    0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00, 0x3a, 0x2e, 0x06, 0x7d,
  ]
  static let rawDeflate: [UInt8] = [
    0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00,
  ]
}
