import CassetteHTTP
import Cassettes
import MockServerWire
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Limits on requests, connections and waiting times.
@Suite struct LimitTests {
  private static let one = [Served.recording("GET /a", "one"), Served.recording("POST /a", "two")]

  struct Excess: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var status: Int
    var text: String
  }

  @Test(
    arguments: LoopKind.allCases,
    [
      Excess(
        testDescription: "request line", status: 414,
        text: "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: x\r\n\r\n"),
      Excess(
        testDescription: "endless request line", status: 414, text: "GET /\(String(repeating: "a", count: 9_000))"),
      Excess(
        testDescription: "head", status: 431,
        text: "GET /a HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n"),
      Excess(
        testDescription: "fields", status: 431,
        text: "GET /a HTTP/1.1\r\nHost: x\r\n\((0..<201).map { "X\($0): 1\r\n" }.joined())\r\n"),
      Excess(testDescription: "body", status: 413, text: "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n"),
      Excess(
        testDescription: "chunks", status: 413,
        text:
          "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3E9\r\n\(String(repeating: "a", count: 1001))\r\n0\r\n\r\n"
      ),
      Excess(testDescription: "no host", status: 400, text: "GET /a HTTP/1.1\r\n\r\n"),
      Excess(testDescription: "TLS", status: 400, text: "\u{16}\u{3}\u{1}\u{0}\r\n\r\n"),
    ])
  func `a request beyond a limit or malformed is refused with its status, and the connection is closed`(
    kind: LoopKind, excess: Excess
  ) throws {
    let served = try Served(kind, Self.one) { $0.limits.body = 1_000 }
    let client = try served.client()
    #expect(try client.ask("GET /a").text == "one")
    client.send(excess.text)
    let answer = try client.answer()
    #expect(answer.status == excess.status)
    #expect(answer.headers["Connection"] == "close")
    #expect(client.readToEnd().end == .ended, "an orderly close, because a reset could discard the answer")
    #expect(try served.ask("GET /a").text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `a recorded request is accepted even if it exceeds the limits`(kind: LoopKind) throws {
    let target = "/a?q=\(String(repeating: "a", count: 9_000))"
    let field = String(repeating: "b", count: 70_000)
    let body = String(repeating: "c", count: 2_000)
    let recording =
      "{\"request\":{\"method\":\"POST\",\"url\":\"\(target)\",\"headers\":[[\"X\",\"\(field)\"]],"
      + "\"body\":{\"text\":\"\(body)\"}},\"response\":{\"status\":200,\"body\":{\"text\":\"ok\"}}}"
    let served = try Served(kind, Self.one) {
      $0.limits.body = 1_000
      $0.watches = true
    }
    let client = try served.client()
    #expect(try client.ask("GET /a").text == "one")
    #expect(try served.ask("POST \(target)").status == 414)
    try served.write(Served.cassette([recording]), to: "long.json")
    #expect(served.tells(of: "reload"))
    #expect(try eventually { try served.ask("POST \(target)", [("X", field)], body: body).text == "ok" })
    // The limits also change for an open connection.
    #expect(try client.ask("POST \(target)", [("X", field)], body: body).text == "ok")
    #expect(try served.ask("POST /b", body: String(repeating: "c", count: 20_000)).status == 413)
  }

  @Test(arguments: ["file", "code"])
  func `request measures are the maxima over all recordings`(place: String) throws {
    let text = Served.cassette([
      Served.recording("GET /short", "a"),
      "{\"request\":{\"method\":\"GET\",\"url\":\"/long?t={{secret:1}}\",\"headers\":[[\"A\",\"b\"],[\"C\",\"d\"]]},\"response\":{\"status\":200}}",
    ])
    var cassette = try CassetteFile.read(bytes: Array(text.utf8), name: "a", file: nil)
    if place == "code" { for index in cassette.interactions.indices { cassette.interactions[index].id = "\(index)" } }
    let measures = RequestMeasures(of: CassetteLibrary(cassettes: [cassette]))
    #expect(measures.target >= 16 << 10)
    #expect(measures.fields >= 2 && measures.fieldBytes >= 4)
    #expect(ParserLimits().admitting(RequestMeasures()) == ParserLimits())
    #expect(ParserLimits().admitting(measures).requestLine > 3 * (16 << 10))
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that is still sending receives the refusal of its body`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.limits.body = 1_000 }
    let client = try served.client()
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
    client.send([UInt8](repeating: 97, count: 3_000_000))
    #expect(try client.answer().status == 413)
  }

  @Test(arguments: LoopKind.allCases, ["G", "GET /a HTTP/1.1\r\nHost: x\r\nX: "])
  func `an incomplete head is refused with 408 after the head timeout`(kind: LoopKind, text: String) throws {
    let served = try Served(kind, Self.one) { $0.headTimeout = .seconds(0.2) }
    let client = try served.client()
    client.send(text)
    #expect(try client.answer().status == 408)
    #expect(client.readToEnd().end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `a head that arrives in small pieces gets no additional time`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.headTimeout = .seconds(0.2) }
    let client = try served.client()
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n")
    var drops = 0
    while !client.hears(within: 20), drops < 200 {
      client.send("X: \(drops)\r\n")
      drops += 1
    }
    #expect(try client.answer().status == 408)
  }

  @Test(arguments: LoopKind.allCases)
  func `each pipelined request has its own head timeout`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.headTimeout = .seconds(2) }
    let client = try served.client()
    let start = ContinuousClock.now
    client.send("GET /a HT")
    // Longer than the head timeout and than the interval of the server's check.
    while ContinuousClock.now - start < .seconds(3) {
      client.send("TP/1.1\r\nHost: x\r\n\r\nGET /a HT")
      #expect(try client.answer().status == 200)
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `a body that stops arriving is refused with 408 after the idle timeout`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.idleTimeout = .seconds(0.2) }
    let client = try served.client()
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
    #expect(try client.answer().status == 408)
  }

  @Test(arguments: LoopKind.allCases)
  func `an idle connection is closed without an answer`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.idleTimeout = .seconds(2) }
    let (fresh, used) = try (served.client(), served.client())
    #expect(try used.ask("GET /a").text == "one")
    for client in [fresh, used] {
      let (text, end) = client.readToEnd()
      #expect(text == "" && end == .ended)
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `a client beyond the connection limit is served once another connection is closed`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.connections = 2 }
    let (first, second) = try (served.client(), served.client())
    #expect(try first.ask("GET /a").text == "one")
    #expect(try second.ask("GET /a").text == "one")
    let third = try served.client()
    third.request("GET /a")
    #expect(!third.hears(within: 150))
    #expect(try second.ask("GET /a").text == "one")
    first.close()
    #expect(try third.answer().text == "one")
    #expect(try second.ask("GET /a").text == "one")
  }
}
